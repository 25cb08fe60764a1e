// SPDX-License-Identifier: MIT
// Integer names, and the identity of a rank at interfaces. Engines index with plain u32.
#pragma once
#include <cstdint>

namespace echosim::inline v0 {

using i64 = std::int64_t;
using u64 = std::uint64_t;
using u32 = std::uint32_t;
using u16 = std::uint16_t;
using u8 = std::uint8_t;

/// A GPU of the job, 0 … world−1, in the order in which the launcher numbers processes.
enum class rank : u32 {};

/// "No such operation, group or rank" inside engines.
inline constexpr u32 invalid = ~u32{0};

}  // namespace echosim::inline v0
