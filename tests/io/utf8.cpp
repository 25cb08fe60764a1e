// SPDX-License-Identifier: MIT
#include "echosim/io/utf8.hpp"

#include <string>

#include "catch.hpp"

using namespace echosim;

TEST_CASE("every code point but surrogates is written and measured the same") {
  for (u32 code = 0; code <= 0x10FFFF; code += code < 0x11000 ? 1 : 251) {
    char text[4]{};
    const std::size_t n = put_utf8(text, code);
    REQUIRE(utf8_size(static_cast<unsigned char>(text[0])) == n);
    REQUIRE(utf8_length({text, n}) == (code >= 0xD800 && code < 0xE000 ? 0 : n));
    if (n > 1) REQUIRE(utf8_length({text, n - 1}) == 0);
  }
}

TEST_CASE("overlong forms and what lies above U+10FFFF are no characters") {
  for (const char* t : {"\xC0\xAF", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
                        "\xF5\x80\x80\x80", "\x80", "\xFF"})
    CHECK(utf8_length(t) == 0);
  CHECK(utf8_length("") == 0);
}
