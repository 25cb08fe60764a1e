// SPDX-License-Identifier: MIT
// Fused attention as blocks of 128 queries, each of which walks over its keys (Dao et al. 2022; Dao 2023; Shah et al.
// 2024).
#pragma once
#include <cmath>

#include "rates.hpp"

namespace echosim::inline v0 {

/// Seconds of one fused kernel. A score costs 4·k/width cycles of products forward (10·k backward), plus `score` cycles
/// of exponentials and sums on other units. Under a causal mask a block walks to its diagonal. Blocks fill the
/// multiprocessors; the longest one leaves a tail. Queries, keys, values and results pass memory once.
[[nodiscard]] inline double seconds_of_attention(const gpu& g, const attention_rates& r, double traffic, double clock,
                                                 const kernel& k) {
  constexpr double rows = 128;
  const double queries = static_cast<double>(k.m), keys = static_cast<double>(k.n), size = static_cast<double>(k.k);
  const double blocks = std::ceil(queries / rows);
  const double walked = k.causal ? std::fmin(keys, std::fmax((keys + rows) / 2, keys - (queries - rows) / 2)) : keys;
  const double width = boost_rate(g, k.type).per_second / (g.sms * g.clock);
  const double share = std::fmin(k.backward ? r.products_backward : r.products,
                                 peak(g, k.type).per_second / boost_rate(g, k.type).per_second);
  const double score = (k.backward ? 10 : 4) * size / (width * share) + (k.backward ? r.score_backward : r.score);
  const double block = k.backward ? r.block_backward : r.block;
  const double each = (rows * walked * score + block) / (g.clock * clock),
               longest = (rows * keys * score + block) / (g.clock * clock);
  const double work = static_cast<double>(k.batch) * blocks * each / g.sms + r.tail * longest;
  const double memory = static_cast<double>(k.moved.count) / (g.hbm.per_second * traffic);
  const double w = work * work, b = memory * memory;
  return std::sqrt(std::sqrt(w * w + b * b)) + r.launch;
}

}  // namespace echosim::inline v0
