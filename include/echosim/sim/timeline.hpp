// SPDX-License-Identifier: MIT
// A finished run as slices: what each stream of each rank did when. Blocks are opened.
#pragma once
#include "breakdown.hpp"

namespace echosim::inline v0 {

struct slice {
  u32 op = 0;      ///< operation of the program; the block's where the slice is one of its steps
  u32 what = 0;    ///< entry of the tables: a kernel or a call
  u32 rank = 0, lane = 0;
  duration start{}, end{};
};

/// After replay: calls use(slice) for every kernel and call, rank by rank, stream by stream, in time order.
template <class Use>
void each_slice(const ordered& in_order, workspace& w, Use&& use) {
  const program& p = in_order.get();
  detail::index_streams(p, w);
  for (u32 r = 0; r != p.ranks; ++r)
    for (u32 l = 0; l != lanes; ++l) {
      duration free{};
      for (u32 k = w.stream_first[stream_of(r, l)]; k != w.stream_first[stream_of(r, l) + 1]; ++k) {
        const u32 op = w.by_stream[k], x = p.what[op];
        if (!p.is_block(x)) {
          use(slice{op, x, r, l, w.end[op] - w.time[x], w.end[op]});
        } else {
          const block& b = p.blocks[x - p.first_block()];
          duration t = free;
          for (u32 e = p.first[op]; e != p.first[op + 1]; ++e) t = max(t, w.end[p.preds[e]]);
          walk_block(&p.steps[b.first], b.count, w.time.data(), w.issue.data(), t, w.host_clock[k], [&](const step& s, duration, duration start, duration end) {
            use(slice{op, s.what, r, s.on_comm ? u32{tp_comm} : u32{compute}, start, end});
          });
        }
        free = w.end[op];
      }
    }
}

}  // namespace echosim::inline v0
