// SPDX-License-Identifier: MIT
// How a model is cut over ranks and how one step runs: degrees, batch, recomputation, sharding, overlap.
#pragma once
#include <span>

#include "../core/dtype.hpp"
#include "../core/slot.hpp"
#include "../model/framework.hpp"
#include "../model/shard.hpp"

namespace echosim::inline v0 {

/// What data-parallel ranks divide among them (Rajbhandari et al. 2020): `optimizer` is ZeRO-1, Megatron's distributed
/// optimizer; `gradients` ZeRO-2; `parameters` ZeRO-3.
enum class sharding : u8 { none, optimizer, gradients, parameters };

struct plan {
  u32 tp = 1;                        ///< tensor-parallel ranks
  u32 pp = 1;                        ///< pipeline stages
  u32 vpp = 1;                       ///< model chunks a stage holds (virtual stages)
  u32 dp = 1;                        ///< replicas
  i64 sequence = 2048;               ///< tokens of a sequence
  i64 micro_batch = 1;               ///< sequences of a micro-batch
  i64 global_batch = 1;              ///< sequences of a step, over all replicas
  dtype type = dtype::bf16;          ///< format that GEMMs compute in
  bool sequence_parallel = false;
  recompute recomputes = recompute::none;
  sharding shards = sharding::none;
  bool overlap_gradients = false;    ///< gradient buckets are reduced beside the last backward pass
  bool overlap_parameters = false;   ///< sharded parameters are gathered beside the first forward pass
  std::span<const u32> layout{};     ///< layers of virtual stage chunk·pp + stage, in model order; empty: even
  framework behaves{};
};

[[nodiscard]] constexpr i64 world(const plan& p) { return i64{p.tp} * p.pp * p.dp; }
/// Micro-batches that one pipeline runs in a step; meaningful after check().
[[nodiscard]] constexpr i64 micro_batches(const plan& p) {
  const i64 each = p.micro_batch * p.dp;
  return each > 0 ? p.global_batch / each : 0;
}
[[nodiscard]] constexpr shape pipeline(const plan& p) { return {p.pp, static_cast<u32>(micro_batches(p)), p.vpp}; }
/// Tokens that one rank's kernels see in one micro-batch.
[[nodiscard]] constexpr i64 micro_tokens(const plan& p) { return p.micro_batch * p.sequence; }

}  // namespace echosim::inline v0
