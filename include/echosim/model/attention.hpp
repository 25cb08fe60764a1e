// SPDX-License-Identifier: MIT
// Self-attention of one layer: projections around a core that is one fused kernel or Megatron's batched GEMMs and
// softmax.
#pragma once
#include "linear.hpp"
#include "transformer.hpp"

namespace echosim::inline v0 {

/// Query heads of one rank, and its key/value heads: at least one (Megatron-LM replicates them when tp > kv_heads).
[[nodiscard]] constexpr i64 local_heads(const transformer& m, const shard& s) { return m.heads / s.tp; }
[[nodiscard]] constexpr i64 local_kv_heads(const transformer& m, const shard& s) {
  return m.kv_heads >= s.tp ? m.kv_heads / s.tp : 1;
}

/// The fused core. FLOPs: 4·s²·d a head forward, 10·s²·d backward (five GEMMs where forward has two; Dao 2023, §3.1),
/// halved where the causal mask lets the kernel skip. Bytes: q, k, v, o once; backward also their gradients.
[[nodiscard]] constexpr kernel fused_attention(const transformer& m, const shard& s, const framework& f,
                                               bool backward) {
  kernel a;
  a.name = backward ? "attention backward" : "attention";
  a.kind = kernel_kind::attention;
  a.type = bits(s.type) < 16 ? dtype::bf16 : s.type;
  a.backend = f.attention;
  a.backward = backward;
  a.causal = true;
  a.m = a.n = s.sequence;
  a.k = m.head_dim;
  a.batch = s.micro_batch * local_heads(m, s);
  a.shared = local_heads(m, s) / local_kv_heads(m, s);
  const double square =
      static_cast<double>(a.m) * static_cast<double>(a.n) * static_cast<double>(a.k) * static_cast<double>(a.batch);
  a.work = {(backward ? 10.0 : 4.0) * square / 2};
  const i64 once = tokens(s) * m.head_dim * (2 * local_heads(m, s) + 2 * local_kv_heads(m, s)) * element(s);
  a.moved = {backward ? 2 * once : once};
  return a;
}

/// Scores, softmax, dropout, context as separate kernels over b·heads matrices of s×s; no kernel skips the masked half
/// (megatron/core/transformer/dot_product_attention.py, core_r0.9.0). With a fused softmax and dropout, 16 bit: 13
/// bytes a score forward, 19 backward.
template <step_sink S>
constexpr void unfused_attention_forward(const transformer& m, const shard& s, const framework& f, S& sink) {
  const i64 heads = s.micro_batch * local_heads(m, s), rows = heads * s.sequence, e = element(s);
  issue(sink, gemm("attention scores", s.sequence, s.sequence, m.head_dim, s.type, gemm_layout::tn, heads), f);
  if (!f.fused_softmax) {  // scaling and masking pass over the scores, and the softmax runs in fp32
    stream(sink, "attention mask", kernel_kind::elementwise, rows, s.sequence, 2 * e + 1, s, f);
    stream(sink, "attention upcast", kernel_kind::elementwise, rows, s.sequence, e + 4, s, f);
    stream(sink, "attention softmax", kernel_kind::softmax, rows, s.sequence, 8, s, f);
    stream(sink, "attention downcast", kernel_kind::elementwise, rows, s.sequence, 4 + e, s, f);
  } else {
    stream(sink, "attention softmax", kernel_kind::softmax, rows, s.sequence, 2 * e, s, f);
  }
  if (f.dropout) stream(sink, "attention dropout", kernel_kind::elementwise, rows, s.sequence, 2 * e + 1, s, f);
  issue(sink, gemm("attention context", s.sequence, m.head_dim, s.sequence, s.type, gemm_layout::nn, heads), f);
  // [b, heads, s, d] to [s, b, heads·d], a copy
  stream(sink, "attention context permute", kernel_kind::elementwise, tokens(s), local_heads(m, s) * m.head_dim, 2 * e,
         s, f);
}

template <step_sink S>
constexpr void unfused_attention_backward(const transformer& m, const shard& s, const framework& f, S& sink) {
  const i64 heads = s.micro_batch * local_heads(m, s), rows = heads * s.sequence, e = element(s);
  const auto product = [&](const char* name, i64 r, i64 c, i64 k, gemm_layout layout) {
    kernel g = gemm(name, r, c, k, s.type, layout, heads);
    g.backward = true;
    issue(sink, g, f);
  };
  product("attention context dgrad", s.sequence, s.sequence, m.head_dim, gemm_layout::tn);
  product("attention context vgrad", s.sequence, m.head_dim, s.sequence, gemm_layout::nt);
  if (f.dropout)
    stream(sink, "attention dropout backward", kernel_kind::elementwise, rows, s.sequence, 2 * e + 1, s, f, false,
           true);
  stream(sink, "attention softmax backward", kernel_kind::softmax, rows, s.sequence, f.fused_softmax ? 3 * e : 12, s, f,
         false, true);
  if (!f.fused_softmax)
    stream(sink, "attention mask backward", kernel_kind::elementwise, rows, s.sequence, 2 * e + 1, s, f, false, true);
  product("attention scores qgrad", s.sequence, m.head_dim, s.sequence, gemm_layout::nn);
  product("attention scores kgrad", s.sequence, m.head_dim, s.sequence, gemm_layout::nt);
}

template <step_sink S>
constexpr void attention_core_forward(const transformer& m, const shard& s, const framework& f, S& sink) {
  if (f.attention == attention_backend::unfused)
    unfused_attention_forward(m, s, f, sink);
  else
    issue(sink, fused_attention(m, s, f, false), f);
}
template <step_sink S>
constexpr void attention_core_backward(const transformer& m, const shard& s, const framework& f, S& sink) {
  if (f.attention == attention_backend::unfused)
    unfused_attention_backward(m, s, f, sink);
  else
    issue(sink, fused_attention(m, s, f, true), f);
}

inline constexpr linear_names qkv_names{"qkv", "qkv dgrad", "qkv wgrad"};
inline constexpr linear_names projection_names{"attention projection", "attention projection dgrad",
                                               "attention projection wgrad"};

/// Columns of the query/key/value projection over all ranks, replicated key/value heads counted.
[[nodiscard]] constexpr i64 qkv_columns(const transformer& m, const shard& s) {
  return s.tp * (local_heads(m, s) + 2 * local_kv_heads(m, s)) * m.head_dim;
}

/// Queries and keys turned in place.
template <step_sink S>
constexpr void rotary_embedding(const char* name, const transformer& m, const shard& s, const framework& f,
                                bool backward, S& sink) {
  const i64 columns = (local_heads(m, s) + local_kv_heads(m, s)) * m.head_dim;
  if (m.position == positions::rotary)
    stream(sink, name, kernel_kind::elementwise, tokens(s), columns, 2 * element(s), s, f, false, backward);
}

/// From the normed input to the reduced projection; the next kernel joins.
template <step_sink S>
constexpr void attention_forward(const transformer& m, const shard& s, const framework& f, S& sink) {
  column_parallel_forward(sink, qkv_names, m.hidden, qkv_columns(m, s), s, f);
  rotary_embedding("rotary embedding", m, s, f, false, sink);
  attention_core_forward(m, s, f, sink);
  row_parallel_forward(sink, projection_names, query_size(m), m.hidden, s, f);
}

/// From the gradient of the projection's output to the reduced gradient of the normed input; the next kernel joins.
template <step_sink S>
constexpr void attention_backward(const transformer& m, const shard& s, const framework& f, recompute r, S& sink) {
  row_parallel_backward(sink, projection_names, query_size(m), m.hidden, s, f);
  if (r == recompute::selective) attention_core_forward(m, s, f, sink);
  attention_core_backward(m, s, f, sink);
  rotary_embedding("rotary embedding backward", m, s, f, true, sink);
  column_parallel_backward(sink, qkv_names, m.hidden, qkv_columns(m, s), m.qkv_bias, s, f);
}

}  // namespace echosim::inline v0
