// SPDX-License-Identifier: MIT
// What one message takes in ASTRA-sim's analytical backends (astra-network-analytical 599a047), in whole nanoseconds.
#pragma once
#include <algorithm>
#include <string>

#include "../core/result.hpp"
#include "astra.hpp"

namespace echosim::inline v0::astra {

enum class backend : u8 { unaware, aware };  ///< of congestion

/// Unaware: hops·latency + bytes/bandwidth, cut to an integer. Aware: each hop stores and forwards, cut hop by hop.
/// Hops: 1 when fully connected, 2 through a switch, the shorter way round a ring. Only the first dimension in which
/// the two differ counts; ASTRA-sim charges no other. Refused: several hops of a ring in the aware backend, where links
/// are shared.
[[nodiscard]] inline result<i64> message_delay(const network& net, backend b, i64 from, i64 to, i64 bytes) {
  for (const dimension& d : net) {
    const i64 x = from % d.npus, y = to % d.npus;
    from /= d.npus, to /= d.npus;
    if (x == y) continue;
    const i64 apart = x < y ? y - x : x - y;
    const i64 hops = d.kind == topology::fully_connected ? 1
                     : d.kind == topology::wired_switch  ? 2
                                                         : std::min(apart, d.npus - apart);
    if (b == backend::aware && d.kind == topology::ring && hops > 1)
      return error{"a message passes " + std::to_string(hops) +
                   " links of a ring in the congestion-aware backend; neighbours are required, since links are shared "
                   "otherwise; run it unaware"};
    const double serial = static_cast<double>(bytes) / (d.bandwidth * 1073741824.0 / 1e9);
    const double whole = static_cast<double>(hops) * d.latency + serial;
    if (!(whole < 1e15))
      return error{"a message takes longer than 11 days; a faster network is required; correct its rates"};
    return b == backend::aware ? hops * static_cast<i64>(d.latency + serial) : static_cast<i64>(whole);
  }
  return i64{0};
}

}  // namespace echosim::inline v0::astra
