// SPDX-License-Identifier: MIT
// Switches that add (NVLink SHARP, InfiniBand SHARP; Graham et al. 2016): every rank sends its buffer once and receives the
// sum once, where every level that the group crosses can add.
#pragma once
#include "ring.hpp"

namespace echosim::inline v0 {

/// All-reduce Σα + S/B: below the bound of algorithms that add at end points.
struct in_network {
  [[nodiscard]] constexpr bool offers(call k) const { return k == call::all_reduce; }
  [[nodiscard]] constexpr cost time(const levels& l, operation o) const {
    cost c;
    c.algorithm = "in_network";
    if (l.ranks < 2) return c;
    for (u32 i = 0; i != l.depth; ++i) {
      if (l.at[i].fanout > 1 && !l.at[i].reduces) {
        c.wire = forever;
        return c;
      }
      c.latency += l.at[i].latency;
    }
    c.wire = o.size / narrowest(l);
    return c;
  }
};
static_assert(collective<in_network>);

}  // namespace echosim::inline v0
