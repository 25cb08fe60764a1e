// SPDX-License-Identifier: MIT
// The engine for fixed durations: one pass over flat arrays in topological order. No queue, no policy, no allocation in
// the loop.
#pragma once
#include "../graph/order.hpp"
#include "workspace.hpp"

namespace echosim::inline v0 {

/// Reads workspace::time, issue and maps; fills end, free and makespan. An operation starts when its stream is free, its
/// predecessors have ended and its host has issued it; members of a call start with the last of them.
inline void replay(const ordered& program_in_order, workspace& w) {
  const program& p = program_in_order.get();
  const u32 n = p.size(), calls = p.first_call(), blocks = p.first_block();
  w.free.assign(std::size_t{p.ranks} * lanes, {});
  w.end.resize(n);
  const u32 *what = p.what.data(), *stream = p.stream.data(), *first = p.first.data(), *preds = p.preds.data();
  const duration *time = w.time.data(), *issue = w.issue.data();
  const call_row* rows = p.calls.data();
  const block_map* maps = w.maps.data();
  duration *end = w.end.data(), *free = w.free.data();
  const auto clock_of = [&](u32 s) -> duration& { return free[s - s % lanes + host]; };
  const auto arrival = [&](u32 i) {
    duration t = free[stream[i]];
    for (u32 e = first[i]; e != first[i + 1]; ++e) t = max(t, end[preds[e]]);
    return t;
  };
  for (u32 i = 0; i != n;) {
    const u32 x = what[i], s = stream[i];
    if (x < calls) {
      duration& h = clock_of(s);
      h += issue[x];
      duration t = max(arrival(i), h);
      free[s] = end[i] = t + time[x];
      ++i;
    } else if (x < blocks) {
      const call_row& row = rows[x - calls];
      const bool one_sided = row.what.kind == call::send;
      duration t{};
      for (u32 j = i; j != i + row.members; ++j) {
        t = max(t, arrival(j));
        if (one_sided && j != i) continue;
        duration& h = clock_of(stream[j]);
        h += issue[x];
        t = max(t, h);
      }
      t += time[x];
      for (const u32 last = i + row.members; i != last; ++i) free[stream[i]] = end[i] = t;
    } else {
      const block_map& m = maps[x - blocks];
      duration& h = clock_of(s);
      free[s] = end[i] = max(arrival(i) + m.device, h + m.host);
      h += m.issue;
      ++i;
    }
  }
  duration most{};
  for (const duration d : w.free) most = max(most, d);
  w.makespan = most;
}

}  // namespace echosim::inline v0
