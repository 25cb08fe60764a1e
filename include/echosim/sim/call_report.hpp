// SPDX-License-Identifier: MIT
// The calls of a run, like ones together: what was moved, how often, by which algorithm, how fast.
#pragma once
#include <cstring>
#include <vector>

#include "../graph/program.hpp"
#include "workspace.hpp"

namespace echosim::inline v0 {

struct call_report {
  const char* name = "";
  operation what{};
  u32 ranks = 1;       ///< members of one group
  u32 domains = 1;     ///< scale-up domains that the group spans
  double calls = 0;    ///< in the step, all groups of the job together
  cost takes{};
  /// size / time, bytes per second, and nccl-tests' bus bandwidth.
  [[nodiscard]] double algbw() const {
    const duration t = takes.total();
    return t > duration{} ? static_cast<double>(what.size.count) / seconds(t) : 0;
  }
  [[nodiscard]] double busbw() const { return algbw() * busbw_factor(what.kind, ranks); }
};

/// After price: rows of the program's call table that agree in everything but the group become one.
[[nodiscard]] inline std::vector<call_report> report_calls(const program& p, const workspace& w) {
  std::vector<u64> met(p.calls.size(), 0), entered(p.blocks.size(), 0);
  for (u32 i = 0; i != p.size(); ++i) {
    const u32 x = p.what[i];
    if (p.is_block(x)) ++entered[x - p.first_block()];
    else if (p.is_call(x)) ++met[x - p.first_call()];  // once for each member
  }
  for (std::size_t b = 0; b != p.blocks.size(); ++b)
    for (u32 s = p.blocks[b].first; s != p.blocks[b].first + p.blocks[b].count; ++s)
      if (p.steps[s].on_comm) met[p.steps[s].what - p.first_call()] += entered[b];
  std::vector<double> stands_for(p.calls.size(), 0);  // ranks of the classes that take part, over the group's size
  std::vector<u32> users(p.calls.size(), 0);
  const auto use = [&](u32 row, u32 stream) {
    if (users[row] == p.calls[row].members) return;
    ++users[row];
    stands_for[row] += static_cast<double>(p.weight.empty() ? 1 : p.weight[rank_of(stream)]);
  };
  std::vector<bool> opened(p.blocks.size(), false);
  for (u32 i = 0; i != p.size(); ++i) {
    const u32 x = p.what[i];
    if (p.is_call(x)) {
      use(x - p.first_call(), p.stream[i]);
    } else if (p.is_block(x) && !opened[x - p.first_block()]) {
      const block& b = p.blocks[x - p.first_block()];
      opened[x - p.first_block()] = true;
      for (u32 s = b.first; s != b.first + b.count; ++s)
        if (p.steps[s].on_comm) use(p.steps[s].what - p.first_call(), p.stream[i]);
    }
  }
  std::vector<call_report> all;
  for (std::size_t i = 0; i != p.calls.size(); ++i) {
    if (met[i] == 0) continue;
    const call_row& row = p.calls[i];
    call_report r;
    r.name = row.name;
    r.what = row.what;
    r.ranks = size(p.groups[row.group]);
    r.domains = w.where[row.group].depth > 1 ? w.where[row.group].at[1].fanout : 1;
    r.calls = static_cast<double>(met[i]) / row.members * stands_for[i] / r.ranks;
    r.takes = w.costs[i];
    bool merged = false;
    for (call_report& a : all) {
      if (!(a.what == r.what) || a.ranks != r.ranks || a.domains != r.domains || a.takes.total() != r.takes.total() || std::strcmp(a.name, r.name) != 0) continue;
      a.calls += r.calls;
      merged = true;
      break;
    }
    if (!merged) all.push_back(r);
  }
  return all;
}

}  // namespace echosim::inline v0
