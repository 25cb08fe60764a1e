// SPDX-License-Identifier: MIT
// What a run answers: time, rates, where the time goes, memory by stage, and every distinct call.
#pragma once
#include <vector>

#include "../model/flops.hpp"
#include "../plan/memory.hpp"
#include "breakdown.hpp"
#include "call_report.hpp"

namespace echosim::inline v0 {

/// Ranks that behave alike.
struct class_report {
  u32 stage = 0;
  u64 ranks = 1;
  breakdown time{};
};

struct report {
  duration step{};
  i64 ranks = 1;
  i64 tokens = 0;                  ///< of a step
  flops model{}, hardware{};       ///< of a step, flop_convention::full_attention
  u64 operations = 0;              ///< of all ranks
  u64 operations_simulated = 0;
  std::vector<class_report> classes;
  u32 slowest = 0;                 ///< the class that waits least: it sets the pace
  std::vector<stage_memory> memory;  ///< of one rank, by stage
  std::vector<call_report> calls;

  [[nodiscard]] const breakdown& time() const { return classes[slowest].time; }
  [[nodiscard]] double tokens_per_second_per_gpu() const { return static_cast<double>(tokens) / seconds(step) / static_cast<double>(ranks); }
  /// Model FLOPs per second and GPU; with `recomputed`, hardware FLOPs.
  [[nodiscard]] flop_rate rate(bool recomputed = false) const {
    return {(recomputed ? hardware : model).count / seconds(step) / static_cast<double>(ranks)};
  }
};

/// After replay. The bytes of memory are by `order`'s passes in flight.
template <orders_slots S>
[[nodiscard]] report report_of(const transformer& m, const plan& p, const S& order, const ordered& in_order, workspace& w) {
  const program& g = in_order.get();
  report r;
  r.step = w.makespan;
  r.ranks = world(p);
  r.tokens = p.global_batch * p.sequence;
  r.model = model_flops(m, p.sequence, p.global_batch, flop_convention::full_attention);
  r.hardware = hardware_flops(m, p.sequence, p.global_batch, p.recomputes, flop_convention::full_attention);
  r.operations = represented(g);
  r.operations_simulated = g.size();
  const std::vector<breakdown> times = break_down(in_order, w);
  for (u32 c = 0; c != g.ranks; ++c) {
    r.classes.push_back({g.stage[c], g.weight[c], times[c]});
    const auto waits = [&](u32 k) { return times[k].bubble + times[k].imbalance; };
    if (waits(c) < waits(r.slowest)) r.slowest = c;
  }
  for (u32 s = 0; s != p.pp; ++s) r.memory.push_back(memory_of(m, p, order, s));
  r.calls = report_calls(g, w);
  return r;
}

}  // namespace echosim::inline v0
