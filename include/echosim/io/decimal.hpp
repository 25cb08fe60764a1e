// SPDX-License-Identifier: MIT
// A number as its decimal text says it: digits·10^exponent. Microseconds with three decimals become whole nanoseconds
// without passing through a double, whose steps at today's timestamps (1.7e15 µs) are a quarter of a microsecond.
#pragma once
#include <optional>
#include <string_view>

#include "../core/ids.hpp"

namespace echosim::inline v0 {

/// ±digits·10^exponent. `exact` is false where the text has more digits than 64 bits hold; those are cut off.
struct decimal {
  u64 digits = 0;
  i64 exponent = 0;
  bool negative = false;
  bool exact = true;
  constexpr bool operator==(const decimal&) const = default;
};

namespace detail {
inline constexpr i64 exponent_limit = 1'000'000'000;
}

/// Reads sign, digits, one point and exponent. Null where `text` is anything else; leading zeros are allowed here.
[[nodiscard]] constexpr std::optional<decimal> to_decimal(std::string_view text) {
  decimal d;
  std::size_t i = 0;
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) d.negative = text[i++] == '-';
  bool any = false, point = false;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '.') {
      if (point) return std::nullopt;
      point = true;
    } else if (c >= '0' && c <= '9') {
      any = true;
      const auto digit = static_cast<u64>(c - '0');
      if (d.digits > (~u64{0} - digit) / 10) {  // beyond 64 bits: count the place, drop the digit
        d.exact = d.exact && digit == 0;
        if (!point) ++d.exponent;
        continue;
      }
      d.digits = d.digits * 10 + digit;
      if (point) --d.exponent;
    } else {
      break;
    }
  }
  if (!any) return std::nullopt;
  if (i < text.size()) {
    if (text[i] != 'e' && text[i] != 'E') return std::nullopt;
    ++i;
    bool minus = false;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) minus = text[i++] == '-';
    if (i == text.size()) return std::nullopt;
    i64 e = 0;
    for (; i < text.size(); ++i) {
      if (text[i] < '0' || text[i] > '9') return std::nullopt;
      if (e < detail::exponent_limit) e = e * 10 + (text[i] - '0');
    }
    d.exponent += minus ? -e : e;
  }
  return d;
}

/// What is left of a decimal after scaling by a power of ten.
struct scaled {
  i64 value = 0;      ///< nearest integer, halves away from zero
  bool exact = true;  ///< false where a fraction was rounded
};

/// d·10^power as an integer. Null where it does not fit 64 bits.
[[nodiscard]] constexpr std::optional<scaled> scale(decimal d, i64 power) {
  scaled s;
  s.exact = d.exact;
  i64 e = d.exponent + power;
  u64 magnitude = d.digits;
  while (e > 0 && magnitude != 0) {
    if (magnitude > ~u64{0} / 10) return std::nullopt;
    magnitude *= 10;
    --e;
  }
  if (e < 0 && magnitude != 0) {
    u64 rest = 0, unit = 1;  // rest/unit is what the last division cut off; below it only whether anything was
    bool below = false;
    while (e < 0 && (magnitude != 0 || rest != 0)) {
      below = below || rest != 0;
      rest = magnitude % 10;
      unit = 10;
      magnitude /= 10;
      ++e;
    }
    s.exact = s.exact && rest == 0 && !below;
    if (e == 0 && 2 * rest >= unit && unit == 10) ++magnitude;
  }
  if (magnitude > u64{1} << 63 || (magnitude == u64{1} << 63 && !d.negative)) return std::nullopt;
  s.value = d.negative ? static_cast<i64>(0 - magnitude) : static_cast<i64>(magnitude);
  return s;
}

/// The integer that `d` is. Null where it has a fraction or does not fit.
[[nodiscard]] constexpr std::optional<i64> to_integer(decimal d) {
  const std::optional<scaled> s = scale(d, 0);
  return s && s->exact ? std::optional<i64>{s->value} : std::nullopt;
}
/// The same for sizes up to 2^64 − 1.
[[nodiscard]] constexpr std::optional<u64> to_unsigned(decimal d) {
  if (d.negative && d.digits != 0) return std::nullopt;
  if (!d.exact) return std::nullopt;
  u64 magnitude = d.digits;
  i64 e = d.exponent;
  for (; e > 0 && magnitude != 0; --e) {
    if (magnitude > ~u64{0} / 10) return std::nullopt;
    magnitude *= 10;
  }
  for (; e < 0 && magnitude != 0; ++e) {
    if (magnitude % 10 != 0) return std::nullopt;
    magnitude /= 10;
  }
  return magnitude;
}

static_assert(scale(*to_decimal("1682725898237042.123"), 3)->value == 1'682'725'898'237'042'123);
static_assert(!to_integer(*to_decimal("0.5")) && *to_integer(*to_decimal("5e8")) == 500'000'000);

}  // namespace echosim::inline v0
