// SPDX-License-Identifier: MIT
// Bytes that one rank keeps from a forward pass for the backward pass, after Korthikanti et al. 2022, §4, with the
// model's own sizes in place of 4h and MHA. Left out: norm statistics, token ids, random states (each below 8 bytes a
// token).
#pragma once
#include "attention.hpp"
#include "parameters.hpp"

namespace echosim::inline v0 {

namespace detail {
/// One matrix of tokens by the residual width: cut over tp under sequence parallelism, whole on every rank without it.
[[nodiscard]] constexpr i64 residual_elements(const transformer& m, const shard& s) {
  return residual_rows(s) * m.hidden;
}
/// Elements of the attention scores of a micro-batch on one rank: a·s²·b/t.
[[nodiscard]] constexpr i64 score_elements(const transformer& m, const shard& s) {
  return s.micro_batch * local_heads(m, s) * s.sequence * s.sequence;
}
/// The MLP's inner tensors. A gate that is not fused with its activation keeps the activated gate as well.
[[nodiscard]] constexpr i64 mlp_elements(const transformer& m, const shard& s, const framework& f) {
  const i64 inner = m.ffn / s.tp, gate = m.gated && !f.fused_activation ? inner : 0;
  return tokens(s) * (up_size(m) / s.tp + gate + inner);
}
}  // namespace detail

/// What selective recomputation drops. Fused kernels keep one fp32 log-sum a row. Unfused, with 16-bit numbers:
/// 5·a·s²·b/t (softmax output 2, dropout mask 1, dropout output 2); 7 where the softmax is not fused and keeps its fp32
/// output.
[[nodiscard]] constexpr bytes attention_core_activations(const transformer& m, const shard& s, const framework& f) {
  if (f.attention != attention_backend::unfused) return {tokens(s) * local_heads(m, s) * 4};
  const i64 e = element(s), softmax = f.fused_softmax ? e : 4;
  const i64 weights = f.dropout ? 1 + e : f.fused_softmax ? 0 : e;
  return {detail::score_elements(m, s) * (softmax + weights)};
}

/// One layer. none: 34·s·b·h + core for GPT with dropout, of which 10 are not cut by tp without sequence parallelism:
/// four norm and projection inputs and two masks. full: the layer's input.
[[nodiscard]] constexpr bytes layer_activations(const transformer& m, const shard& s, const framework& f, recompute r) {
  const i64 e = element(s), residual = detail::residual_elements(m, s);
  if (r == recompute::full) return {residual * e};
  const i64 inputs = 4 * residual * e, masks = f.dropout ? 2 * residual : 0;
  const i64 heads = tokens(s) * (2 * local_heads(m, s) + 2 * local_kv_heads(m, s)) * m.head_dim * e;
  const bytes kept{inputs + masks + heads + detail::mlp_elements(m, s, f) * e};
  return r == recompute::selective ? kept : kept + attention_core_activations(m, s, f);
}

/// The mask of the embedding's dropout; its output is the first layer's input.
[[nodiscard]] constexpr bytes embedding_activations(const transformer& m, const shard& s, const framework& f) {
  return {f.dropout ? detail::residual_elements(m, s) : 0};
}

/// Logits that a rank keeps: fp32 exponentials, 4·s·b·v/t; a fused loss keeps its gradient in their place, 16 bit.
[[nodiscard]] constexpr bytes logit_activations(const transformer& m, const shard& s, const framework& f) {
  return {tokens(s) * (padded_vocab(m, s.tp) / s.tp) * (f.fused_loss ? element(s) : 4)};
}
/// Inputs of the final norm and of the logits' GEMM, and the logits.
[[nodiscard]] constexpr bytes head_activations(const transformer& m, const shard& s, const framework& f) {
  return bytes{2 * detail::residual_elements(m, s) * element(s)} + logit_activations(m, s, f);
}

/// Alive beside the kept activations during the backward pass of one layer: what it recomputes, the gradients of the
/// residual and of the MLP's inner tensors or of the scores, whichever are larger, and gathered copies under sequence
/// parallelism (the input, and the gradient before it is scattered).
[[nodiscard]] constexpr bytes backward_workspace(const transformer& m, const shard& s, const framework& f,
                                                 recompute r) {
  const i64 e = element(s), residual = detail::residual_elements(m, s) * e;
  const i64 mlp = tokens(s) * (up_size(m) + m.ffn) / s.tp * e;
  const i64 scores = f.attention == attention_backend::unfused ? 2 * detail::score_elements(m, s) * e : 0;
  const i64 gathered = s.sequence_parallel && s.tp > 1 ? 2 * tokens(s) * m.hidden * e : 0;
  const bytes gradients{residual + (mlp > scores ? mlp : scores) + gathered};
  if (r == recompute::none) return gradients;
  const bytes again = r == recompute::selective ? attention_core_activations(m, s, f)
                                                : layer_activations(m, s, f, recompute::none) - bytes{residual};
  return gradients + again;
}
/// Alive beside the logits during the backward pass of the loss: their 16-bit gradient.
[[nodiscard]] constexpr bytes head_workspace(const transformer& m, const shard& s, const framework& f) {
  return {f.fused_loss ? 0 : tokens(s) * (padded_vocab(m, s.tp) / s.tp) * element(s)};
}

}  // namespace echosim::inline v0
