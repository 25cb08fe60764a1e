// SPDX-License-Identifier: MIT
#include "echosim/io/text_lines.hpp"

#include "catch.hpp"

using namespace echosim;

TEST_CASE("lines end in LF, CRLF or the end of the text, and are numbered from 1") {
  text_lines lines{
      "\xEF\xBB\xBF"
      "a\r\n\n \t\r\r\nlast"};
  CHECK(lines.next());
  CHECK(lines.text() == "a");
  CHECK(lines.next_filled());
  CHECK(lines.text() == "last");
  CHECK(lines.number() == 4);
  CHECK_FALSE(lines.next());
  CHECK_FALSE(lines.next());
}

TEST_CASE("words stand between blanks and tabs") {
  CHECK(words_of(" a\tb  c ") == std::vector<std::string_view>{"a", "b", "c"});
  CHECK(words_of(" \t").empty());
}

TEST_CASE("whole numbers may be written with an exponent and never with a fraction") {
  CHECK(whole_number("6236471296") == 6'236'471'296);
  CHECK(whole_number("5e8") == 500'000'000);
  CHECK_FALSE(whole_number("1e-1"));
  CHECK_FALSE(whole_number("0x10"));
  CHECK_FALSE(whole_number(""));
  CHECK_FALSE(whole_number("9223372036854775808"));
}
