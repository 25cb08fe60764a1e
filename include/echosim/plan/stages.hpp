// SPDX-License-Identifier: MIT
// Which layers and parameters a pipeline stage holds.
#pragma once
#include "../model/parameters.hpp"
#include "plan.hpp"

namespace echosim::inline v0 {

/// Layers of a stage's chunk: the layout's, or layers / (pp·vpp). Assumes a plan that check() accepts.
[[nodiscard]] constexpr i64 layers_of(const transformer& m, const plan& p, u32 stage, u32 chunk) {
  const u64 at = u64{chunk} * p.pp + stage;
  return p.layout.empty() ? m.layers / (i64{p.pp} * p.vpp) : i64{p.layout[at]};
}
[[nodiscard]] constexpr i64 stage_layers(const transformer& m, const plan& p, u32 stage) {
  i64 n = 0;
  for (u32 c = 0; c != p.vpp; ++c) n += layers_of(m, p, stage, c);
  return n;
}

/// The model's ends: the embedding stands in the first chunk of the first stage, the head in the last of the last.
[[nodiscard]] constexpr bool holds_embedding(u32 stage, u32 chunk) { return stage == 0 && chunk == 0; }
[[nodiscard]] constexpr bool holds_head(const plan& p, u32 stage, u32 chunk) {
  return stage + 1 == p.pp && chunk + 1 == p.vpp;
}

/// Parameters of one tensor-parallel rank in the embedding (first stage) and in the head (last stage): the final norm
/// and the output table, which a tied model shares within one stage and copies between two.
[[nodiscard]] constexpr i64 embedding_parameters(const transformer& m, const plan& p) {
  return padded_vocab(m, p.tp) / p.tp * m.hidden + replicated_embedding_parameters(m);
}
[[nodiscard]] constexpr i64 head_parameters(const transformer& m, const plan& p) {
  return norm_parameters(m) + (m.tied && p.pp == 1 ? 0 : padded_vocab(m, p.tp) / p.tp * m.hidden);
}
[[nodiscard]] constexpr i64 stage_parameters(const transformer& m, const plan& p, u32 stage) {
  return stage_layers(m, p, stage) * layer_parameters(m, p.tp) + (stage == 0 ? embedding_parameters(m, p) : 0) +
         (stage == p.pp - 1 ? head_parameters(m, p) : 0);
}

}  // namespace echosim::inline v0
