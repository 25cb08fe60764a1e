// SPDX-License-Identifier: MIT
// Untrusted text made safe for a message: control bytes and non-ASCII are written as \xNN, long text is cut.
#pragma once
#include <string>
#include <string_view>

#include "../core/ids.hpp"

namespace echosim::inline v0 {

/// `text` between single quotes; at most `limit` bytes of it, then "…" and the length.
[[nodiscard]] inline std::string shown(std::string_view text, std::size_t limit = 60) {
  const char* const hex = "0123456789abcdef";
  std::string out = "'";
  for (char c : text.substr(0, limit)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      out += "\\x";
      out += hex[byte >> 4];
      out += hex[byte & 15];
    }
  }
  out += "'";
  if (text.size() > limit) out += "… (" + std::to_string(text.size()) + " bytes)";
  return out;
}
[[nodiscard]] inline std::string shown(char c) { return shown(std::string_view{&c, 1}); }

/// Where a byte stands in a text. Lines and columns count from 1, columns in bytes, `byte` from 0.
struct place {
  u64 line = 1, column = 1, byte = 0;
};
[[nodiscard]] inline std::string shown(place p) {
  return "line " + std::to_string(p.line) + ", column " + std::to_string(p.column) + " (byte " +
         std::to_string(p.byte) + ")";
}

}  // namespace echosim::inline v0
