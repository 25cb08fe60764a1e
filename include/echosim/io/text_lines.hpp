// SPDX-License-Identifier: MIT
// Line by line, word by word: for formats that are columns of words.
#pragma once
#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "../core/ids.hpp"
#include "decimal.hpp"

namespace echosim::inline v0 {

/// The lines of a text, without their ends (LF or CRLF), numbered from 1.
class text_lines {
 public:
  explicit text_lines(std::string_view text) : rest_{text} {
    if (rest_.substr(0, 3) == "\xEF\xBB\xBF") rest_.remove_prefix(3);
  }
  /// Moves to the next line; false where there is none.
  bool next() {
    if (over_ || rest_.empty()) return over_ = true, line_ = {}, false;
    const std::size_t end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
    ++number_;
    return true;
  }
  /// Moves to the next line that holds more than blanks.
  bool next_filled() {
    while (next())
      if (line_.find_first_not_of(" \t\r\n") != std::string_view::npos) return true;
    return false;
  }
  [[nodiscard]] std::string_view text() const { return line_; }
  [[nodiscard]] u64 number() const { return number_; }

 private:
  std::string_view rest_, line_;
  u64 number_ = 0;
  bool over_ = false;
};

/// Pieces between blanks and tabs.
[[nodiscard]] inline std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0;;) {
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == std::string_view::npos) return words;
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
}

/// A whole number of 64 bits, also written 1e6 or 8.0.
[[nodiscard]] constexpr std::optional<i64> whole_number(std::string_view text) {
  const std::optional<decimal> d = to_decimal(text);
  return d ? to_integer(*d) : std::nullopt;
}

}  // namespace echosim::inline v0
