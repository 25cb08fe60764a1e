// SPDX-License-Identifier: MIT
#include "catch.hpp"
#include "echosim/core/concepts.hpp"

using namespace echosim;

namespace {

/// ASTRA-sim's ring all-reduce as its analytical backend counts it: splits one after another; whole nanoseconds; link
/// rates in units of 2^30 B/s and memory rates in 10^9 B/s (tests/rt_template/refs of astra-sim).
struct foreign_ring {
  i64 splits = 4, link_delay_ns = 500, endpoint_delay_ns = 10;
  double link_gib = 50, memory_gb = 50;

  bool offers(call k) const { return k == call::all_reduce; }
  duration time(const levels& l, operation o) const {
    const i64 n = l.ranks, piece = o.size.count / splits / n;
    const auto link = static_cast<i64>(static_cast<double>(piece) / (link_gib * 1.073741824));
    const auto memory = static_cast<i64>(static_cast<double>(piece) / memory_gb);
    const i64 each = 2 * (n - 1) * (link_delay_ns + link) + (2 * n - 1) * endpoint_delay_ns + (n - 1) * 3 * memory;
    return {splits * each * 1000};
  }
};
static_assert(collective<foreign_ring>);

}  // namespace

TEST_CASE("a stranger's model fits the collective axis: ASTRA-sim's reference of 117,780 ns to the nanosecond") {
  CHECK(foreign_ring{}.time(one_level(8, {50e9}, {}), {call::all_reduce, {1'048'576}, dimension::dp}) == duration{117'780'000});
}
