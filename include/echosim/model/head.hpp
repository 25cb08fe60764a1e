// SPDX-License-Identifier: MIT
// The end of the model: final norm, logits over a cut vocabulary, and cross-entropy that never gathers the logits
// (Shoeybi et al. 2019, §3; megatron/core/tensor_parallel/cross_entropy.py, core_r0.9.0).
#pragma once
#include "linear.hpp"
#include "parameters.hpp"

namespace echosim::inline v0 {

inline constexpr linear_names logit_names{"logits", "logits dgrad", "logits wgrad"};

template <step_sink S>
constexpr void head_forward(const transformer& m, const shard& s, const framework& f, S&& sink) {
  const i64 e = element(s), rows = tokens(s), columns = padded_vocab(m, s.tp) / s.tp;
  const auto pass = [&](const char* name, i64 bytes_each, bool joins = false) {
    stream(sink, name, kernel_kind::loss, rows, columns, bytes_each, s, f, joins);
  };
  const auto reduce = [&] {
    if (s.tp > 1) sink.call({call::all_reduce, {rows * 4}, dimension::tp}, true);
  };
  stream(sink, "final norm", kernel_kind::norm, residual_rows(s), m.hidden, 2 * e, s, f);
  column_parallel_forward(sink, logit_names, m.hidden, padded_vocab(m, s.tp), s, f);
  if (f.fused_loss) {
    pass("cross entropy", e + 4);
    reduce();
    pass("cross entropy sum", 8, true);
    reduce();
  } else {
    pass("logits upcast", e + 4);
    pass("logits maximum", 4);
    reduce();
    pass("logits shift", 8, true);
    reduce();
    pass("logits exponential", 8, true);
    pass("logits sum", 4);
    reduce();
  }
  stream(sink, "loss", kernel_kind::loss, rows, 1, 16, s, f, true);
}

template <step_sink S>
constexpr void head_backward(const transformer& m, const shard& s, const framework& f, S&& sink) {
  const i64 e = element(s), rows = tokens(s), columns = padded_vocab(m, s.tp) / s.tp;
  if (f.fused_loss) {
    stream(sink, "cross entropy backward", kernel_kind::loss, rows, columns, 4 + e, s, f, false, true);
  } else {
    stream(sink, "softmax of logits", kernel_kind::loss, rows, columns, 8, s, f, false, true);
    stream(sink, "cross entropy backward", kernel_kind::loss, rows, columns, 8, s, f, false, true);
    stream(sink, "logits downcast", kernel_kind::loss, rows, columns, 4 + e, s, f, false, true);
  }
  column_parallel_backward(sink, logit_names, m.hidden, padded_vocab(m, s.tp), false, s, f);
  stream(sink, "final norm backward", kernel_kind::norm, residual_rows(s), m.hidden, 3 * e, s, f, true, true);
}

}  // namespace echosim::inline v0
