// SPDX-License-Identifier: MIT
// One transformer layer, pre-norm, forward and backward, in the order in which Megatron-LM issues it
// (megatron/core/transformer/transformer_layer.py, core_r0.9.0).
#pragma once
#include "attention.hpp"

namespace echosim::inline v0 {

inline constexpr linear_names up_names{"mlp up", "mlp up dgrad", "mlp up wgrad"};
inline constexpr linear_names down_names{"mlp down", "mlp down dgrad", "mlp down wgrad"};

/// Bias, dropout and residual after a block of the layer. Joins: it consumes the reduced output. Separate kernels pass
/// over the data again.
template <step_sink S>
constexpr void dropout_add_forward(const transformer& m, const shard& s, const framework& f, S& sink) {
  const i64 e = element(s), rows = residual_rows(s);
  if (f.fused_dropout_add || !f.dropout) {
    stream(sink, "bias dropout add", kernel_kind::elementwise, rows, m.hidden, 3 * e + (f.dropout ? 1 : 0), s, f, true);
  } else {
    stream(sink, "bias dropout", kernel_kind::elementwise, rows, m.hidden, 2 * e + 1, s, f, true);
    stream(sink, "residual add", kernel_kind::elementwise, rows, m.hidden, 3 * e, s, f, true);
  }
}
template <step_sink S>
constexpr void norm_forward(const char* name, const transformer& m, const shard& s, const framework& f, S& sink) {
  stream(sink, name, kernel_kind::norm, residual_rows(s), m.hidden, 2 * element(s), s, f);
}
/// The norm's gradient, and the sum with the gradient that bypasses it. Joins.
template <step_sink S>
constexpr void norm_backward(const char* name, const transformer& m, const shard& s, const framework& f, S& sink) {
  stream(sink, name, kernel_kind::norm, residual_rows(s), m.hidden, 3 * element(s), s, f, true, true);
  stream(sink, "residual gradient add", kernel_kind::elementwise, residual_rows(s), m.hidden, 3 * element(s), s, f, true, true);
}
template <step_sink S>
constexpr void activation_forward(const transformer& m, const shard& s, const framework& f, S& sink) {
  const i64 e = element(s), columns = m.ffn / s.tp;
  if (!f.fused_activation && m.bias) stream(sink, "mlp bias", kernel_kind::elementwise, tokens(s), up_size(m) / s.tp, 2 * e, s, f);
  stream(sink, m.gated ? "gated activation" : "activation", kernel_kind::elementwise, tokens(s), columns, (m.gated ? 3 : 2) * e, s, f);
}

template <step_sink S>
constexpr void layer_forward(const transformer& m, const shard& s, const framework& f, S&& sink) {
  norm_forward("attention norm", m, s, f, sink);
  attention_forward(m, s, f, sink);
  dropout_add_forward(m, s, f, sink);
  norm_forward("mlp norm", m, s, f, sink);
  column_parallel_forward(sink, up_names, m.hidden, up_size(m), s, f);
  activation_forward(m, s, f, sink);
  row_parallel_forward(sink, down_names, m.ffn, m.hidden, s, f);
  dropout_add_forward(m, s, f, sink);
}

/// Recomputation comes first: the whole layer under `full`, the core of attention under `selective`.
template <step_sink S>
constexpr void layer_backward(const transformer& m, const shard& s, const framework& f, recompute r, S&& sink) {
  if (r == recompute::full) layer_forward(m, s, f, sink);
  const i64 e = element(s);
  stream(sink, "dropout backward", kernel_kind::elementwise, residual_rows(s), m.hidden, 2 * e + (f.dropout ? 1 : 0), s, f, true, true);
  row_parallel_backward(sink, down_names, m.ffn, m.hidden, s, f);
  stream(sink, m.gated ? "gated activation backward" : "activation backward", kernel_kind::elementwise, tokens(s), m.ffn / s.tp, (m.gated ? 5 : 3) * e, s, f, false, true);
  column_parallel_backward(sink, up_names, m.hidden, up_size(m), m.bias, s, f);
  norm_backward("mlp norm backward", m, s, f, sink);
  stream(sink, "dropout backward", kernel_kind::elementwise, residual_rows(s), m.hidden, 2 * e + (f.dropout ? 1 : 0), s, f, false, true);
  attention_backward(m, s, f, r, sink);
  norm_backward("attention norm backward", m, s, f, sink);
}

}  // namespace echosim::inline v0
