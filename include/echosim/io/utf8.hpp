// SPDX-License-Identifier: MIT
// UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once
#include <string_view>

#include "../core/ids.hpp"

namespace echosim::inline v0 {

/// Length of the character that begins `text`; 0 where none does, or where it is cut off.
[[nodiscard]] inline std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned a = byte(0), b = byte(1);
  if (a < 0x80) return text.empty() ? 0 : 1;
  if (a < 0xC2 || a > 0xF4 || b >> 6 != 2) return 0;
  if (a < 0xE0) return 2;
  const bool bad =
      (a == 0xE0 && b < 0xA0) || (a == 0xED && b >= 0xA0) || (a == 0xF0 && b < 0x90) || (a == 0xF4 && b >= 0x90);
  if (bad || byte(2) >> 6 != 2) return 0;
  if (a < 0xF0) return 3;
  return byte(3) >> 6 == 2 ? 4 : 0;
}

/// Bytes that a character of first byte `first` has, 0 where none begins so.
[[nodiscard]] constexpr std::size_t utf8_size(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
}

/// Writes a code point of at most U+10FFFF to `out`, which takes up to four bytes; returns how many.
constexpr std::size_t put_utf8(char* out, u32 code) {
  std::size_t n = 0;
  const auto put = [&](u32 b) { out[n++] = static_cast<char>(static_cast<unsigned char>(b)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6), put(0x80 | (code & 63));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
  } else {
    put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 63)), put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
  }
  return n;
}

}  // namespace echosim::inline v0
