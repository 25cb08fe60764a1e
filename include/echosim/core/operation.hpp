// SPDX-License-Identifier: MIT
// A call: a collective or a send. What a collective model is asked to time.
#pragma once
#include "quantities.hpp"

namespace echosim::inline v0 {

enum class call : u8 { all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, reduce, send };

/// The degree of parallelism that a call serves; reports sum exposed time by it.
enum class dimension : u8 { tp, cp, ep, pp, dp };
inline constexpr u32 dimensions = 5;

/// `size` by nccl-tests' convention: the whole buffer of one rank before it is cut: all-reduce, broadcast, reduce and
/// send: the message; all-gather: the gathered result; reduce-scatter: the input; all-to-all: what one rank sends.
struct operation {
  call kind = call::all_reduce;
  bytes size{};
  dimension over = dimension::tp;
  constexpr bool operator==(const operation&) const = default;
};

[[nodiscard]] constexpr const char* name(call k) {
  switch (k) {
    case call::all_reduce: return "all_reduce";
    case call::all_gather: return "all_gather";
    case call::reduce_scatter: return "reduce_scatter";
    case call::all_to_all: return "all_to_all";
    case call::broadcast: return "broadcast";
    case call::reduce: return "reduce";
    case call::send: return "send";
  }
  return "?";
}
[[nodiscard]] constexpr const char* name(dimension d) {
  switch (d) {
    case dimension::tp: return "tp";
    case dimension::cp: return "cp";
    case dimension::ep: return "ep";
    case dimension::pp: return "pp";
    case dimension::dp: return "dp";
  }
  return "?";
}

/// busbw = algbw · factor, algbw = size / time (nccl-tests, doc/PERFORMANCE.md): what a link would carry under a ring.
[[nodiscard]] constexpr double busbw_factor(call k, u32 ranks) {
  const double n = ranks;
  switch (k) {
    case call::all_reduce: return 2 * (n - 1) / n;
    case call::all_gather: case call::reduce_scatter: case call::all_to_all: return (n - 1) / n;
    case call::broadcast: case call::reduce: case call::send: return 1;
  }
  return 1;
}

}  // namespace echosim::inline v0
