// SPDX-License-Identifier: MIT
// Interleaved 1F1B over v model chunks a stage (Narayanan et al. 2021, §2.2.2), in rounds of p micro-batches.
#pragma once
#include <algorithm>

#include "../core/concepts.hpp"

namespace echosim::inline v0 {

/// With one chunk it is 1F1B. In flight on stage r: min(m·v, 2(p−r−1) + (v−1)·p + 1) chunks.
struct interleaved {
  [[nodiscard]] constexpr const char* refuses(shape p) const {
    return p.chunks == 1 || (p.stages > 1 && p.micros % p.stages == 0)
               ? nullptr
               : "interleaved needs micro-batches divisible by pp, and pp > 1 (Megatron-LM schedules.py)";
  }
  /// Forward passes before the first backward pass: (p−r−1)·2 + (v−1)·p, capped at m·v (Megatron-LM issue 169).
  [[nodiscard]] constexpr u32 warmup(shape p, u32 stage) const {
    const u32 ahead = p.stages - stage - 1;
    return std::min(p.chunks == 1 ? ahead : 2 * ahead + (p.chunks - 1) * p.stages, p.micros * p.chunks);
  }
  [[nodiscard]] constexpr u32 in_flight(shape p, u32 stage) const {
    return std::min(warmup(p, stage) + 1, p.micros * p.chunks);
  }
  [[nodiscard]] constexpr slot at(shape p, u32 stage, u32 i) const {
    const u32 warm = warmup(p, stage), pairs = p.micros * p.chunks - warm;
    if (i < warm) return nth(p, pass::forward, i);
    const u32 j = i - warm;
    if (j >= 2 * pairs) return nth(p, pass::backward, j - pairs);
    return j % 2 == 0 ? nth(p, pass::forward, warm + j / 2) : nth(p, pass::backward, j / 2);
  }

 private:
  [[nodiscard]] static constexpr slot nth(shape p, pass what, u32 k) {
    if (p.chunks == 1) return {what, k, 0};
    const u32 round = p.stages * p.chunks, chunk = k % round / p.stages;
    return {what, k / round * p.stages + k % p.stages, what == pass::forward ? chunk : p.chunks - 1 - chunk};
  }
};
static_assert(scheduler<interleaved> && refuses_shapes<interleaved> && counts_in_flight<interleaved>);

}  // namespace echosim::inline v0
