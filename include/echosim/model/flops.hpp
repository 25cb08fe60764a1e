// SPDX-License-Identifier: MIT
// Floating-point operations of a training step, by convention. Model FLOPs are what the mathematics needs; hardware
// FLOPs add what is recomputed. A multiply-add counts two; the backward pass counts twice the forward pass.
#pragma once
#include "parameters.hpp"
#include "shard.hpp"

namespace echosim::inline v0 {

enum class flop_convention : u8 {
  /// 72·B·s·l·h²·(1 + s/6h + V/12lh), with full recomputation 96·B·s·l·h²·(1 + s/6h + V/16lh): Narayanan et al. 2021,
  /// eq. 3. Assumes ffn = 4h, no gate, as many key/value heads as query heads, h = heads·head_dim.
  narayanan_2021,
  /// Every GEMM by its shape, attention over all s² pairs, logits over the unpadded vocabulary.
  full_attention,
  /// The same with half of attention: what a causal mask leaves (MaxText counts so).
  causal_attention,
  /// 6·P a token with all parameters, attention left out (Kaplan et al. 2020, §2.1, who leave the embedding out of P).
  six_p
};

[[nodiscard]] constexpr const char* name(flop_convention c) {
  switch (c) {
    case flop_convention::narayanan_2021: return "narayanan 2021";
    case flop_convention::full_attention: return "full attention";
    case flop_convention::causal_attention: return "causal attention";
    case flop_convention::six_p: return "6P";
  }
  return "?";
}

/// Forward pass of one sequence, by part.
struct forward_flops {
  flops projections{};  ///< the linear layers of all layers
  flops attention{};    ///< scores and context
  flops logits{};
  [[nodiscard]] constexpr flops total() const { return projections + attention + logits; }
};

/// By shapes: 2·columns·rows a token for each linear layer; 4·s²·heads·head_dim a layer for attention, halved if
/// `causal`.
[[nodiscard]] constexpr forward_flops forward_of(const transformer& m, i64 sequence, bool causal) {
  const auto s = static_cast<double>(sequence), l = static_cast<double>(m.layers), h = static_cast<double>(m.hidden);
  const auto q = static_cast<double>(query_size(m)), qkv = static_cast<double>(qkv_size(m));
  const auto up = static_cast<double>(up_size(m)), ffn = static_cast<double>(m.ffn);
  forward_flops f;
  f.projections = {2 * s * l * h * (qkv + q + up + ffn)};
  f.attention = {(causal ? 2 : 4) * s * s * l * q};
  f.logits = {2 * s * h * static_cast<double>(m.vocab)};
  return f;
}

/// Of `sequences` sequences: three times the forward pass.
[[nodiscard]] constexpr flops model_flops(const transformer& m, i64 sequence, i64 sequences, flop_convention c) {
  const auto b = static_cast<double>(sequences), s = static_cast<double>(sequence);
  switch (c) {
    case flop_convention::narayanan_2021: {
      const auto l = static_cast<double>(m.layers), h = static_cast<double>(m.hidden);
      return {72 * b * s * l * h * h * (1 + s / (6 * h) + static_cast<double>(m.vocab) / (12 * l * h))};
    }
    case flop_convention::six_p: return {6 * static_cast<double>(parameters(m)) * b * s};
    case flop_convention::full_attention: return 3 * b * forward_of(m, sequence, false).total();
    case flop_convention::causal_attention: return 3 * b * forward_of(m, sequence, true).total();
  }
  return {};
}

/// Model FLOPs and what is recomputed: under `full` the forward pass of all layers, not of the head; under `selective`
/// attention's core, in narayanan_2021 4·B·l·s²·h. 6P knows no attention: `selective` adds nothing, `full` a third.
[[nodiscard]] constexpr flops hardware_flops(const transformer& m, i64 sequence, i64 sequences, recompute r,
                                             flop_convention c) {
  const flops model = model_flops(m, sequence, sequences, c);
  if (r == recompute::none) return model;
  const auto b = static_cast<double>(sequences), s = static_cast<double>(sequence);
  const auto l = static_cast<double>(m.layers), h = static_cast<double>(m.hidden);
  switch (c) {
    case flop_convention::narayanan_2021:
      return model + flops{r == recompute::full ? 24 * b * s * l * h * h * (1 + s / (6 * h)) : 4 * b * l * s * s * h};
    case flop_convention::six_p:
      return model + flops{r == recompute::full ? 2 * static_cast<double>(parameters(m)) * b * s : 0};
    case flop_convention::full_attention:
    case flop_convention::causal_attention: {
      const forward_flops f = forward_of(m, sequence, c == flop_convention::causal_attention);
      return model + b * (r == recompute::full ? f.projections + f.attention : f.attention);
    }
  }
  return {};
}

}  // namespace echosim::inline v0
