// SPDX-License-Identifier: MIT
#include "echosim/io/json_write.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include "catch.hpp"

using namespace echosim;

namespace {
template <class T>
std::string number(T v) {
  std::string out;
  append_json_number(out, v);
  return out;
}
std::string text(std::string_view v) {
  std::string out;
  append_json_string(out, v);
  return out;
}
}  // namespace

TEST_CASE("a double is written with the fewest digits that read back the same") {
  CHECK(number(0.1) == "0.1");
  CHECK(number(1.0 / 3) == "0.3333333333333333");
  CHECK(number(5e-324) == "5e-324");
  CHECK(number(1e22) == "1e+22");
  CHECK(number(-0.0) == "-0");
  CHECK(number(2.0) == "2");
}

TEST_CASE("integers are written whole to both ends of their range") {
  CHECK(number(INT64_MIN) == "-9223372036854775808");
  CHECK(number(UINT64_MAX) == "18446744073709551615");
}

TEST_CASE("control bytes are escaped and bytes that are no UTF-8 are replaced") {
  CHECK(text("a\"b\\c\n\t\x01\x7f") == "\"a\\\"b\\\\c\\n\\t\\u0001\x7f\"");
  CHECK(text("\xE2\x82\xAC") == "\"\xE2\x82\xAC\"");
  CHECK(text("x\xFFy\xE2\x82") == "\"x\xEF\xBF\xBDy\xEF\xBF\xBD\xEF\xBF\xBD\"");
  CHECK(text("\xED\xA0\x80") == "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST_CASE("commas and line breaks stand where a reader expects them") {
  std::string flat, tall;
  for (auto [out, indent] : {std::pair{&flat, 0u}, std::pair{&tall, 2u}}) {
    json_writer w{*out, indent};
    w.object().member("a", 1).key("b").array().value(true).null().array().end().end().member("c", "x").end();
    CHECK(w.done());
  }
  CHECK(flat == "{\"a\":1,\"b\":[true,null,[]],\"c\":\"x\"}");
  CHECK(tall == "{\n  \"a\": 1,\n  \"b\": [\n    true,\n    null,\n    []\n  ],\n  \"c\": \"x\"\n}");
}
