// SPDX-License-Identifier: MIT
#include "echosim/io/protobuf.hpp"

#include <string>

#include "catch.hpp"

using namespace echosim;
using namespace std::string_literals;

TEST_CASE("varints of every length survive, and longer ones are refused") {
  for (u64 v : {u64{0}, u64{127}, u64{128}, u64{300}, u64{1} << 32, ~u64{0}}) {
    std::string text;
    protobuf::append_varint(text, v);
    std::string_view rest = text;
    CHECK(protobuf::take_varint(rest) == v);
    CHECK(rest.empty());
    std::string_view cut = std::string_view{text}.substr(0, text.size() - 1);
    CHECK_FALSE(protobuf::take_varint(cut));
  }
  std::string_view eleven = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
                   big = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02";
  CHECK_FALSE(protobuf::take_varint(eleven));
  CHECK_FALSE(protobuf::take_varint(big));
}

TEST_CASE("zig-zag maps small magnitudes to small numbers") {
  CHECK(protobuf::to_zigzag(-1) == 1);
  CHECK(protobuf::to_zigzag(1) == 2);
  for (i64 v : {i64{0}, i64{-1}, INT64_MAX, INT64_MIN}) CHECK(protobuf::from_zigzag(protobuf::to_zigzag(v)) == v);
}

TEST_CASE("fields of all wire types are taken one by one; groups, number 0 and lengths beyond the text are broken") {
  std::string_view text = "\x08\x96\x01\x12\x03\x61\x62\x63\x1d\x01\x00\x00\x00\x21\x02\x00\x00\x00\x00\x00\x00\x00";
  std::string whole{text.data(), 22};
  std::string_view rest = whole;
  CHECK(protobuf::take_field(rest)->value == 150);
  CHECK(protobuf::take_field(rest)->text == "abc");
  CHECK(protobuf::take_field(rest)->value == 1);
  CHECK(protobuf::take_field(rest)->value == 2);
  CHECK(rest.empty());
  for (const std::string& bad : {"\x0b"s, "\x00\x00"s, "\x12\x04\x61"s, "\x08"s, "\x1d\x00"s}) {
    std::string_view b = bad;
    CHECK_FALSE(protobuf::take_field(b));
    CHECK_FALSE(b.empty());
  }
}
