// SPDX-License-Identifier: MIT
#include "echosim/io/json_fields.hpp"

#include "catch.hpp"

using namespace echosim;

TEST_CASE("the first mistake is the one that is reported") {
  const auto root = parse_json("{\n\"a\": 1,\n\"b\": \"x\",\n\"c\": 3.5}");
  REQUIRE(root);
  json_fields f{*root};
  CHECK(f.whole({"a"}, 1, 1) == 1);
  CHECK_FALSE(f.failed());
  CHECK(f.whole({"b"}, 7, 9) == 7);
  CHECK(f.whole({"missing"}, 0, 9) == 0);
  CHECK(f.why().what == "line 3: found 'b' = 'x'; expected a whole number from 7 to 9; correct it");
}

TEST_CASE("null counts as absent and a range has both of its ends") {
  const auto root = parse_json("{\"a\": null, \"low\": 1, \"high\": 8, \"f\": 0.5}");
  REQUIRE(root);
  json_fields f{*root};
  CHECK_FALSE(f.maybe_whole({"a"}, 0, 1));
  CHECK(f.maybe_whole({"low"}, 1, 8) == 1);
  CHECK(f.maybe_whole({"high"}, 1, 8) == 8);
  CHECK(f.flag({"a"}, true));
  CHECK(f.real({"f"}) == 0.5);
  CHECK_FALSE(f.failed());
  CHECK_FALSE(f.maybe_whole({"high"}, 1, 7));
  CHECK(f.failed());
}

TEST_CASE("fields are asked of objects only") {
  const auto root = parse_json("\n[1]");
  REQUIRE(root);
  CHECK(json_fields{*root}.why().what == "line 2: found an array; expected an object; give an object of named values");
}
