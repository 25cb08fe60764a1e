// SPDX-License-Identifier: MIT
// A report for a terminal: rates, where the time goes, memory by stage, calls.
#pragma once
#include <cstdio>
#include <string>

#include "../sim/report.hpp"
#include "text_table.hpp"

namespace echosim::inline v0 {

/// A double with a fixed number of decimals.
[[nodiscard]] inline std::string fixed(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

/// The parts of a breakdown with their names, in order of priority; their durations sum to the step.
template <class Use>
void each_part(const breakdown& b, Use&& use) {
  use("compute", b.compute);
  use("optimizer", b.optimizer);
  for (u32 d = 0; d != dimensions; ++d) use(name(static_cast<dimension>(d)), b.exposed[d]);
  use("host", b.host);
  use("bubble", b.bubble);
  use("imbalance", b.imbalance);
}

/// `peak`: dense rate of one device in the format of the plan; `memory`: of one device.
[[nodiscard]] inline std::string text(const report& r, flop_rate peak, bytes memory) {
  const auto line = [](const char* what, const std::string& value) { return std::string{what}.append(28 - std::string{what}.size(), ' ') + value + "\n"; };
  const auto share = [](double a, double b) { return fixed(100 * a / b, 1) + " %"; };
  std::string out;
  out += line("step time", fixed(seconds(r.step) * 1e3, 3) + " ms");
  out += line("tokens/s/GPU", fixed(r.tokens_per_second_per_gpu(), 1));
  out += line("model TFLOP/s/GPU", fixed(r.rate().per_second * 1e-12, 1) + "  (GEMMs by shape, full attention, nothing recomputed)");
  out += line("hardware TFLOP/s/GPU", fixed(r.rate(true).per_second * 1e-12, 1) + "  (with what is recomputed)");
  out += line("MFU", share(r.rate().per_second, peak.per_second) + "  of " + fixed(peak.per_second * 1e-12, 1) + " dense TFLOP/s");
  out += line("operations", std::to_string(r.operations) + " on " + std::to_string(r.ranks) + " ranks, " + std::to_string(r.operations_simulated) + " simulated");

  out += "\nwhere the time goes, ms (the class of ranks that waits least: stage " + std::to_string(r.classes[r.slowest].stage) + ")\n";
  text_table where{{"<part", "ms", "share", "<"}};
  each_part(r.time(), [&](const char* part, duration t) {
    const bool transfer = std::string_view{part}.size() == 2;
    if (t > duration{} || !transfer) where.row({transfer ? "exposed " + std::string{part} : std::string{part}, fixed(seconds(t) * 1e3, 3), share(seconds(t), seconds(r.step)), ""});
  });
  where.rule().row({"step", fixed(seconds(r.time().total()) * 1e3, 3), share(seconds(r.time().total()), seconds(r.step)), ""});
  out += where.text();

  out += "\nmemory of one rank by stage, GB of " + fixed(static_cast<double>(memory.count) * 1e-9, 1) + "\n";
  text_table m{{"stage", "parameters", "gradients", "optimizer", "activations", "buffers", "total", "of the GPU"}};
  const auto gb = [](bytes b) { return fixed(static_cast<double>(b.count) * 1e-9, 2); };
  for (std::size_t s = 0; s != r.memory.size(); ++s) {
    const stage_memory& k = r.memory[s];
    m.row({std::to_string(s), gb(k.parameters), gb(k.gradients), gb(k.optimizer), gb(k.activations), gb(k.buffers), gb(k.total()),
           share(static_cast<double>(k.total().count), static_cast<double>(memory.count))});
  }
  out += m.text();

  out += "\ncalls of a step\n";
  text_table c{{"<call", "<group", "ranks", "domains", "MB", "calls", "<algorithm", "<protocol", "us", "algbw GB/s", "busbw GB/s"}};
  for (const call_report& k : r.calls)
    c.row({k.name, name(k.what.over), std::to_string(k.ranks), std::to_string(k.domains), fixed(static_cast<double>(k.what.size.count) * 1e-6, 3),
           fixed(k.calls, 0), k.takes.algorithm, k.takes.protocol, fixed(seconds(k.takes.total()) * 1e6, 1), fixed(k.algbw() * 1e-9, 1), fixed(k.busbw() * 1e-9, 1)});
  return out + c.text();
}

}  // namespace echosim::inline v0
