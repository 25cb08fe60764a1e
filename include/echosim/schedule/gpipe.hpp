// SPDX-License-Identifier: MIT
// All forward passes, then all backward passes (Huang et al. 2019). In flight: every micro-batch.
#pragma once
#include "../core/concepts.hpp"

namespace echosim::inline v0 {

struct gpipe {
  [[nodiscard]] constexpr const char* refuses(shape p) const {
    return p.chunks == 1 ? nullptr : "gpipe orders one model chunk a stage (vpp 1)";
  }
  [[nodiscard]] constexpr slot at(shape p, u32, u32 i) const {
    return i < p.micros ? slot{pass::forward, i, 0} : slot{pass::backward, i - p.micros, 0};
  }
  [[nodiscard]] constexpr u32 in_flight(shape p, u32) const { return p.micros; }
};
static_assert(scheduler<gpipe> && refuses_shapes<gpipe> && counts_in_flight<gpipe>);

}  // namespace echosim::inline v0
