// SPDX-License-Identifier: MIT
// One forward, one backward (Narayanan et al. 2021, §2.2.1). In flight on stage r: min(m, p − r) micro-batches.
#pragma once
#include <algorithm>

#include "../core/concepts.hpp"

namespace echosim::inline v0 {

struct one_f_one_b {
  [[nodiscard]] constexpr const char* refuses(shape p) const {
    return p.chunks == 1 ? nullptr : "one_f_one_b orders one model chunk a stage (vpp 1); interleaved orders more";
  }
  /// Forward passes before the first backward pass: p − r − 1, capped at m.
  [[nodiscard]] constexpr u32 warmup(shape p, u32 stage) const { return std::min(p.stages - stage - 1, p.micros); }
  [[nodiscard]] constexpr u32 in_flight(shape p, u32 stage) const { return std::min(p.stages - stage, p.micros); }

  [[nodiscard]] constexpr slot at(shape p, u32 stage, u32 i) const {
    const u32 warm = warmup(p, stage), pairs = p.micros - warm;
    if (i < warm) return {pass::forward, i, 0};
    const u32 j = i - warm;
    if (j >= 2 * pairs) return {pass::backward, j - pairs, 0};
    return j % 2 == 0 ? slot{pass::forward, warm + j / 2, 0} : slot{pass::backward, j / 2, 0};
  }
};
static_assert(scheduler<one_f_one_b> && refuses_shapes<one_f_one_b> && counts_in_flight<one_f_one_b>);

}  // namespace echosim::inline v0
