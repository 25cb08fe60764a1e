// SPDX-License-Identifier: MIT
// The end of the model: final norm, logits over a cut vocabulary, and cross-entropy that never gathers the logits
// (Shoeybi et al. 2019, §3).
#pragma once
#include <type_traits>

#include "parameters.hpp"
#include "residual.hpp"

namespace echosim::inline v0 {

inline constexpr linear_names logit_names{"logits", "logits dgrad", "logits wgrad"};

namespace detail {

/// Kernels over the logits of one rank: tokens by its share of the padded vocabulary.
template <step_sink S>
struct loss_kernels {
  const shard& s;
  const framework& f;
  S& sink;
  i64 columns;
  constexpr void pass(const char* name, i64 bytes_each, bool joins = false, bool backward = false) const {
    stream(sink, name, kernel_kind::loss, tokens(s), columns, bytes_each, s, f, joins, backward);
  }
  constexpr void call(echosim::call kind, i64 bytes_each) const {
    if (s.tp > 1) sink.call({kind, {tokens(s) * bytes_each}, dimension::tp}, true);
  }
};

/// Megatron-LM's sequence, in fp32 and in place (megatron/core/tensor_parallel/cross_entropy.py, core_r0.9.0): three
/// all-reduces of 4 bytes a token, for the maximum, the target's logit, the sum.
template <step_sink S>
constexpr void cross_entropy_forward(const loss_kernels<S>& k, i64 e) {
  if (e < 4) k.pass("logits upcast", e + 4);
  k.pass("logits maximum", 4);
  k.call(call::all_reduce, 4);
  k.pass("logits shift", 8, true);
  k.pass("logits exponential", 8);
  k.pass("logits sum", 4);
  k.call(call::all_reduce, 4);
  k.call(call::all_reduce, 4);
  k.pass("logits normalise", 8, true);
}

/// One kernel over the logits, for maximum, sum and the target's logit at once, and the gather of these, 12 bytes a
/// token and rank (NVIDIA/TransformerEngine @02965d2, transformer_engine/pytorch/triton/cross_entropy.py).
template <step_sink S>
constexpr void fused_cross_entropy_forward(const loss_kernels<S>& k, i64 e) {
  k.pass("cross entropy", e);
  k.call(call::all_gather, 12 * i64{k.s.tp});
}

}  // namespace detail

template <step_sink S>
constexpr void head_forward(const transformer& m, const shard& s, const framework& f, S&& sink) {
  const detail::loss_kernels<std::remove_reference_t<S>> loss{s, f, sink, padded_vocab(m, s.tp) / s.tp};
  norm_forward("final norm", m, s, f, sink);
  column_parallel_forward(sink, logit_names, m.hidden, padded_vocab(m, s.tp), s, f);
  if (f.fused_loss)
    detail::fused_cross_entropy_forward(loss, element(s));
  else
    detail::cross_entropy_forward(loss, element(s));
  stream(sink, "loss", kernel_kind::loss, tokens(s), 1, 16, s, f, true);
}

template <step_sink S>
constexpr void head_backward(const transformer& m, const shard& s, const framework& f, S&& sink) {
  const detail::loss_kernels<std::remove_reference_t<S>> loss{s, f, sink, padded_vocab(m, s.tp) / s.tp};
  if (f.fused_loss) {
    loss.pass("cross entropy backward", 2 * element(s), false, true);
  } else {
    loss.pass("cross entropy backward", 8, false, true);
    if (element(s) < 4) loss.pass("logits downcast", 4 + element(s), false, true);
  }
  column_parallel_backward(sink, logit_names, m.hidden, padded_vocab(m, s.tp), false, s, f);
  stream(sink, "final norm backward", kernel_kind::norm, residual_rows(s), m.hidden, 3 * element(s), s, f, true, true);
}

}  // namespace echosim::inline v0
