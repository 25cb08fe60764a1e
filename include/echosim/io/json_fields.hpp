// SPDX-License-Identifier: MIT
// Members of a JSON object asked for by name, type and range; the first mistake is kept and everything after it is
// moot.
#pragma once
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "json.hpp"

namespace echosim::inline v0 {

/// Names of one quantity in different producers' files, the preferred one first.
using aliases = std::initializer_list<std::string_view>;

/// `null` counts as absent. Where several aliases are present they must agree.
class json_fields {
 public:
  explicit json_fields(const json& object) : object_{&object} {
    if (object.members() == nullptr)
      fail(object.line, std::string{"found "} + object.kind(), "an object", "give an object of named values");
  }

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] const error& why() const { return why_; }
  [[nodiscard]] const json& object() const { return *object_; }
  void fail(error e) {
    if (!failed_) why_ = std::move(e);
    failed_ = true;
  }

  /// The member, or null where it is absent.
  [[nodiscard]] const json* find(aliases names) {
    const json* found = nullptr;
    std::string_view by;
    for (std::string_view name : names) {
      const json* const here = object_->find(name);
      if (here == nullptr || here->null()) continue;
      if (found != nullptr && !same(*found, *here))
        fail(here->line, "found " + shown(by) + " and " + shown(name) + " with different values", "one value",
             "remove one of them");
      if (found == nullptr) found = here, by = name;
    }
    return found;
  }
  [[nodiscard]] bool has(std::string_view name) { return find({name}) != nullptr; }

  [[nodiscard]] std::optional<i64> maybe_whole(aliases names, i64 least, i64 most) {
    const json* const v = find(names);
    if (v == nullptr) return std::nullopt;
    const std::optional<i64> i = v->integer();
    if (i && *i >= least && *i <= most) return i;
    wrong(names, *v, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return std::nullopt;
  }
  /// A whole number that must be there; `least` after a mistake.
  [[nodiscard]] i64 whole(aliases names, i64 least, i64 most) {
    const std::optional<i64> v = maybe_whole(names, least, most);
    if (!v) missing(names);
    return v.value_or(least);
  }
  [[nodiscard]] std::optional<double> maybe_real(aliases names) {
    const json* const v = find(names);
    if (v == nullptr) return std::nullopt;
    const std::optional<double> d = v->real();
    if (!d) wrong(names, *v, "a number");
    return d;
  }
  [[nodiscard]] double real(aliases names) {
    const std::optional<double> v = maybe_real(names);
    if (!v) missing(names);
    return v.value_or(0);
  }
  [[nodiscard]] std::optional<bool> maybe_flag(aliases names) {
    const json* const v = find(names);
    if (v == nullptr) return std::nullopt;
    const std::optional<bool> b = v->boolean();
    if (!b) wrong(names, *v, "true or false");
    return b;
  }
  [[nodiscard]] bool flag(aliases names, bool otherwise) { return maybe_flag(names).value_or(otherwise); }
  /// A string; empty where it is absent.
  [[nodiscard]] std::string_view maybe_text(aliases names) {
    const json* const v = find(names);
    if (v == nullptr) return {};
    if (v->string() == nullptr) {
      wrong(names, *v, "a string");
      return {};
    }
    return *v->string();
  }
  [[nodiscard]] std::string_view text(aliases names) {
    const std::string_view v = maybe_text(names);
    if (v.empty()) missing(names);
    return v;
  }

  /// What was found under a name is not what it must be.
  void wrong(aliases names, const json& v, const std::string& expected) {
    std::string_view by = *names.begin();
    for (std::string_view n : names)
      if (object_->find(n) == &v) by = n;
    std::string found = v.kind();
    if (v.string() != nullptr) found = shown(*v.string());
    if (v.number() != nullptr) found = "the number " + std::to_string(v.number()->value);
    if (const std::optional<i64> i = v.integer()) found = std::to_string(*i);
    fail(v.line, "found " + shown(by) + " = " + found, expected, "correct it");
  }
  void missing(aliases names) {
    std::string all;
    for (std::string_view n : names) all += (all.empty() ? "" : " or ") + shown(n);
    fail(object_->line, "found no " + all, "it in this object", "add it");
  }

 private:
  void fail(u32 line, const std::string& found, const std::string& expected, const char* remedy) {
    fail({"line " + std::to_string(line) + ": " + found + "; expected " + expected + "; " + remedy});
  }
  static bool same(const json& a, const json& b) {
    if (a.number() != nullptr && b.number() != nullptr) return a.number()->value == b.number()->value;
    if (a.string() != nullptr && b.string() != nullptr) return *a.string() == *b.string();
    return a.boolean() && a.boolean() == b.boolean();
  }

  const json* object_;
  error why_;
  bool failed_ = false;
};

}  // namespace echosim::inline v0
