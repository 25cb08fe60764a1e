// SPDX-License-Identifier: MIT
// What stands between the blocks of a layer: norms, and bias, dropout and residual sum. Under sequence parallelism
// their rows are cut over the tensor-parallel ranks (Korthikanti et al. 2022, §4.2.2).
#pragma once
#include "linear.hpp"
#include "transformer.hpp"

namespace echosim::inline v0 {

/// Reads x, writes y.
template <step_sink S>
constexpr void norm_forward(const char* name, const transformer& m, const shard& s, const framework& f, S& sink) {
  stream(sink, name, kernel_kind::norm, residual_rows(s), m.hidden, 2 * element(s), s, f);
}

/// The norm's gradient (reads dy and x, writes dx) and its sum with the gradient that bypasses it. Joins.
template <step_sink S>
constexpr void norm_backward(const char* name, const transformer& m, const shard& s, const framework& f, S& sink) {
  const i64 rows = residual_rows(s), e = element(s);
  stream(sink, name, kernel_kind::norm, rows, m.hidden, 3 * e, s, f, true, true);
  stream(sink, "residual gradient add", kernel_kind::elementwise, rows, m.hidden, 3 * e, s, f, true, true);
}

/// Bias, dropout and residual sum after a block; a mask has 1 byte an element. Joins: it consumes the reduced output.
template <step_sink S>
constexpr void dropout_add_forward(const transformer& m, const shard& s, const framework& f, S& sink) {
  const i64 e = element(s), rows = residual_rows(s);
  if (!f.dropout) {
    stream(sink, "residual add", kernel_kind::elementwise, rows, m.hidden, 3 * e, s, f, true);
  } else if (f.fused_dropout_add) {
    stream(sink, "bias dropout add", kernel_kind::elementwise, rows, m.hidden, 3 * e + 1, s, f, true);
  } else {
    if (m.bias) stream(sink, "bias", kernel_kind::elementwise, rows, m.hidden, 2 * e, s, f, true);
    stream(sink, "dropout", kernel_kind::elementwise, rows, m.hidden, 2 * e + 1, s, f, true);
    stream(sink, "residual add", kernel_kind::elementwise, rows, m.hidden, 3 * e, s, f, true);
  }
}

/// Applies the mask to the gradient and sums it over rows for the bias. Without either the gradient passes as it is.
template <step_sink S>
constexpr void dropout_add_backward(const transformer& m, const shard& s, const framework& f, S& sink) {
  const i64 e = element(s), rows = residual_rows(s);
  if (f.dropout)
    stream(sink, "dropout backward", kernel_kind::elementwise, rows, m.hidden, 2 * e + 1, s, f, true, true);
  if (m.bias) stream(sink, "bias gradient", kernel_kind::elementwise, rows, m.hidden, e, s, f, true, true);
}

}  // namespace echosim::inline v0
