// SPDX-License-Identifier: MIT
// Time as a whole number of picoseconds: exact, associative, 53 days before it saturates.
#pragma once
#include <compare>

#include "contract.hpp"
#include "ids.hpp"

namespace echosim::inline v0 {

struct duration {
  i64 ps = 0;
  constexpr auto operator<=>(const duration&) const = default;
};

[[nodiscard]] constexpr duration operator+(duration a, duration b) { return {a.ps + b.ps}; }
[[nodiscard]] constexpr duration operator-(duration a, duration b) { return {a.ps - b.ps}; }
[[nodiscard]] constexpr duration operator-(duration a) { return {-a.ps}; }
[[nodiscard]] constexpr duration operator*(i64 n, duration a) { return {n * a.ps}; }
constexpr duration& operator+=(duration& a, duration b) { return a = a + b; }
constexpr duration& operator-=(duration& a, duration b) { return a = a - b; }
[[nodiscard]] constexpr double operator/(duration a, duration b) {
  return static_cast<double>(a.ps) / static_cast<double>(b.ps);
}
[[nodiscard]] constexpr duration max(duration a, duration b) { return a < b ? b : a; }
[[nodiscard]] constexpr duration min(duration a, duration b) { return b < a ? b : a; }

/// The longest representable time, 2^62 ps: what a division by a rate of zero gives.
inline constexpr duration forever{i64{1} << 62};
/// −∞ of the max-plus algebra: `never` plus any sum of durations of a run stays below zero.
inline constexpr duration never{-(i64{1} << 61)};

/// The only conversion from seconds: rounded up to a picosecond, saturating at `forever` (also for NaN).
[[nodiscard]] constexpr duration from_seconds(double seconds) {
  ECHOSIM_EXPECTS(!(seconds < 0), "a duration is not negative; give seconds >= 0");
  const double ps = seconds * 1e12;
  if (!(ps < 4.6e18)) return forever;
  const auto whole = static_cast<i64>(ps);
  return {whole + (static_cast<double>(whole) < ps ? 1 : 0)};
}
[[nodiscard]] constexpr double seconds(duration t) { return static_cast<double>(t.ps) * 1e-12; }

namespace literals {
[[nodiscard]] consteval duration operator""_ps(unsigned long long n) { return {static_cast<i64>(n)}; }
[[nodiscard]] consteval duration operator""_ns(unsigned long long n) { return {static_cast<i64>(n) * 1'000}; }
[[nodiscard]] consteval duration operator""_us(unsigned long long n) { return {static_cast<i64>(n) * 1'000'000}; }
[[nodiscard]] consteval duration operator""_us(long double n) { return from_seconds(static_cast<double>(n) * 1e-6); }
[[nodiscard]] consteval duration operator""_ms(unsigned long long n) { return {static_cast<i64>(n) * 1'000'000'000}; }
}  // namespace literals

}  // namespace echosim::inline v0
