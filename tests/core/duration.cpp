// SPDX-License-Identifier: MIT
#include "echosim/core/duration.hpp"

#include <cmath>

#include "catch.hpp"
#include "echosim/core/quantities.hpp"

using namespace echosim;
using namespace echosim::literals;

TEST_CASE("seconds become picoseconds rounded up, so that nothing that takes time takes none") {
  CHECK(from_seconds(0) == duration{0});
  CHECK(from_seconds(1e-15) == duration{1});
  CHECK(from_seconds(1) == duration{1'000'000'000'000});
  CHECK(from_seconds(1.5e-12) == duration{2});
  CHECK(from_seconds(2e-12) == duration{2});
}

TEST_CASE("a time beyond the longest saturates, as do infinity, NaN and a rate of zero") {
  CHECK(from_seconds(1e30) == forever);
  CHECK(from_seconds(INFINITY) == forever);
  CHECK(from_seconds(NAN) == forever);
  CHECK(1_B / bandwidth{0} == forever);
  CHECK(flops{1} / flop_rate{0} == forever);
  CHECK(0_B / bandwidth{0} == duration{});
}

TEST_CASE("never stays below zero under any sum of durations of a run") {
  CHECK(never + duration{(i64{1} << 61) - 1} < duration{});
  CHECK(max(never, duration{}) == duration{});
}

TEST_CASE("literals say their unit: GB is 10^9 bytes, GiB is 2^30") {
  CHECK(1_GB == bytes{1'000'000'000});
  CHECK(1_GiB == bytes{1'073'741'824});
  CHECK(1_us == duration{1'000'000});
  CHECK(400_Gbps == bandwidth{50e9});
  CHECK(6'467'616'768_B / 100_GBps == duration{64'676'167'680});
}
