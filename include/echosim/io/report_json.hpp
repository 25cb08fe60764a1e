// SPDX-License-Identifier: MIT
// A report as one JSON object. Times in seconds, sizes in bytes, rates in bytes per second; the parts of `breakdown` sum to
// `step_s`.
#pragma once
#include "../sim/report.hpp"
#include "json_write.hpp"
#include "report_text.hpp"

namespace echosim::inline v0 {

/// Members of an object that the caller has opened.
inline void write_members(json_writer& j, const report& r, flop_rate peak) {
  j.member("step_s", seconds(r.step));
  j.member("tokens_per_s_per_gpu", r.tokens_per_second_per_gpu());
  j.member("tflops_per_gpu", r.rate().per_second * 1e-12);
  j.member("hardware_tflops_per_gpu", r.rate(true).per_second * 1e-12);
  j.member("mfu", r.rate().per_second / peak.per_second);
  j.member("flop_convention", name(flop_convention::full_attention));
  j.member("ranks", r.ranks);
  j.member("operations", r.operations);
  j.member("operations_simulated", r.operations_simulated);
  const auto parts = [&](const breakdown& b) {
    j.object();
    each_part(b, [&](const char* part, duration t) { j.member(part, seconds(t)); });
    j.end();
  };
  j.key("breakdown");
  parts(r.time());
  j.key("classes").array();
  for (const class_report& c : r.classes) {
    j.object().member("stage", c.stage).member("ranks", c.ranks).key("breakdown");
    parts(c.time);
    j.end();
  }
  j.end();
  j.key("memory").array();
  for (std::size_t s = 0; s != r.memory.size(); ++s) {
    const stage_memory& m = r.memory[s];
    j.object().member("stage", s);
    j.member("parameters", m.parameters.count).member("gradients", m.gradients.count).member("optimizer", m.optimizer.count);
    j.member("activations", m.activations.count).member("buffers", m.buffers.count).member("total", m.total().count).end();
  }
  j.end();
  j.key("collectives").array();
  for (const call_report& c : r.calls) {
    j.object().member("name", c.name).member("kind", name(c.what.kind)).member("group", name(c.what.over)).member("ranks", c.ranks);
    j.member("domains", c.domains).member("bytes", c.what.size.count).member("calls", c.calls);
    j.member("algorithm", c.takes.algorithm).member("protocol", c.takes.protocol).member("channels", u32{c.takes.channels});
    j.member("time", seconds(c.takes.total())).member("startup", seconds(c.takes.startup)).member("latency", seconds(c.takes.latency));
    j.member("wire", seconds(c.takes.wire)).member("reduction", seconds(c.takes.reduction));
    j.member("algbw", c.algbw()).member("busbw", c.busbw()).end();
  }
  j.end();
}

}  // namespace echosim::inline v0
