// SPDX-License-Identifier: MIT
#include "echosim/io/intervals.hpp"

#include "catch.hpp"

using namespace echosim;

TEST_CASE("touching intervals are one and empty ones are none") {
  CHECK(united({{5, 7}, {0, 3}, {3, 5}, {9, 9}, {10, 8}}) == std::vector<interval>{{0, 7}});
  CHECK(united({{0, 3}, {4, 5}}).size() == 2);
  CHECK(united({}).empty());
}

TEST_CASE("the length of a union counts overlap once") { CHECK(length(united({{0, 10}, {2, 4}, {8, 12}})) == 12); }

TEST_CASE("what two unions share is symmetric and at most either") {
  const auto a = united({{0, 10}, {20, 30}}), b = united({{5, 25}, {29, 40}});
  CHECK(shared_length(a, b) == 11);
  CHECK(shared_length(b, a) == 11);
  CHECK(shared_length(a, {}) == 0);
  CHECK(shared_length(a, a) == length(a));
}
