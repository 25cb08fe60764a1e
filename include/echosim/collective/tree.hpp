// SPDX-License-Identifier: MIT
// Double binary tree all-reduce (Sanders et al. 2009), a chain inside a domain and trees between domains as NCCL lays them:
// each tree carries half of the buffer, so every rank sends it about twice, in pipeline.
#pragma once
#include "ring.hpp"

namespace echosim::inline v0 {

/// ⌈log2 n⌉.
[[nodiscard]] constexpr u32 log2_ceil(u64 n) {
  u32 k = 0;
  while ((u64{1} << k) < n) ++k;
  return k;
}

/// 2·((k−1)·α_in + ⌈log2 M⌉·α_out) + 2·S/B for M domains of k ranks.
struct tree {
  [[nodiscard]] constexpr bool offers(call k) const { return k == call::all_reduce; }
  [[nodiscard]] constexpr cost time(const levels& l, operation o) const {
    cost c;
    c.algorithm = "tree";
    if (l.ranks < 2) return c;
    const i64 chain = l.depth > 1 ? l.at[0].fanout - 1 : log2_ceil(l.ranks);
    c.latency = 2 * (chain * l.at[0].latency) + (l.depth > 1 ? 2 * (i64{log2_ceil(l.at[1].fanout)} * l.at[1].latency) : duration{});
    c.wire = 2 * (o.size / narrowest(l));
    return c;
  }
};
static_assert(collective<tree>);

}  // namespace echosim::inline v0
