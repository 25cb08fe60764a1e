// SPDX-License-Identifier: MIT
// JSON text, value by value, appended to a string: the same values give the same bytes on every compiler.
#pragma once
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

#include "../core/contract.hpp"
#include "../core/ids.hpp"
#include "utf8.hpp"

namespace echosim::inline v0 {

/// `text` as a JSON string. Bytes that are no UTF-8 become U+FFFD, so that the output is always valid.
inline void append_json_string(std::string& out, std::string_view text) {
  const char* const hex = "0123456789abcdef";
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::size_t n = utf8_length(text.substr(i, 4));
    if (n == 0) {
      out += "\xEF\xBF\xBD";
    } else if (n > 1) {
      out.append(text, i, n);
    } else if (c == '"' || c == '\\') {
      out += '\\', out += c;
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out += "\\u00";
      out += hex[c >> 4 & 15];
      out += hex[c & 15];
    }
    i += n == 0 ? 1 : n;
  }
  out += '"';
}

template <std::integral I>
void append_json_number(std::string& out, I value) {
  char text[24];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}
/// The shortest text that reads back as the same double.
inline void append_json_number(std::string& out, double value) {
  ECHOSIM_EXPECTS(value - value == 0, "JSON has no NaN nor Infinity; write a string or null instead");
  char text[32];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

/// Places commas, colons and line breaks. `indent` 0 writes one line; otherwise one member a line.
class json_writer {
 public:
  explicit json_writer(std::string& out, unsigned indent = 0) : out_{&out}, indent_{indent} {}

  json_writer& object() { return open('{'); }
  json_writer& array() { return open('['); }
  json_writer& end() {
    ECHOSIM_EXPECTS(!open_.empty() && !named_, "end() closes an object or array; open one, and give every key a value");
    const char bracket = open_.back();
    open_.pop_back();
    if (!first_) line();
    out_->push_back(static_cast<char>(bracket + 2));  // '{' + 2 = '}', '[' + 2 = ']'
    first_ = false;
    return *this;
  }
  json_writer& key(std::string_view name) {
    ECHOSIM_EXPECTS(!open_.empty() && open_.back() == '{' && !named_,
                    "key() names a member of an object; call object() first");
    separate();
    append_json_string(*out_, name);
    out_->append(indent_ == 0 ? ":" : ": ");
    named_ = true;
    return *this;
  }
  template <class T>
  json_writer& value(const T& v) {
    before_value();
    if constexpr (std::is_same_v<T, bool>)
      out_->append(v ? "true" : "false");
    else if constexpr (std::is_integral_v<T>)
      append_json_number(*out_, v);
    else if constexpr (std::is_floating_point_v<T>)
      append_json_number(*out_, static_cast<double>(v));
    else
      append_json_string(*out_, v);
    return *this;
  }
  json_writer& null() {
    before_value();
    out_->append("null");
    return *this;
  }
  template <class T>
  json_writer& member(std::string_view name, const T& v) {
    return key(name).value(v);
  }
  /// Whether everything that was opened is closed.
  [[nodiscard]] bool done() const { return open_.empty() && !named_; }

 private:
  json_writer& open(char bracket) {
    before_value();
    out_->push_back(bracket);
    open_.push_back(bracket);
    first_ = true;
    return *this;
  }
  void before_value() {
    ECHOSIM_EXPECTS(open_.empty() || open_.back() == '[' || named_,
                    "a member of an object has a name; call key() first");
    if (!named_ && !open_.empty()) separate();
    named_ = false;
  }
  void separate() {
    if (!first_) out_->push_back(',');
    line();
    first_ = false;
  }
  void line() {
    if (indent_ == 0) return;
    out_->push_back('\n');
    out_->append(indent_ * open_.size(), ' ');
  }

  std::string* out_;
  std::string open_;
  unsigned indent_;
  bool first_ = true, named_ = false;
};

}  // namespace echosim::inline v0
