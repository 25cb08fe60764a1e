// SPDX-License-Identifier: MIT
// Ring collectives (Thakur et al. 2005; Patarasuk and Yuan 2009): n−1 steps, twice for all-reduce, each rank passing one
// n-th of the buffer to its neighbour. Several channels share the links, so a ring runs at the least rate out of a child.
#pragma once
#include <algorithm>

#include "../core/concepts.hpp"

namespace echosim::inline v0 {

/// The least rate that leaves one child at any level which joins several.
[[nodiscard]] constexpr bandwidth narrowest(const levels& l) {
  double rate = l.at[0].rate.per_second;
  bool first = true;
  for (u32 i = 0; i != l.depth; ++i)
    if (l.at[i].fanout > 1) {
      rate = first ? l.at[i].rate.per_second : std::min(rate, l.at[i].rate.per_second);
      first = false;
    }
  return {rate};
}
/// The widest level that a group of two or more crosses: where a message between distant members travels.
[[nodiscard]] constexpr const level& outermost(const levels& l) { return l.at[l.depth > 0 ? l.depth - 1 : 0]; }

/// 2(n−1)·(α + S/(n·B)) for all-reduce, (n−1)·(α + S/(n·B)) for all-gather and reduce-scatter; broadcast and reduce as a
/// pipeline of n-ths: S/B and n−1 hops. Steps round up one by one, so that an expansion into flows is equal.
struct ring {
  [[nodiscard]] constexpr bool offers(call k) const { return k != call::all_to_all && k != call::send; }

  [[nodiscard]] constexpr cost time(const levels& l, operation o) const {
    cost c;
    c.algorithm = "ring";
    if (l.ranks < 2) return c;
    const i64 n = l.ranks, steps = (o.kind == call::all_reduce ? 2 : 1) * (n - 1);
    // Of n hops around the ring as many leave a domain as there are domains.
    const i64 outside = l.depth > 1 ? steps * l.at[1].fanout / n : 0;
    c.latency = (steps - outside) * l.at[0].latency + outside * (l.depth > 1 ? l.at[1].latency : duration{});
    const bytes piece{(o.size.count + n - 1) / n};
    const bool whole = o.kind == call::broadcast || o.kind == call::reduce;
    c.wire = whole ? o.size / narrowest(l) : steps * (piece / narrowest(l));
    return c;
  }

  void expand(const group& g, operation o, flow_sink& out) const {
    const u32 n = size(g), steps = (o.kind == call::all_reduce ? 2 : 1) * (n - 1);
    const bytes piece{(o.size.count + n - 1) / n};
    for (u32 s = 0; s != steps; ++s)
      for (u32 i = 0; i != n; ++i) out({rank{member(g, i)}, rank{member(g, (i + 1) % n)}, piece, s});
  }
};
static_assert(collective<ring> && expands_calls<ring>);

}  // namespace echosim::inline v0
