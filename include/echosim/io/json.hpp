// SPDX-License-Identifier: MIT
// A JSON text as a tree. Numbers keep their decimal digits; objects keep the order of their names.
#pragma once
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "decimal.hpp"
#include "json_stream.hpp"

namespace echosim::inline v0 {

/// `value` is the nearest double; integers and decimals are asked of `digits`.
struct json_number {
  double value = 0;
  decimal digits;
};

class json {
 public:
  struct member;
  using array = std::vector<json>;
  using object = std::vector<member>;

  json();
  explicit json(bool v);
  explicit json(json_number v);
  explicit json(std::string v);
  explicit json(array v);
  explicit json(object v);

  [[nodiscard]] bool null() const { return value_.index() == 0; }
  [[nodiscard]] std::optional<bool> boolean() const {
    const bool* b = std::get_if<bool>(&value_);
    return b != nullptr ? std::optional<bool>{*b} : std::nullopt;
  }
  [[nodiscard]] const json_number* number() const { return std::get_if<json_number>(&value_); }
  [[nodiscard]] const std::string* string() const { return std::get_if<std::string>(&value_); }
  [[nodiscard]] const array* items() const { return std::get_if<array>(&value_); }
  [[nodiscard]] const object* members() const { return std::get_if<object>(&value_); }
  [[nodiscard]] array* items() { return std::get_if<array>(&value_); }
  [[nodiscard]] object* members() { return std::get_if<object>(&value_); }

  /// The number where it is a whole one of 64 bits: 8, 8.0 and 8e0, not 8.5, not "8".
  [[nodiscard]] std::optional<i64> integer() const {
    const json_number* n = number();
    return n != nullptr ? to_integer(n->digits) : std::nullopt;
  }
  [[nodiscard]] std::optional<u64> whole() const {
    const json_number* n = number();
    return n != nullptr ? to_unsigned(n->digits) : std::nullopt;
  }
  [[nodiscard]] std::optional<double> real() const {
    const json_number* n = number();
    return n != nullptr ? std::optional<double>{n->value} : std::nullopt;
  }
  /// The member called `name`; null where there is none or this is no object.
  [[nodiscard]] const json* find(std::string_view name) const;

  /// What this is, for messages.
  [[nodiscard]] const char* kind() const {
    const char* const names[] = {"null", "a boolean", "a number", "a string", "an array", "an object"};
    return names[value_.index()];
  }
  u32 line = 0;  ///< where the value begins

 private:
  std::variant<std::monostate, bool, json_number, std::string, array, object> value_;
};

struct json::member {
  std::string name;
  json value;
};

inline json::json() = default;
inline json::json(bool v) : value_{v} {}
inline json::json(json_number v) : value_{v} {}
inline json::json(std::string v) : value_{std::move(v)} {}
inline json::json(array v) : value_{std::move(v)} {}
inline json::json(object v) : value_{std::move(v)} {}
inline const json* json::find(std::string_view name) const {
  if (const object* all = members())
    for (const member& m : *all)
      if (m.name == name) return &m.value;
  return nullptr;
}

namespace detail {

/// A name that occurs twice, or null.
inline const std::string* repeated_name(const json::object& all) {
  if (all.size() < 2) return nullptr;
  std::vector<const std::string*> names;
  names.reserve(all.size());
  for (const json::member& m : all) names.push_back(&m.name);
  std::sort(names.begin(), names.end(), [](const std::string* a, const std::string* b) { return *a < *b; });
  const auto twice = std::adjacent_find(names.begin(), names.end(),
                                        [](const std::string* a, const std::string* b) { return *a == *b; });
  return twice == names.end() ? nullptr : *twice;
}

/// A container that is still open, and the name under which its parent will hold it.
struct open_json {
  json value;
  std::string name;
};

inline std::optional<json_number> to_json_number(std::string_view text) {
  json_number n;
  const std::optional<decimal> d = to_decimal(text);
  if (!d || std::from_chars(text.data(), text.data() + text.size(), n.value).ec != std::errc{}) return std::nullopt;
  n.digits = *d;
  return n;
}

}  // namespace detail

/// Reads one JSON value from a source. Beyond what json_stream refuses: a name given twice in an object (producers
/// disagree on which counts), and numbers outside the range of a double.
template <byte_source Source>
[[nodiscard]] result<json> parse_json(Source source, json_limits limits = {}) {
  json_stream<Source> in{std::move(source), limits};
  std::vector<detail::open_json> open;
  std::string name;
  for (;;) {
    const json_token t = in.next();
    json done;
    switch (t) {
      case json_token::error: return in.why();
      case json_token::key: name = in.text(); continue;
      case json_token::object:
      case json_token::array:
        open.push_back({t == json_token::object ? json{json::object{}} : json{json::array{}}, std::move(name)});
        open.back().value.line = static_cast<u32>(in.at().line);
        name.clear();
        continue;
      case json_token::object_end:
      case json_token::array_end:
        if (const json::object* all = open.back().value.members())
          if (const std::string* twice = detail::repeated_name(*all)) {
            (void)in.fail("found the name " + shown(*twice) +
                          " twice in one object; expected distinct names; remove one of them");
            return in.why();
          }
        done = std::move(open.back().value);
        name = std::move(open.back().name);
        open.pop_back();
        break;
      case json_token::string: done = json{std::string{in.text()}}; break;
      case json_token::number:
        if (const std::optional<json_number> n = detail::to_json_number(in.text())) {
          done = json{*n};
          break;
        }
        (void)in.fail("found the number " + shown(in.text()) +
                      "; expected one within the range of a double (1e±308); correct it");
        return in.why();
      case json_token::yes: done = json{true}; break;
      case json_token::no: done = json{false}; break;
      case json_token::null: break;
      case json_token::end: break;
    }
    if (done.line == 0) done.line = static_cast<u32>(in.at().line);
    if (open.empty()) {
      if (in.next() == json_token::error) return in.why();
      return done;
    }
    json& parent = open.back().value;
    if (json::object* members = parent.members())
      members->push_back({std::move(name), std::move(done)});
    else
      parent.items()->push_back(std::move(done));
    name.clear();
  }
}
[[nodiscard]] inline result<json> parse_json(std::string_view text, json_limits limits = {}) {
  return parse_json(text_source{text}, limits);
}

}  // namespace echosim::inline v0
