// SPDX-License-Identifier: MIT
// A finished run as a timeline for Perfetto: ranks are processes, streams are threads, arrows join the members of sends
// and collectives.
#pragma once
#include <string>

#include "../sim/timeline.hpp"
#include "chrome_trace.hpp"

namespace echosim::inline v0 {

[[nodiscard]] constexpr const char* lane_name(u32 l) {
  constexpr const char* names[] = {"compute", "host", "tp", "cp", "ep", "dp", "send forward", "receive forward", "send backward", "receive backward"};
  return l < std::size(names) ? names[l] : "stream";
}

/// After replay. Kernels of zero length (waits of a stream) are left out.
inline void write_timeline(trace_writer& out, const ordered& in_order, workspace& w) {
  const program& p = in_order.get();
  for (u32 r = 0; r != p.ranks; ++r) {
    std::string title = "rank class " + std::to_string(r);
    if (!p.stage.empty()) title = "stage " + std::to_string(p.stage[r]) + (p.weight[r] == 1 ? ", rank " : ", class ") + std::to_string(r) + (p.weight[r] == 1 ? "" : " of " + std::to_string(p.weight[r]) + " ranks");
    out.process(r, title);
  }
  std::vector<bool> named(std::size_t{p.ranks} * lanes, false);
  each_slice(in_order, w, [&](const slice& s) {
    const u32 stream = stream_of(s.rank, s.lane);
    if (!named[stream]) out.thread(s.rank, s.lane, lane_name(s.lane)), named[stream] = true;
    if (s.start == s.end) return;
    if (p.is_call(s.what)) {
      const call_row& row = p.calls[s.what - p.first_call()];
      const cost& c = w.costs[s.what - p.first_call()];
      out.slice(s.rank, s.lane, row.name, name(row.what.over), s.start, s.end - s.start,
                {{"bytes", row.what.size.count}, {"ranks", i64{size(p.groups[row.group])}}, {"algorithm", c.algorithm}, {"protocol", c.protocol}});
    } else {
      const kernel& k = p.kernels[s.what];
      out.slice(s.rank, s.lane, k.name, k.kind == kernel_kind::optimizer ? "optimizer" : "compute", s.start, s.end - s.start,
                {{"flops", k.work.count}, {"bytes", k.moved.count}});
    }
  });
  i64 arrows = 0;
  for (u32 i = 0; i != p.size();) {
    const u32 members = p.members(i), x = p.what[i];
    if (members > 1 && w.time[x] > duration{}) {
      const duration start = w.end[i] - w.time[x];
      for (u32 j = i + 1; j != i + members; ++j)
        out.arrow(arrows++, p.calls[x - p.first_call()].name, name(p.calls[x - p.first_call()].what.over),
                  {rank_of(p.stream[j - 1]), lane_of(p.stream[j - 1]), start}, {rank_of(p.stream[j]), lane_of(p.stream[j]), start});
    }
    i += members;
  }
}

}  // namespace echosim::inline v0
