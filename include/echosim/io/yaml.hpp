// SPDX-License-Identifier: MIT
// The part of YAML 1.2 that training and network configurations use, into the same tree as JSON: mappings and lists by
// indentation or in brackets, plain and quoted scalars, comments. Trailing commas in brackets are allowed (gpt-neox).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "json.hpp"
#include "shown.hpp"

namespace echosim::inline v0 {

namespace detail {

class yaml_reader {
 public:
  explicit yaml_reader(std::string_view text) : text_{text} {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") text_.remove_prefix(3);
  }

  result<json> read() {
    skip_gaps();
    if (starts_marker("---")) at_ += 3, skip_gaps();
    if (over()) return json{};
    json root;
    if (!block(root, column(), 0)) return why_;
    skip_gaps();
    if (starts_marker("---")) return failed("a second document", "one document a file", "split the file");
    if (!over()) return failed(here(), "the end of the document", "correct the indentation");
    return root;
  }

 private:
  static constexpr unsigned limit_ = 100;

  [[nodiscard]] bool over() const { return at_ >= text_.size(); }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] std::string here() const { return over() ? "the end of the text" : shown(text_[at_]); }
  [[nodiscard]] bool starts_marker(std::string_view m) const {
    return text_.substr(at_, 3) == m && column() == 0 &&
           (at_ + 3 >= text_.size() || text_[at_ + 3] == '\n' || text_[at_ + 3] == ' ' || text_[at_ + 3] == '\r');
  }
  /// Blanks before the current byte on its line.
  [[nodiscard]] std::size_t column() const {
    const std::size_t start = at_ == 0 ? std::string_view::npos : text_.rfind('\n', at_ - 1);
    return at_ - (start == std::string_view::npos ? 0 : start + 1);
  }
  [[nodiscard]] u32 line() {
    for (; counted_ < at_ && counted_ < text_.size(); ++counted_) line_ += text_[counted_] == '\n' ? 1 : 0;
    return line_;
  }
  error failed(const std::string& found, const std::string& expected, const char* remedy) {
    if (why_.what.empty())
      why_ = {"line " + std::to_string(line()) + ": found " + found + "; expected " + expected + "; " + remedy};
    return why_;
  }
  bool refuse(const std::string& found, const std::string& expected, const char* remedy) {
    return (void)failed(found, expected, remedy), false;
  }

  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\r') ++at_;
  }
  /// Blanks, line ends and comments.
  void skip_gaps() {
    for (;;) {
      skip_blanks();
      if (peek() == '#' && (at_ == 0 || text_[at_ - 1] == ' ' || text_[at_ - 1] == '\t' || text_[at_ - 1] == '\n' ||
                            text_[at_ - 1] == ',' || text_[at_ - 1] == '[' || text_[at_ - 1] == '{')) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (peek() == '\n' && !over()) {
        ++at_;
      } else {
        return;
      }
    }
  }
  /// Past blanks and a comment to the end of the line; false where something else stands there.
  bool end_line() {
    skip_blanks();
    if (peek() == '#' && at_ != 0 && (text_[at_ - 1] == ' ' || text_[at_ - 1] == '\t'))
      at_ = std::min(text_.find('\n', at_), text_.size());
    return over() || peek() == '\n';
  }

  bool block(json& out, std::size_t indent, unsigned depth) {
    if (depth > limit_) return refuse("more than 100 levels", "fewer", "give a flatter file");
    out.line = line();
    if (peek() == '-' && (peek(1) == ' ' || peek(1) == '\n' || peek(1) == '\r' || peek(1) == '\0'))
      return list(out, indent, depth);
    if (key_ahead()) return mapping(out, indent, depth);
    if (!value(out, depth, false)) return false;
    return end_line() || refuse(here(), "the end of the line", "quote the value");
  }

  bool list(json& out, std::size_t indent, unsigned depth) {
    json::array items;
    while (!over() && column() == indent && peek() == '-' &&
           (peek(1) == ' ' || peek(1) == '\n' || peek(1) == '\r' || peek(1) == '\0')) {
      ++at_;
      items.emplace_back();
      const u32 from = line();
      skip_gaps();
      const bool same_line = line() == from;
      if (!over() && (same_line || column() > indent) && !block(items.back(), column(), depth + 1)) return false;
      skip_gaps();
      if (!over() && column() > indent)
        return refuse(here(), "an item at column " + std::to_string(indent + 1), "correct the indentation");
    }
    const u32 at = out.line;
    out = json{std::move(items)};
    out.line = at;
    return true;
  }

  bool mapping(json& out, std::size_t indent, unsigned depth) {
    json::object members;
    while (!over() && column() == indent && !starts_marker("---")) {
      if (peek() == '-' && peek(1) == ' ') break;
      if (!key_ahead()) return refuse(here(), "name: value", "correct the line");
      json::member m;
      if (!key(m.name)) return false;
      skip_blanks();
      ++at_;  // ':'
      const u32 from = line();
      m.value.line = from;
      skip_gaps();
      if (!over() && line() == from) {
        if (!value(m.value, depth, false)) return false;
        if (!end_line()) return refuse(here(), "the end of the line", "quote the value");
        skip_gaps();
      } else if (!over() && (column() > indent || (column() == indent && peek() == '-' && peek(1) == ' '))) {
        if (!block(m.value, column(), depth + 1)) return false;
        skip_gaps();
      }
      if (!over() && column() > indent)
        return refuse(here(), "a name at column " + std::to_string(indent + 1), "correct the indentation");
      members.push_back(std::move(m));
    }
    return close(out, std::move(members));
  }
  bool close(json& out, json::object members) {
    if (const std::string* twice = repeated_name(members))
      return refuse("the name " + shown(*twice) + " twice in one mapping", "distinct names", "remove one of them");
    const u32 at = out.line;
    out = json{std::move(members)};
    out.line = at;
    return true;
  }

  /// Whether a name and a colon stand here, before the end of the line.
  [[nodiscard]] bool key_ahead() const {
    if (peek() == '"' || peek() == '\'') {
      const std::size_t end = text_.find(peek(), at_ + 1);
      if (end == std::string_view::npos) return false;
      const std::size_t colon = text_.find_first_not_of(" \t", end + 1);
      return colon != std::string_view::npos && text_[colon] == ':';
    }
    if (peek() == '{' || peek() == '[') return false;
    for (std::size_t i = at_; i < text_.size() && text_[i] != '\n'; ++i) {
      if (text_[i] == '#' && i > at_ && text_[i - 1] == ' ') return false;
      if (text_[i] == ':' && (i + 1 >= text_.size() || text_[i + 1] == ' ' || text_[i + 1] == '\n' ||
                              text_[i + 1] == '\r' || text_[i + 1] == '\t'))
        return true;
    }
    return false;
  }
  bool key(std::string& name) {
    if (peek() == '"' || peek() == '\'') return quoted(name);
    const std::size_t from = at_;
    while (!over() && peek() != '\n' &&
           !(peek() == ':' &&
             (peek(1) == ' ' || peek(1) == '\n' || peek(1) == '\r' || peek(1) == '\t' || peek(1) == '\0')))
      ++at_;
    std::size_t end = at_;
    while (end > from && text_[end - 1] == ' ') --end;
    name = text_.substr(from, end - from);
    return name.empty() ? refuse("an empty name", "name: value", "correct the line") : true;
  }

  bool value(json& out, unsigned depth, bool in_brackets) {
    if (depth > limit_) return refuse("more than 100 levels", "fewer", "give a flatter file");
    const u32 at = line();
    const char c = peek();
    if (c == '{') return braces(out, depth);
    if (c == '[') return brackets(out, depth);
    if (c == '&' || c == '*' || c == '!' || c == '|' || c == '>' || c == '%' || c == '@' || c == '`')
      return refuse(shown(c) + " before a value", "a plain or quoted value: anchors, tags and block texts are not read",
                    "write the value out");
    std::string text;
    if (c == '"' || c == '\'') {
      if (!quoted(text)) return false;
      out = json{std::move(text)};
    } else {
      out = plain(in_brackets);
    }
    out.line = at;
    return true;
  }

  bool quoted(std::string& text) {
    const char quote = peek();
    for (++at_; !over(); ++at_) {
      const char c = peek();
      if (c == '\n') return refuse("a line end inside quotes", "the closing quote", "close the quotes");
      if (c == quote) {
        if (quote == '\'' && peek(1) == '\'') {
          text += c, ++at_;
          continue;
        }
        return ++at_, true;
      }
      if (c == '\\' && quote == '"') {
        ++at_;
        const char e = peek();
        if (e != 'n' && e != 't' && e != '"' && e != '\\' && e != '/')
          return refuse("the escape " + shown(e), "\\n, \\t, \\\" or \\\\", "write the character");
        text += e == 'n' ? '\n' : e == 't' ? '\t' : e;
        continue;
      }
      text += c;
    }
    return refuse("the end of the text inside quotes", "the closing quote", "complete the file");
  }

  /// A scalar without quotes: null, a boolean, a number, or text. ${…} is text that keeps its commas and braces.
  json plain(bool in_brackets) {
    const std::size_t from = at_;
    unsigned open = 0;
    for (; !over() && peek() != '\n'; ++at_) {
      const char c = peek();
      if (c == '#' && at_ > from && (text_[at_ - 1] == ' ' || text_[at_ - 1] == '\t')) break;
      if (c == '$' && peek(1) == '{') ++open;
      if (open != 0 && c == '}') {
        --open;
        continue;
      }
      if (in_brackets && open == 0 && (c == ',' || c == ']' || c == '}' || (c == ':' && peek(1) == ' '))) break;
    }
    std::string_view t = text_.substr(from, at_ - from);
    while (!t.empty() && (t.back() == ' ' || t.back() == '\t' || t.back() == '\r')) t.remove_suffix(1);
    if (t.empty() || t == "null" || t == "~" || t == "Null" || t == "NULL" || t == "None") return json{};
    if (t == "true" || t == "True" || t == "TRUE") return json{true};
    if (t == "false" || t == "False" || t == "FALSE") return json{false};
    const bool number_like = (t[0] >= '0' && t[0] <= '9') || t[0] == '-' || t[0] == '+' || t[0] == '.';
    const std::string_view unsigned_text = t[0] == '+' ? t.substr(1) : t;
    if (number_like)
      if (const auto n = to_json_number(unsigned_text); n && !unsigned_text.empty() && unsigned_text[0] != '+')
        return json{*n};
    return json{std::string{t}};
  }

  bool brackets(json& out, unsigned depth) {
    json::array items;
    ++at_;
    for (skip_gaps(); peek() != ']' || over(); skip_gaps()) {
      if (over()) return refuse("the end of the text", "']'", "complete the file");
      items.emplace_back();
      if (!value(items.back(), depth + 1, true)) return false;
      skip_gaps();
      if (peek() == ',' && !over()) {
        ++at_;
      } else if (peek() != ']') {
        return refuse(here(), "',' or ']'", "separate the items");
      }
    }
    ++at_;
    const u32 at = out.line;
    out = json{std::move(items)};
    out.line = at == 0 ? line() : at;
    return true;
  }
  bool braces(json& out, unsigned depth) {
    json::object members;
    ++at_;
    for (skip_gaps(); peek() != '}' || over(); skip_gaps()) {
      if (over()) return refuse("the end of the text", "'}'", "complete the file");
      json::member m;
      if (peek() == '"' || peek() == '\'') {
        if (!quoted(m.name)) return false;
      } else {
        const std::size_t from = at_;
        while (!over() && peek() != ':' && peek() != '\n' && peek() != ',' && peek() != '}') ++at_;
        m.name = text_.substr(from, at_ - from);
        while (!m.name.empty() && m.name.back() == ' ') m.name.pop_back();
      }
      skip_gaps();
      if (peek() != ':' || m.name.empty()) return refuse(here(), "name: value", "correct the mapping");
      ++at_;
      m.value.line = line();
      skip_gaps();
      if (peek() != ',' && peek() != '}' && !value(m.value, depth + 1, true)) return false;
      members.push_back(std::move(m));
      skip_gaps();
      if (peek() == ',' && !over()) {
        ++at_;
      } else if (peek() != '}') {
        return refuse(here(), "',' or '}'", "separate the members");
      }
    }
    ++at_;
    if (out.line == 0) out.line = line();
    return close(out, std::move(members));
  }

  std::string_view text_;
  std::size_t at_ = 0, counted_ = 0;
  u32 line_ = 1;
  error why_;
};

}  // namespace detail

/// Reads one document. An empty one is null. Refused by name: anchors, tags, block texts, several documents, names
/// given twice. `None` counts as null, as in files that Python programs write.
[[nodiscard]] inline result<json> parse_yaml(std::string_view text) { return detail::yaml_reader{text}.read(); }

}  // namespace echosim::inline v0
