// SPDX-License-Identifier: MIT
// A send: one message over the widest level that the pair crosses.
#pragma once
#include "ring.hpp"

namespace echosim::inline v0 {

/// α + S/B.
struct point_to_point {
  [[nodiscard]] constexpr bool offers(call k) const { return k == call::send; }
  [[nodiscard]] constexpr cost time(const levels& l, operation o) const {
    cost c;
    c.algorithm = "send";
    if (l.ranks < 2) return c;
    c.latency = outermost(l).latency;
    c.wire = o.size / narrowest(l);
    return c;
  }
  void expand(const group& g, operation o, flow_sink& out) const {
    out({rank{member(g, 0)}, rank{member(g, 1)}, o.size, 0});
  }
};
static_assert(collective<point_to_point> && expands_calls<point_to_point>);

}  // namespace echosim::inline v0
