// SPDX-License-Identifier: MIT
// The part of XML 1.0 that topology files use: elements, attributes, comments, declarations, the five entities and
// character references. No document types: nothing is ever expanded or fetched.
#pragma once
#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "shown.hpp"

namespace echosim::inline v0 {

struct xml_element {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<xml_element> children;
  u64 line = 0;

  /// The value of an attribute; null where it is absent. Empty is present.
  [[nodiscard]] const std::string* find(std::string_view attribute) const {
    for (const auto& [key, value] : attributes)
      if (key == attribute) return &value;
    return nullptr;
  }
};

namespace detail {

class xml_reader {
 public:
  explicit xml_reader(std::string_view text) : text_{text} {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") text_.remove_prefix(3);
  }

  result<xml_element> read() {
    std::vector<xml_element> open;
    for (;;) {
      if (!skip_text(!open.empty())) return why_;
      if (over())
        return failed(open.empty() ? "the end of the text" : "the end of the text inside <" + open.back().name + ">",
                      open.empty() ? "an element" : "its end tag", "complete the file");
      xml_element done;
      if (at("</")) {
        at_ += 2;
        const std::string name = take_name();
        skip_space();
        if (open.empty() || name != open.back().name || !take(">"))
          return failed("the end tag of " + shown(name), open.empty() ? "an element" : "</" + open.back().name + ">",
                        "close what is open, innermost first");
        done = std::move(open.back());
        open.pop_back();
      } else {
        if (!start_tag(done)) return why_;
        if (!take("/>")) {
          if (!take(">")) return failed(here(), "'>' or '/>'", "close the tag");
          if (open.size() >= 256) return failed("more than 256 levels", "fewer", "give a flatter file");
          open.push_back(std::move(done));
          continue;
        }
      }
      if (open.empty()) {
        if (!skip_text(false)) return why_;
        if (!over()) return failed(here(), "the end of the text after the root element", "give one root element");
        return done;
      }
      open.back().children.push_back(std::move(done));
    }
  }

 private:
  [[nodiscard]] bool over() const { return at_ >= text_.size(); }
  [[nodiscard]] bool at(std::string_view s) const { return text_.substr(at_, s.size()) == s; }
  bool take(std::string_view s) {
    if (!at(s)) return false;
    at_ += s.size();
    return true;
  }
  [[nodiscard]] std::string here() const { return over() ? "the end of the text" : shown(text_[at_]); }
  error failed(const std::string& found, const std::string& expected, const char* remedy) {
    return why_ = {"line " + std::to_string(line_at(at_)) + " (byte " + std::to_string(at_) + "): found " + found +
                   "; expected " + expected + "; " + remedy};
  }
  u64 line_at(std::size_t byte) {
    for (; counted_ < byte && counted_ < text_.size(); ++counted_) line_ += text_[counted_] == '\n' ? 1 : 0;
    return line_;
  }
  static bool space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  void skip_space() {
    while (!over() && space(text_[at_])) ++at_;
  }
  /// Blanks, comments, declarations; inside an element also text, which no topology file gives a meaning.
  bool skip_text(bool inside) {
    for (;;) {
      skip_space();
      const std::string_view opened = at("<!--") ? "-->" : at("<?") ? "?>" : "";
      if (!opened.empty()) {
        const std::size_t end = text_.find(opened, at_ + 2 + (opened == "-->" ? 2 : 0));
        if (end == std::string_view::npos)
          return (void)failed("a comment or declaration without end", std::string{opened}, "complete the file"), false;
        at_ = end + opened.size();
      } else if (at("<!")) {
        return (void)failed("a document type or CDATA section", "elements and comments", "remove it"), false;
      } else if (over() || text_[at_] == '<') {
        return true;
      } else if (inside) {
        at_ = std::min(text_.find('<', at_), text_.size());
      } else {
        return (void)failed(here(), "'<'", "give an XML file"), false;
      }
    }
  }
  std::string take_name() {
    const std::size_t from = at_;
    const auto part = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
             c == '.' || c == ':';
    };
    while (!over() && part(text_[at_])) ++at_;
    return std::string{text_.substr(from, at_ - from)};
  }
  bool start_tag(xml_element& e) {
    e.line = line_at(at_);
    ++at_;
    e.name = take_name();
    if (e.name.empty()) return (void)failed(here(), "the name of an element", "correct the tag"), false;
    for (;;) {
      const std::size_t before = at_;
      skip_space();
      if (over() || at(">") || at("/>")) return true;
      if (at_ == before) return (void)failed(here(), "a blank, '>' or '/>'", "separate the attributes"), false;
      std::string key = take_name();
      skip_space();
      if (key.empty() || !take("=")) return (void)failed(here(), "name=\"value\"", "correct the attribute"), false;
      skip_space();
      std::string value;
      if (!quoted(value)) return false;
      if (e.find(key) != nullptr)
        return (void)failed("the attribute " + shown(key) + " twice", "distinct names", "remove one"), false;
      e.attributes.emplace_back(std::move(key), std::move(value));
    }
  }
  bool quoted(std::string& value) {
    if (!at("\"") && !at("'")) return (void)failed(here(), "a quoted value", "put quotes around the value"), false;
    const char quote = text_[at_++];
    for (; !over() && text_[at_] != quote; ++at_) {
      if (text_[at_] == '<') return (void)failed(here(), "a closing quote", "close the value, or write &lt;"), false;
      if (text_[at_] != '&') {
        value += text_[at_];
      } else if (!entity(value)) {
        return false;
      }
    }
    if (over()) return (void)failed(here(), "a closing quote", "complete the file"), false;
    ++at_;
    return true;
  }
  bool entity(std::string& value) {
    const std::size_t end = text_.find(';', at_);
    const std::string_view name = text_.substr(at_ + 1, std::min(end, text_.size()) - at_ - 1);
    const std::pair<std::string_view, char> known[] = {
        {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
    for (const auto& [entity_name, c] : known)
      if (end != std::string_view::npos && name == entity_name) return value += c, at_ = end, true;
    unsigned code = 0;
    if (name.size() > 1 && name.size() < 9 && name[0] == '#' && end != std::string_view::npos) {
      const bool hex = name[1] == 'x';
      const char* const from = name.data() + (hex ? 2 : 1);
      const auto [stop, ec] = std::from_chars(from, name.data() + name.size(), code, hex ? 16 : 10);
      if (ec == std::errc{} && stop == name.data() + name.size() && code > 0 && code < 128)
        return value += static_cast<char>(code), at_ = end, true;
    }
    return (void)failed("an unknown entity", "&lt; &gt; &amp; &quot; &apos; or an ASCII character reference",
                        "write the character"),
           false;
  }

  std::string_view text_;
  std::size_t at_ = 0, counted_ = 0;
  u64 line_ = 1;
  error why_;
};

}  // namespace detail

/// Reads a document of one root element, nested at most 256 deep.
[[nodiscard]] inline result<xml_element> parse_xml(std::string_view text) { return detail::xml_reader{text}.read(); }

}  // namespace echosim::inline v0
