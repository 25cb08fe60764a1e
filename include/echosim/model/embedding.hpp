// SPDX-License-Identifier: MIT
// The token and position embedding, cut over the vocabulary (Shoeybi et al. 2019, §3).
#pragma once
#include "parameters.hpp"
#include "residual.hpp"

namespace echosim::inline v0 {

/// Lookup, reduction of the partial rows, positions, dropout, and the norm of models that have one.
template <step_sink S>
constexpr void embedding_forward(const transformer& m, const shard& s, const framework& f, S&& sink) {
  const i64 e = element(s), rows = residual_rows(s);
  stream(sink, "embedding", kernel_kind::embedding, tokens(s), m.hidden, 2 * e, s, f);
  reduce_partial_sum(sink, m.hidden, s);
  if (m.position == positions::learned)
    stream(sink, "position embedding", kernel_kind::elementwise, rows, m.hidden, 3 * e, s, f, true);
  if (f.dropout) stream(sink, "embedding dropout", kernel_kind::elementwise, rows, m.hidden, 2 * e + 1, s, f, true);
  if (s.tp > 1 && !f.dropout && m.position != positions::learned) wait_for_calls(sink);
  if (m.embedding_norm) stream(sink, "embedding norm", kernel_kind::norm, rows, m.hidden, 2 * e, s, f, true);
}

/// The table's gradient is dense: zeroed, scattered into, and added to the accumulation buffer every micro-batch.
template <step_sink S>
constexpr void embedding_backward(const transformer& m, const shard& s, const framework& f, S&& sink) {
  const i64 e = element(s), rows = padded_vocab(m, s.tp) / s.tp;
  const i64 added = f.accumulates_in_fp32 ? 2 * e + 8 : 2 * e;
  if (m.embedding_norm)
    stream(sink, "embedding norm backward", kernel_kind::norm, residual_rows(s), m.hidden, 3 * e, s, f, false, true);
  if (f.dropout)
    stream(sink, "embedding dropout backward", kernel_kind::elementwise, residual_rows(s), m.hidden, 2 * e + 1, s, f,
           false, true);
  else if (gathers(s) && !m.embedding_norm)
    wait_for_calls(sink);  // the first step is a kernel, also where the first work is a call
  gather_rows(sink, m.hidden, s);
  stream(sink, "embedding backward", kernel_kind::embedding, tokens(s), m.hidden, 3 * e, s, f, true, true);
  stream(sink, "embedding gradient", kernel_kind::elementwise, rows, m.hidden, added, s, f, true, true);
}

}  // namespace echosim::inline v0
