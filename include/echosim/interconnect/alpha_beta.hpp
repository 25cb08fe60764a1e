// SPDX-License-Identifier: MIT
// One level: every pair of ranks sees the same latency and rate (Hockney 1994).
#pragma once
#include "../core/concepts.hpp"

namespace echosim::inline v0 {

struct alpha_beta {
  duration latency{};
  bandwidth rate{};  ///< out of one rank, one direction
  [[nodiscard]] constexpr levels levels_of(const group& g) const { return one_level(size(g), rate, latency); }
  [[nodiscard]] constexpr u32 period() const { return 1; }
};
static_assert(interconnect<alpha_beta> && repeats<alpha_beta>);

}  // namespace echosim::inline v0
