// SPDX-License-Identifier: MIT
// A table for the terminal: columns as wide as their widest cell, numbers to the right, words to the left.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "../core/contract.hpp"

namespace echosim::inline v0 {

/// Width on a terminal of UTF-8 text whose characters all take one cell.
[[nodiscard]] inline std::size_t cells_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

class text_table {
 public:
  /// Column titles; a title that begins with '<' aligns its column to the left, without the '<'.
  explicit text_table(std::vector<std::string> titles) {
    for (std::string& t : titles) {
      left_.push_back(!t.empty() && t.front() == '<');
      if (left_.back()) t.erase(0, 1);
    }
    rows_.push_back(std::move(titles));
  }
  text_table& row(std::vector<std::string> cells) {
    ECHOSIM_EXPECTS(cells.size() == left_.size(), "a row has as many cells as the table has titles");
    rows_.push_back(std::move(cells));
    return *this;
  }
  /// A rule between the rows before and after.
  text_table& rule() {
    rows_.emplace_back();
    return *this;
  }

  /// Two spaces between columns, a rule under the titles, no blanks at line ends.
  [[nodiscard]] std::string text() const {
    std::vector<std::size_t> widths(left_.size());
    for (const auto& r : rows_)
      for (std::size_t c = 0; c < r.size(); ++c) widths[c] = std::max(widths[c], cells_of(r[c]));
    std::string out;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (rows_[r].empty()) {
        append_rule(out, widths);
        continue;
      }
      for (std::size_t c = 0; c < left_.size(); ++c) {
        const std::string& cell = rows_[r][c];
        const std::size_t pad = widths[c] - cells_of(cell);
        if (c != 0) out += "  ";
        if (!left_[c]) out.append(pad, ' ');
        out += cell;
        if (left_[c]) out.append(pad, ' ');
      }
      out.erase(out.find_last_not_of(' ') + 1);
      out += '\n';
      if (r == 0) append_rule(out, widths);
    }
    return out;
  }

 private:
  static void append_rule(std::string& out, const std::vector<std::size_t>& widths) {
    for (std::size_t c = 0; c < widths.size(); ++c) out.append(c == 0 ? widths[c] : widths[c] + 2, '-');
    out += '\n';
  }
  std::vector<std::vector<std::string>> rows_;
  std::vector<bool> left_;
};

}  // namespace echosim::inline v0
