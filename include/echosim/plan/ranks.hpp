// SPDX-License-Identifier: MIT
// Where a rank stands in the plan, and its groups as strides. Order as Megatron-LM lays it
// (megatron/core/parallel_state.py, default order tp-cp-ep-dp-pp): rank = t + tp·(d + dp·s).
#pragma once
#include "../core/group.hpp"
#include "plan.hpp"

namespace echosim::inline v0 {

/// Tensor index, replica and pipeline stage of a rank.
struct coordinates {
  u32 shard = 0, replica = 0, stage = 0;
  constexpr bool operator==(const coordinates&) const = default;
};

[[nodiscard]] constexpr rank rank_at(const plan& p, coordinates c) {
  return rank{c.shard + p.tp * (c.replica + p.dp * c.stage)};
}
[[nodiscard]] constexpr coordinates coordinates_of(const plan& p, rank r) {
  const u32 i = static_cast<u32>(r);
  return {i % p.tp, i / p.tp % p.dp, i / (p.tp * p.dp)};
}

/// The tensor-parallel ranks of one replica of one stage. Siblings: the other replicas of the stage.
[[nodiscard]] constexpr group tp_group(const plan& p, u32 stage, u32 replica) {
  group g;
  g.base = static_cast<u32>(rank_at(p, {0, replica, stage}));
  g.members[0] = {p.tp, 1};
  g.siblings[0] = {p.dp, p.tp};
  g.own = replica * p.tp;
  return g;
}
/// The replicas of one shard of one stage. Siblings: the stage's other shards.
[[nodiscard]] constexpr group dp_group(const plan& p, u32 stage, u32 shard) {
  group g;
  g.base = static_cast<u32>(rank_at(p, {shard, 0, stage}));
  g.members[0] = {p.dp, p.tp};
  g.siblings[0] = {p.tp, 1};
  g.own = shard;
  return g;
}
/// Sender and receiver at the same shard and replica of two stages, the lower stage first. Siblings: all shards and
/// replicas, which send at the same time.
[[nodiscard]] constexpr group pp_pair(const plan& p, u32 from, u32 to, u32 replica, u32 shard) {
  const u32 low = from < to ? from : to, high = from < to ? to : from;
  group g;
  g.base = static_cast<u32>(rank_at(p, {shard, replica, low}));
  g.members[0] = {2, p.tp * p.dp * (high - low)};
  g.siblings[0] = {p.tp, 1};
  g.siblings[1] = {p.dp, p.tp};
  g.own = shard + p.tp * replica;
  return g;
}
/// First and last stage at one shard and replica: the copies of a tied embedding.
[[nodiscard]] constexpr group embedding_group(const plan& p, u32 replica, u32 shard) {
  return pp_pair(p, 0, p.pp - 1, replica, shard);
}
/// Every rank of one replica: the ranks over which Megatron-LM sums the gradient norm.
[[nodiscard]] constexpr group model_group(const plan& p, u32 replica) {
  group g;
  g.base = static_cast<u32>(rank_at(p, {0, replica, 0}));
  g.members[0] = {p.tp, 1};
  g.members[1] = {p.pp, p.tp * p.dp};
  g.siblings[0] = {p.dp, p.tp};
  g.own = replica * p.tp;
  return g;
}

}  // namespace echosim::inline v0
