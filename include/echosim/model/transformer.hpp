// SPDX-License-Identifier: MIT
// A decoder-only dense transformer as numbers. Nothing here knows how it is cut or on what it runs.
#pragma once
#include "../core/ids.hpp"

namespace echosim::inline v0 {

enum class positions : u8 { learned, rotary, alibi, absent };
enum class norm_kind : u8 { layer_norm, rms_norm };

/// heads·head_dim may differ from hidden (Qwen3, gpt-oss). kv_heads < heads is grouped-query attention, 1 multi-query.
struct transformer {
  i64 layers = 0;
  i64 hidden = 0;
  i64 ffn = 0;  ///< inner size of the MLP
  i64 heads = 0;
  i64 kv_heads = 0;
  i64 head_dim = 0;
  i64 vocab = 0;          ///< tokens of the tokenizer; padding belongs to the plan
  i64 max_positions = 0;  ///< rows of the learned position table; unused otherwise
  bool gated = false;     ///< SwiGLU-like: gate and up projection side by side
  bool tied = true;       ///< the output head is the embedding
  bool bias = true;       ///< biases on the four linear layers
  bool qkv_bias = true;   ///< bias on the query/key/value projection
  positions position = positions::learned;
  norm_kind norm = norm_kind::layer_norm;
  bool embedding_norm = false;  ///< a norm between embedding and first layer (BLOOM)
  constexpr bool operator==(const transformer&) const = default;
};

[[nodiscard]] constexpr i64 query_size(const transformer& m) { return m.heads * m.head_dim; }
[[nodiscard]] constexpr i64 kv_size(const transformer& m) { return m.kv_heads * m.head_dim; }
/// Columns of the fused query/key/value projection.
[[nodiscard]] constexpr i64 qkv_size(const transformer& m) { return query_size(m) + 2 * kv_size(m); }
/// Columns of the first MLP projection.
[[nodiscard]] constexpr i64 up_size(const transformer& m) { return m.gated ? 2 * m.ffn : m.ffn; }

}  // namespace echosim::inline v0
