// SPDX-License-Identifier: MIT
// Damaged copies of a text, the same on every machine: what a reader must survive.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

struct mutations {
  std::string_view seed;
  std::string_view likely;  ///< bytes that mean something in the format
  std::uint64_t state = 88172645463325252u;

  std::uint64_t draw(std::uint64_t below) {  // Marsaglia 2003, xorshift64
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
  }
  std::string next() {
    std::string text{seed};
    for (std::uint64_t edits = 1 + draw(3); edits != 0 && !text.empty(); --edits) {
      const std::size_t at = draw(text.size());
      switch (draw(5)) {
        case 0: text[at] = static_cast<char>(draw(256)); break;
        case 1: text.erase(at, 1 + draw(5)); break;
        case 2: text.insert(at, 1, likely[draw(likely.size())]); break;
        case 3: text.insert(at, text.substr(draw(text.size()), draw(20))); break;
        default: text.resize(at + 1); break;
      }
    }
    return text;
  }
};
