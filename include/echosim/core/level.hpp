// SPDX-License-Identifier: MIT
// What a collective sees of an interconnect: a short ladder of levels, innermost first.
#pragma once
#include <array>

#include "contract.hpp"
#include "quantities.hpp"

namespace echosim::inline v0 {

/// `fanout` children joined at this level. `rate` is what leaves one child (a GPU at level 0; a node with all its NICs
/// at level 1), this group's share while its siblings run. `latency` is one hop's. `reduces`: switches can add.
struct level {
  u32 fanout = 1;
  bandwidth rate{};
  duration latency{};
  bool reduces = false;
  constexpr bool operator==(const level&) const = default;
};

struct levels {
  std::array<level, 4> at{};
  u32 depth = 0;  ///< levels in use
  u32 ranks = 1;  ///< members of the group; the product of the fanouts where the group is regular
  constexpr bool operator==(const levels&) const = default;
};

[[nodiscard]] constexpr levels one_level(u32 ranks, bandwidth rate, duration latency) {
  levels l;
  l.ranks = ranks;
  l.depth = 1;
  l.at[0] = {ranks, rate, latency, false};
  return l;
}

}  // namespace echosim::inline v0
