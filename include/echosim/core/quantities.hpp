// SPDX-License-Identifier: MIT
// Amounts and rates as distinct classes with only the operators that mean something. GB is 10^9 bytes, GiB is 2^30.
#pragma once
#include <compare>

#include "duration.hpp"

namespace echosim::inline v0 {

/// An amount of data. 64-bit: collectives and models beyond 2^32 bytes are ordinary.
struct bytes {
  i64 count = 0;
  constexpr auto operator<=>(const bytes&) const = default;
};
/// Floating-point operations; a multiply-add counts two.
struct flops {
  double count = 0;
  constexpr auto operator<=>(const flops&) const = default;
};
/// Bytes per second, one direction unless a name says otherwise.
struct bandwidth {
  double per_second = 0;
  constexpr auto operator<=>(const bandwidth&) const = default;
};
/// Floating-point operations per second, dense (no sparsity).
struct flop_rate {
  double per_second = 0;
  constexpr auto operator<=>(const flop_rate&) const = default;
};

[[nodiscard]] constexpr bytes operator+(bytes a, bytes b) { return {a.count + b.count}; }
[[nodiscard]] constexpr bytes operator-(bytes a, bytes b) { return {a.count - b.count}; }
[[nodiscard]] constexpr bytes operator*(i64 n, bytes a) { return {n * a.count}; }
constexpr bytes& operator+=(bytes& a, bytes b) { return a = a + b; }
[[nodiscard]] constexpr flops operator+(flops a, flops b) { return {a.count + b.count}; }
[[nodiscard]] constexpr flops operator*(double n, flops a) { return {n * a.count}; }
constexpr flops& operator+=(flops& a, flops b) { return a = a + b; }
[[nodiscard]] constexpr bandwidth operator*(double n, bandwidth a) { return {n * a.per_second}; }
[[nodiscard]] constexpr bandwidth operator/(bandwidth a, double n) { return {a.per_second / n}; }
[[nodiscard]] constexpr flop_rate operator*(double n, flop_rate a) { return {n * a.per_second}; }

[[nodiscard]] constexpr duration operator/(bytes a, bandwidth b) {
  if (a.count == 0) return {};
  return b.per_second > 0 ? from_seconds(static_cast<double>(a.count) / b.per_second) : forever;
}
[[nodiscard]] constexpr duration operator/(flops a, flop_rate b) {
  if (a.count == 0) return {};
  return b.per_second > 0 ? from_seconds(a.count / b.per_second) : forever;
}

namespace literals {
[[nodiscard]] consteval bytes operator""_B(unsigned long long n) { return {static_cast<i64>(n)}; }
[[nodiscard]] consteval bytes operator""_MiB(unsigned long long n) { return {static_cast<i64>(n) << 20}; }
[[nodiscard]] consteval bytes operator""_GiB(unsigned long long n) { return {static_cast<i64>(n) << 30}; }
[[nodiscard]] consteval bytes operator""_GB(unsigned long long n) { return {static_cast<i64>(n) * 1'000'000'000}; }
[[nodiscard]] consteval bandwidth operator""_GBps(unsigned long long n) { return {static_cast<double>(n) * 1e9}; }
[[nodiscard]] consteval bandwidth operator""_GBps(long double n) { return {static_cast<double>(n) * 1e9}; }
[[nodiscard]] consteval bandwidth operator""_Gbps(unsigned long long n) { return {static_cast<double>(n) * 0.125e9}; }
[[nodiscard]] consteval flop_rate operator""_TFLOPS(unsigned long long n) { return {static_cast<double>(n) * 1e12}; }
[[nodiscard]] consteval flop_rate operator""_TFLOPS(long double n) { return {static_cast<double>(n) * 1e12}; }
}  // namespace literals

}  // namespace echosim::inline v0
