// SPDX-License-Identifier: MIT
// Bytes of one rank of a pipeline stage, itemised, at the moment of the step when they are most. Left out: the CUDA
// context, the collective library's buffers and fragmentation. Assumes a plan that check() accepts.
#pragma once
#include <algorithm>
#include <array>

#include "../core/concepts.hpp"
#include "../model/activations.hpp"
#include "../model/optimizer.hpp"
#include "stages.hpp"

namespace echosim::inline v0 {

struct stage_memory {
  bytes parameters{}, gradients{}, optimizer{}, activations{}, buffers{};
  u32 peak_slot = 0;  ///< first slot of the schedule after which the activations are at their peak
  [[nodiscard]] constexpr bytes total() const { return parameters + gradients + optimizer + activations + buffers; }
};

[[nodiscard]] constexpr shard shard_of(const plan& p) {
  return {p.sequence, p.micro_batch, p.tp, p.sequence_parallel, p.type};
}

/// Parameters 2P, gradients 4P (fp32 accumulation) or 2P, Adam's master weight and moments 12P, for formats of 16 bit
/// and less; fp32 has no master copy: 4P + 4P + 8P. Sharding divides the last by dp, then also gradients, then all
/// (ZeRO 1, 2, 3; Rajbhandari et al. 2020, §5): Megatron-LM's 18P, its distributed optimizer's 6P + 12P/dp
/// (docs/source/api-guide/ dist_optimizer.md, core_r0.9.0), DeepSpeed's 4P + 12P/g, 2P + 14P/g, 16P/g.
[[nodiscard]] constexpr stage_memory state_memory(i64 elements, const plan& p) {
  const bool wide = bits(p.type) > 16;
  const i64 owned = (elements + p.dp - 1) / p.dp;
  const auto held = [&](sharding from) { return p.shards >= from ? owned : elements; };
  stage_memory s;
  s.parameters = {held(sharding::parameters) * (wide ? 4 : 2)};
  s.gradients = {held(sharding::gradients) * gradient_bytes(p.behaves, p.type)};
  s.optimizer = {held(sharding::optimizer) * (wide ? 8 : 12)};
  return s;
}

namespace detail {

/// What one forward pass of each chunk of a stage leaves; the first 32 are stored.
struct chunk_activations {
  const transformer& m;
  const plan& p;
  u32 stage;
  i64 layer, embedding, head;
  std::array<i64, 32> stored{};
  bool equal = true;

  constexpr chunk_activations(const transformer& model, const plan& by, u32 at)
      : m{model},
        p{by},
        stage{at},
        layer{layer_activations(model, shard_of(by), by.behaves, by.recomputes).count},
        embedding{embedding_activations(model, shard_of(by), by.behaves).count},
        head{head_activations(model, shard_of(by), by.behaves).count} {
    for (u32 c = 0; c != p.vpp; ++c) {
      if (c < stored.size()) stored[c] = computed(c);
      equal = equal && computed(c) == stored[0];
    }
  }
  [[nodiscard]] constexpr i64 operator[](u32 c) const { return c < stored.size() ? stored[c] : computed(c); }

 private:
  [[nodiscard]] constexpr i64 computed(u32 c) const {
    return layers_of(m, p, stage, c) * layer + (holds_embedding(stage, c) ? embedding : 0) +
           (holds_head(p, stage, c) ? head : 0);
  }
};

/// The units that a sharded plan gathers: with parameters sharded the layer in use and the one fetched ahead (PyTorch
/// FSDP, limit_all_gathers), and the stage's embedding and head for the whole step; their gradients before they are
/// scattered.
[[nodiscard]] constexpr i64 gathered_bytes(const transformer& m, const plan& p, u32 stage) {
  if (p.dp == 1 || p.shards < sharding::gradients) return 0;
  const i64 layer = layer_parameters(m, p.tp), e = bits(p.type) > 16 ? 4 : 2;
  const i64 ends = (stage == 0 ? embedding_parameters(m, p) : 0) + (stage + 1 == p.pp ? head_parameters(m, p) : 0);
  const i64 unreduced = std::max(layer, ends) * e;
  return p.shards == sharding::parameters ? unreduced + (2 * layer + ends) * e : unreduced;
}

}  // namespace detail

/// Beside state and activations: the backward pass's workspace, gathered shards, and, between stages, one activation
/// and one gradient in transit.
[[nodiscard]] constexpr bytes stage_buffers(const transformer& m, const plan& p, u32 stage) {
  const shard s = shard_of(p);
  bytes work = backward_workspace(m, s, p.behaves, p.recomputes);
  if (stage + 1 == p.pp) {  // the logits are gone before the first layer's backward pass needs its workspace
    const bytes later = work - logit_activations(m, s, p.behaves), now = head_workspace(m, s, p.behaves);
    work = later < now ? now : later;
  }
  const bytes transit{p.pp > 1 ? 2 * detail::residual_elements(m, s) * element(s) : 0};
  return work + transit + bytes{detail::gathered_bytes(m, p, stage)};
}

/// The peak of a stage under a schedule. Activations live from a chunk's forward pass to the pass that computes its
/// weight gradients. Walks at() once, O(micro-batches·chunks); where a schedule counts its own peak and all chunks
/// weigh the same, O(chunks).
template <orders_slots S>
[[nodiscard]] constexpr stage_memory memory_of(const transformer& m, const plan& p, const S& order, u32 stage) {
  stage_memory all = state_memory(stage_parameters(m, p, stage), p);
  all.buffers = stage_buffers(m, p, stage);
  const detail::chunk_activations chunks{m, p, stage};
  const shape by = pipeline(p);
  if constexpr (counts_in_flight<S>) {
    if (chunks.equal) {
      const u32 most = order.in_flight(by, stage);
      all.activations = {most * chunks[0]};
      all.peak_slot = most - 1;
      return all;
    }
  }
  i64 live = 0;
  for (u32 i = 0; i != 2 * by.micros * by.chunks; ++i) {
    const slot k = order.at(by, stage, i);
    ECHOSIM_EXPECTS(k.chunk < by.chunks, "the scheduler names a chunk that the plan does not have");
    if (k.what == pass::backward_input) continue;
    live += k.what == pass::forward ? chunks[k.chunk] : -chunks[k.chunk];
    if (live > all.activations.count) all.activations = {live}, all.peak_slot = i;
  }
  return all;
}

}  // namespace echosim::inline v0
