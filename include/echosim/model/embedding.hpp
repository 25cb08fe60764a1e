// SPDX-License-Identifier: MIT
// The token and position embedding, cut over the vocabulary (Shoeybi et al. 2019, §3).
#pragma once
#include "linear.hpp"
#include "parameters.hpp"

namespace echosim::inline v0 {

template <step_sink S>
constexpr void embedding_forward(const transformer& m, const shard& s, const framework& f, S&& sink) {
  const i64 e = element(s);
  stream(sink, "embedding", kernel_kind::embedding, tokens(s), m.hidden, 2 * e, s, f);
  if (s.tp > 1)
    sink.call({s.sequence_parallel ? call::reduce_scatter : call::all_reduce, {tokens(s) * m.hidden * e}, dimension::tp}, true);
  const i64 added = m.position == positions::learned ? 3 * e : 2 * e;
  stream(sink, "embedding dropout", kernel_kind::elementwise, residual_rows(s), m.hidden, added + (f.dropout ? 1 : 0), s, f, true);
}

/// The table's gradient is dense: zeroed, scattered into, and added to the accumulation buffer every micro-batch.
template <step_sink S>
constexpr void embedding_backward(const transformer& m, const shard& s, const framework& f, S&& sink) {
  const i64 e = element(s), rows = padded_vocab(m, s.tp) / s.tp;
  stream(sink, "embedding dropout backward", kernel_kind::elementwise, residual_rows(s), m.hidden, 2 * e + (f.dropout ? 1 : 0), s, f, false, true);
  if (s.tp > 1 && s.sequence_parallel) sink.call({call::all_gather, {tokens(s) * m.hidden * e}, dimension::tp}, true);
  stream(sink, "embedding backward", kernel_kind::embedding, tokens(s), m.hidden, 3 * e, s, f, true, true);
  stream(sink, "embedding gradient", kernel_kind::elementwise, rows, m.hidden, f.accumulates_in_fp32 ? 2 * e + 8 : 2 * e, s, f, true, true);
}

}  // namespace echosim::inline v0
