// SPDX-License-Identifier: MIT
// Parameters of a transformer, exact to the unit, whole and of one tensor-parallel rank.
#pragma once
#include "transformer.hpp"

namespace echosim::inline v0 {

/// Parameters of one norm: a gain, and for layer norm a shift.
[[nodiscard]] constexpr i64 norm_parameters(const transformer& m) {
  return m.norm == norm_kind::layer_norm ? 2 * m.hidden : m.hidden;
}

/// Parameters of a layer that every tensor-parallel rank holds: its two norms and the biases of row-parallel layers.
[[nodiscard]] constexpr i64 replicated_layer_parameters(const transformer& m) {
  return 2 * norm_parameters(m) + (m.bias ? 2 * m.hidden : 0);
}

/// One layer on one of `tp` ranks. Key/value heads are replicated when tp exceeds them. Assumes that tp divides what it
/// cuts.
[[nodiscard]] constexpr i64 layer_parameters(const transformer& m, i64 tp = 1) {
  const i64 kv = m.kv_heads >= tp ? m.kv_heads / tp : 1;
  const i64 qkv = (m.heads / tp + 2 * kv) * m.head_dim, up = up_size(m) / tp;
  const i64 attention = m.hidden * qkv + (m.qkv_bias ? qkv : 0) + query_size(m) / tp * m.hidden;
  const i64 mlp = m.hidden * up + (m.bias ? up : 0) + m.ffn / tp * m.hidden;
  return attention + mlp + replicated_layer_parameters(m);
}

/// The vocabulary padded to a multiple of `multiple`·tp rows (Megatron-LM --make-vocab-size-divisible-by, 128).
[[nodiscard]] constexpr i64 padded_vocab(const transformer& m, i64 tp, i64 multiple = 128) {
  const i64 to = multiple * tp;
  return (m.vocab + to - 1) / to * to;
}

[[nodiscard]] constexpr i64 position_parameters(const transformer& m) {
  return m.position == positions::learned ? m.max_positions * m.hidden : 0;
}

/// Parameters of the embedding that every tensor-parallel rank holds: positions, and the norm after it.
[[nodiscard]] constexpr i64 replicated_embedding_parameters(const transformer& m) {
  return position_parameters(m) + (m.embedding_norm ? norm_parameters(m) : 0);
}

/// All parameters, without padding; a tied head is counted once.
[[nodiscard]] constexpr i64 parameters(const transformer& m) {
  return (m.tied ? 1 : 2) * m.vocab * m.hidden + replicated_embedding_parameters(m) + m.layers * layer_parameters(m) +
         norm_parameters(m);
}

}  // namespace echosim::inline v0
