// SPDX-License-Identifier: MIT
// Who takes part in a call, by arithmetic: nested strides instead of lists, so that a group of 98,304 ranks is 28 bytes.
#pragma once
#include <array>

#include "ids.hpp"

namespace echosim::inline v0 {

/// `count` ranks, `stride` apart.
struct dim {
  u32 count = 1, stride = 1;
  constexpr bool operator==(const dim&) const = default;
};

/// The ranks base + a·s₀ + b·s₁ + c·s₂ over `members`. `siblings` are the groups that make the same call of the same
/// pipeline stage at the same time, this group included: they share the links. Their offsets count from the first sibling,
/// whose base is base − own.
struct group {
  u32 base = 0;
  std::array<dim, 3> members{}, siblings{};
  u32 own = 0;  ///< this group's offset among its siblings
  constexpr bool operator==(const group&) const = default;
};

[[nodiscard]] constexpr u32 count(const std::array<dim, 3>& dims) { return dims[0].count * dims[1].count * dims[2].count; }
[[nodiscard]] constexpr u32 size(const group& g) { return count(g.members); }

/// The offset of the i-th of the ranks that `dims` spans; the first dimension runs fastest.
[[nodiscard]] constexpr u32 offset(const std::array<dim, 3>& dims, u32 i) {
  u32 at = 0;
  for (dim d : dims) {
    at += i % d.count * d.stride;
    i /= d.count;
  }
  return at;
}
[[nodiscard]] constexpr u32 member(const group& g, u32 i) { return g.base + offset(g.members, i); }

}  // namespace echosim::inline v0
