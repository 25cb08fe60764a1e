// SPDX-License-Identifier: MIT
// Every rank exchanges with every other at once, on a switch: one step for each half of an all-reduce.
#pragma once
#include "ring.hpp"

namespace echosim::inline v0 {

/// All-reduce 2·(α + (n−1)·S/(n·B)); all-gather, reduce-scatter and all-to-all α + (n−1)·S/(n·B).
struct direct {
  [[nodiscard]] constexpr bool offers(call k) const {
    return k == call::all_reduce || k == call::all_gather || k == call::reduce_scatter || k == call::all_to_all;
  }
  [[nodiscard]] constexpr cost time(const levels& l, operation o) const {
    cost c;
    c.algorithm = "direct";
    if (l.ranks < 2) return c;
    const i64 n = l.ranks, halves = o.kind == call::all_reduce ? 2 : 1;
    const bytes piece{(o.size.count + n - 1) / n};
    c.latency = halves * outermost(l).latency;
    c.wire = halves * (((n - 1) * piece) / narrowest(l));
    return c;
  }
  void expand(const group& g, operation o, flow_sink& out) const {
    const u32 n = size(g);
    const bytes piece{(o.size.count + n - 1) / n};
    for (u32 s = 0; s != (o.kind == call::all_reduce ? 2u : 1u); ++s)
      for (u32 i = 0; i != n; ++i)
        for (u32 j = 1; j != n; ++j) out({rank{member(g, i)}, rank{member(g, (i + j) % n)}, piece, s});
  }
};
static_assert(collective<direct> && expands_calls<direct>);

}  // namespace echosim::inline v0
