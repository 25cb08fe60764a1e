// SPDX-License-Identifier: MIT
// What producers of almost-JSON write where a value should stand, and what to do about it.
#pragma once
#include <string_view>

namespace echosim::inline v0 {

/// A remedy for a text that begins like `rest` and no JSON value.
[[nodiscard]] inline const char* json_mistake(std::string_view rest) {
  const auto begins = [&](std::string_view w) { return rest.substr(0, w.size()) == w; };
  if (begins("NaN") || begins("nan")) return "JSON has no NaN: write null or a number";
  if (begins("Infinity") || begins("inf")) return "JSON has no Infinity: write null or a number";
  if (begins("True") || begins("False") || begins("None"))
    return "this is Python's spelling: write true, false or null";
  if (begins("'")) return "strings take double quotes";
  if (begins("/") || begins("#")) return "JSON has no comments: remove them";
  if (begins(".") || begins("+")) return "numbers begin with a digit or '-'";
  if (begins("\x1f\x8b")) return "this is gzip: pipe it through zcat";
  if (begins("\xff\xfe") || begins("\xfe\xff")) return "this is UTF-16: convert it to UTF-8";
  return "write an object, array, string, number, true, false or null";
}

}  // namespace echosim::inline v0
