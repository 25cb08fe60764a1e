// SPDX-License-Identifier: MIT
#include "echosim/io/name_table.hpp"

#include "catch.hpp"

using namespace echosim;

TEST_CASE("a text has one index, in the order of first appearance, also after growth and copies") {
  name_table t;
  for (u32 i = 0; i < 10'000; ++i) REQUIRE(t.index("name " + std::to_string(i)) == i);
  name_table copy = t;
  CHECK(copy.index("name 77") == 77);
  CHECK(copy.index("new") == 10'000);
  CHECK(t.size() == 10'000);
  CHECK(copy[9'999] == "name 9999");
  CHECK(t.index("") == 10'000);
}
