// SPDX-License-Identifier: MIT
// The MLP of one layer: up projection (with a gate: gate and up side by side), activation, down projection.
#pragma once
#include "linear.hpp"
#include "transformer.hpp"

namespace echosim::inline v0 {

inline constexpr linear_names up_names{"mlp up", "mlp up dgrad", "mlp up wgrad"};
inline constexpr linear_names down_names{"mlp down", "mlp down dgrad", "mlp down wgrad"};

/// Fused: bias and activation (or gate) pass once over the data. Not fused: each is a pass of its own.
template <step_sink S>
constexpr void activation_forward(const transformer& m, const shard& s, const framework& f, S& sink) {
  const i64 e = element(s), rows = tokens(s), inner = m.ffn / s.tp;
  const auto pass = [&](const char* name, i64 columns, i64 bytes_each) {
    stream(sink, name, kernel_kind::elementwise, rows, columns, bytes_each, s, f);
  };
  if (f.fused_activation) return pass(m.gated ? "gated activation" : "activation", inner, (m.gated ? 3 : 2) * e);
  if (m.bias) pass("mlp bias", up_size(m) / s.tp, 2 * e);
  pass("activation", inner, 2 * e);
  if (m.gated) pass("gate", inner, 3 * e);
}

/// Reads the gradient and the inputs of the activation, writes the gradients of the inputs.
template <step_sink S>
constexpr void activation_backward(const transformer& m, const shard& s, const framework& f, S& sink) {
  const i64 e = element(s), rows = tokens(s), inner = m.ffn / s.tp;
  const auto pass = [&](const char* name, i64 bytes_each) {
    stream(sink, name, kernel_kind::elementwise, rows, inner, bytes_each, s, f, false, true);
  };
  if (m.gated && f.fused_activation) return pass("gated activation backward", 5 * e);
  if (m.gated) pass("gate backward", 5 * e);
  pass("activation backward", 3 * e);
}

/// From the normed input to the reduced output; the next kernel joins.
template <step_sink S>
constexpr void mlp_forward(const transformer& m, const shard& s, const framework& f, S& sink) {
  column_parallel_forward(sink, up_names, m.hidden, up_size(m), s, f);
  activation_forward(m, s, f, sink);
  row_parallel_forward(sink, down_names, m.ffn, m.hidden, s, f);
}

/// From the gradient of the output to the reduced gradient of the normed input; the next kernel joins.
template <step_sink S>
constexpr void mlp_backward(const transformer& m, const shard& s, const framework& f, S& sink) {
  row_parallel_backward(sink, down_names, m.ffn, m.hidden, s, f);
  activation_backward(m, s, f, sink);
  column_parallel_backward(sink, up_names, m.hidden, up_size(m), m.bias, s, f);
}

}  // namespace echosim::inline v0
