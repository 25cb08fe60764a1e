// SPDX-License-Identifier: MIT
#include "echosim/core/group.hpp"

#include "catch.hpp"
#include "echosim/core/operation.hpp"
#include "echosim/core/result.hpp"

using namespace echosim;

TEST_CASE("members of a group are nested strides, the first dimension fastest") {
  group g;
  g.base = 100;
  g.members = {{{2, 1}, {3, 10}, {1, 1}}};
  REQUIRE(size(g) == 6);
  const u32 expected[] = {100, 101, 110, 111, 120, 121};
  for (u32 i = 0; i != 6; ++i) CHECK(member(g, i) == expected[i]);
}

TEST_CASE("a result carries a value with notes, or an error") {
  result<int> value = 7;
  value.note("assumed");
  REQUIRE(value);
  CHECK(*value == 7);
  CHECK(value.notes().size() == 1);
  const result<int> wrong = error{"was given nothing"};
  REQUIRE_FALSE(wrong);
  CHECK(wrong.why().what == "was given nothing");
}

TEST_CASE("every call and dimension has a name") {
  for (u8 k = 0; k != 7; ++k) CHECK(std::string{name(static_cast<call>(k))} != "?");
  for (u8 d = 0; d != dimensions; ++d) CHECK(std::string{name(static_cast<dimension>(d))} != "?");
}
