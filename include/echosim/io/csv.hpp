// SPDX-License-Identifier: MIT
// RFC 4180: rows of fields, quotes with doubled quotes inside, line breaks inside quotes, LF or CRLF; a byte order mark
// is skipped. Columns are found by the name that the header gives them.
#pragma once
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "decimal.hpp"
#include "shown.hpp"

namespace echosim::inline v0 {

struct csv_row {
  std::vector<std::string> fields;
  u64 line = 0;  ///< where the row begins
};

struct csv_style {
  char separator = ',';
  char comment = '\0';    ///< lines that begin with it are passed over; '\0': there are none
  u64 skipped_lines = 0;  ///< lines before the header that belong to no table
};

/// A table whose every row has as many fields as its header.
class csv {
 public:
  std::vector<std::string> header;
  std::vector<csv_row> rows;

  /// Index of the column called `name`, the first where it occurs twice; null where there is none.
  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const {
    for (std::size_t i = 0; i < header.size(); ++i)
      if (header[i] == name) return i;
    return std::nullopt;
  }
  /// The same, with an error that lists the columns there are.
  [[nodiscard]] result<std::size_t> required(std::string_view name) const {
    if (const auto at = column(name)) return *at;
    std::string have;
    for (const std::string& h : header) have += (have.empty() ? "" : ", ") + shown(h, 40);
    return error{"the header has no column " + shown(name) + " among " + have +
                 "; that column is required; add it or give another file"};
  }

  [[nodiscard]] const std::string& text(std::size_t row, std::size_t col) const { return rows[row].fields[col]; }
  [[nodiscard]] result<i64> integer(std::size_t row, std::size_t col) const {
    const std::optional<decimal> d = to_decimal(trimmed(text(row, col)));
    const std::optional<i64> v = d ? to_integer(*d) : std::nullopt;
    if (!v) return wrong(row, col, "a whole number of 64 bits");
    return *v;
  }
  [[nodiscard]] result<double> real(std::size_t row, std::size_t col) const {
    const std::string_view t = trimmed(text(row, col));
    double v = 0;
    const auto [end, code] = std::from_chars(t.data(), t.data() + t.size(), v);
    if (code != std::errc{} || end != t.data() + t.size() || !(v - v == 0)) return wrong(row, col, "a finite number");
    return v;
  }
  /// The field without blanks around it; null where it is empty or one of the spellings of "nothing".
  [[nodiscard]] std::optional<std::string_view> given(std::size_t row, std::size_t col) const {
    const std::string_view t = trimmed(text(row, col));
    if (t.empty() || t == "None" || t == "N/A" || t == "nan" || t == "null") return std::nullopt;
    return t;
  }
  [[nodiscard]] error wrong(std::size_t row, std::size_t col, const char* expected) const {
    return {"line " + std::to_string(rows[row].line) + ", column " + shown(header[col], 40) + ": found " +
            shown(text(row, col)) + "; expected " + expected + "; correct the field"};
  }

  [[nodiscard]] static std::string_view trimmed(std::string_view t) {
    while (!t.empty() && (t.front() == ' ' || t.front() == '\t')) t.remove_prefix(1);
    while (!t.empty() && (t.back() == ' ' || t.back() == '\t')) t.remove_suffix(1);
    return t;
  }
};

namespace detail {

/// One pass over the text, a field at a time.
struct csv_cursor {
  std::string_view text;
  csv_style style;
  std::size_t at = 0;
  u64 line = 1;
  error why;

  [[nodiscard]] bool over() const { return at >= text.size(); }
  void skip_line() {
    const std::size_t end = text.find('\n', at);
    at = end == std::string_view::npos ? text.size() : end + 1;
    ++line;
  }
  bool quoted(std::string& field) {
    const u64 opened = line;
    ++at;
    for (; at < text.size(); ++at) {
      const char c = text[at];
      if (c != '"') {
        line += c == '\n' ? 1 : 0;
        field += c;
      } else if (at + 1 < text.size() && text[at + 1] == '"') {
        field += c, ++at;
      } else {
        ++at;
        const bool ends = over() || text[at] == style.separator || text[at] == '\n' || text[at] == '\r';
        if (!ends)
          why = {"line " + std::to_string(line) + ": found " + shown(text[at]) + " after a closing quote; expected " +
                 shown(style.separator) + " or the end of the line; double the quotes inside a quoted field"};
        return ends;
      }
    }
    why = {"line " + std::to_string(opened) +
           ": found the end of the text; expected the quote that closes a field; complete the file"};
    return false;
  }
  /// One row; its fields replace those of `row`.
  bool row(csv_row& row) {
    row.fields.clear();
    row.line = line;
    for (;;) {
      std::string field;
      if (!over() && text[at] == '"') {
        if (!quoted(field)) return false;
      } else {
        const std::size_t from = at;
        while (!over() && text[at] != style.separator && text[at] != '\n' && text[at] != '"') ++at;
        if (!over() && text[at] == '"') {
          why = {"line " + std::to_string(line) +
                 ": found a quote inside a bare field; expected a quoted field; put quotes around all of it and double "
                 "those inside"};
          return false;
        }
        field = text.substr(from, at - from);
        if ((over() || text[at] == '\n') && !field.empty() && field.back() == '\r') field.pop_back();
      }
      row.fields.push_back(std::move(field));
      if (over()) return true;
      if (text[at] == '\r') ++at;
      if (over()) return true;
      const char c = text[at];
      if (c != '\n' && c != style.separator) {
        why = {"line " + std::to_string(line) + ": found " + shown(c) +
               " after a carriage return; expected a line feed; convert the line ends"};
        return false;
      }
      ++at;
      if (c == '\n') return ++line, true;
    }
  }
  /// Passes over blank and comment lines.
  void skip_gaps() {
    while (!over()) {
      const std::size_t end = text.find_first_not_of(" \t\r", at);
      const bool blank = end == std::string_view::npos || text[end] == '\n';
      if (!blank && (style.comment == '\0' || text[end] != style.comment)) return;
      skip_line();
    }
  }
};

}  // namespace detail

/// Reads a table. Blank lines are passed over; a row shorter or longer than the header is an error.
[[nodiscard]] inline result<csv> parse_csv(std::string_view text, csv_style style = {}) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  detail::csv_cursor in{text, style, 0, 1, {}};
  for (u64 i = 0; i < style.skipped_lines; ++i) in.skip_line();
  csv table;
  csv_row row;
  in.skip_gaps();
  if (in.over())
    return error{"line " + std::to_string(in.line) +
                 ": found the end of the text; expected a header of column names; give a table"};
  if (!in.row(row)) return in.why;
  for (std::string& name : row.fields) table.header.emplace_back(csv::trimmed(name));
  for (in.skip_gaps(); !in.over(); in.skip_gaps()) {
    if (!in.row(row)) return in.why;
    if (row.fields.size() != table.header.size())
      return error{"line " + std::to_string(row.line) + ": found " + std::to_string(row.fields.size()) +
                   " fields; expected " + std::to_string(table.header.size()) +
                   " as in the header; complete the row or quote fields that hold " + shown(style.separator)};
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace echosim::inline v0
