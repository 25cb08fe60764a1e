// SPDX-License-Identifier: MIT
// A matrix product as tiles of its result spread over multiprocessors in waves. Assumes that the library picks the tile
// shape and the cut along k that end first; a minimum of monotone costs, so that a larger product is never faster.
#pragma once
#include <array>
#include <cmath>

#include "rates.hpp"

namespace echosim::inline v0 {

/// What one shape of tile costs in one number format, before the size of the product is known.
struct tile_cost {
  i64 m = 0, n = 0;
  double per_k = 0;    ///< s for one step of k
  double once = 0;     ///< s, start and epilogue
  double reduced = 0;  ///< s, the same where k is cut: partial sums are written, read and added
};

struct tile_costs {
  static constexpr std::array<std::array<i64, 2>, 8> shapes{
      {{256, 128}, {128, 256}, {128, 128}, {64, 256}, {128, 64}, {64, 128}, {64, 64}, {64, 32}}};
  std::array<tile_cost, shapes.size()> at{};
  bool computes = false;
};

/// Clock under the power limit over boost clock while a matrix product runs. Dynamic power grows with the cube of the
/// clock (P ∝ f·V², V ∝ f), so f ∝ P^(1/3) from the point on where the limit binds.
[[nodiscard]] inline double power_clock(const gpu& g, const gemm_rates& r) {
  if (r.per_joule <= 0) return 1;
  return std::fmin(1.0, std::cbrt(r.per_joule * g.watts / boost_rate(g, dtype::fp16).per_second));
}

/// A step of k loads m + n operands and multiplies m·n of them; both run side by side and disturb each other: the
/// fourth root of the sum of fourth powers. `clock`: share of the boost clock (power_clock, lower in long runs).
[[nodiscard]] inline tile_costs cost_of_tiles(const gpu& g, const gemm_rates& r, dtype t, double clock) {
  tile_costs all;
  all.computes = computes(g, t);
  if (!all.computes) return all;
  const double element = static_cast<double>(bits(t)) / 8, result = std::fmax(element, 2);
  const double vector = t == dtype::fp32 ? 1 : clock, narrow = bits(t) < 16 ? r.narrow : 1;
  const double rate = std::fmin(peak(g, t).per_second, r.pipe * narrow * vector * boost_rate(g, t).per_second) / g.sms;
  const double path = r.operand_path * g.clock;
  for (std::size_t i = 0; i != all.at.size(); ++i) {
    tile_cost& c = all.at[i];
    c.m = tile_costs::shapes[i][0], c.n = tile_costs::shapes[i][1];
    const double m = static_cast<double>(c.m), n = static_cast<double>(c.n);
    const double products = 2 * m * n / rate, loads = (m + n) * element / path;
    c.per_k = std::sqrt(std::sqrt(products * products * products * products + loads * loads * loads * loads));
    const double start = r.tile_cycles / g.clock, out = r.epilogue * result * m * n / path;
    c.once = start + out, c.reduced = start + 3 * out;
  }
  return all;
}

/// Seconds of C[m×n] = A[m×k]·B[k×n], `batch` times. Waves w = tiles / multiprocessors count as w + quantisation·(⌈w⌉ −
/// w), at least 1. k is taken in steps of 64, and cut into up to 16 parts where the tiles alone do not fill the device;
/// partial sums are fp32 and stay in the L2 cache, taken as 2.5 times as fast as memory. Memory and tiles run side by
/// side.
[[nodiscard]] inline double seconds_of_gemm(const gpu& g, const gemm_rates& r, const tile_costs& costs,
                                            const kernel& k) {
  constexpr std::array<i64, 7> cuts{1, 2, 3, 4, 6, 8, 16};
  std::array<double, cuts.size()> depth{};
  for (std::size_t i = 0; i != cuts.size(); ++i)
    depth[i] = static_cast<double>(((k.k + 63) / 64 + cuts[i] - 1) / cuts[i] * 64);
  const double traffic = g.hbm.per_second * r.traffic, memory = static_cast<double>(k.moved.count) / traffic;
  const double sums =
      8 * static_cast<double>(k.m) * static_cast<double>(k.n) * static_cast<double>(k.batch) / (2.5 * traffic);
  const double sms = g.sms;
  double best = HUGE_VAL;
  for (const tile_cost& c : costs.at) {
    const i64 tiles = ((k.m + c.m - 1) / c.m) * ((k.n + c.n - 1) / c.n) * k.batch;
    for (std::size_t i = 0; i != cuts.size(); ++i) {
      const bool cut = i > 0;
      if (cut && tiles > static_cast<i64>(g.sms)) break;
      const double waves = static_cast<double>(tiles * cuts[i]) / sms;
      const double started = static_cast<double>(static_cast<i64>(waves));
      const double whole = started < waves ? started + 1 : started;
      const double filled = waves + r.quantisation * (whole - waves), counted = filled > 1 ? filled : 1;
      const double work = counted * (depth[i] * c.per_k + (cut ? c.reduced : c.once));
      const double passes = cut ? memory + static_cast<double>(cuts[i]) * sums : memory, split = cut ? r.split : 0;
      if ((work > passes ? work : passes) + split >= best) continue;
      const double w = work * work, b = passes * passes, both = std::sqrt(std::sqrt(w * w + b * b)) + split;
      if (both < best) best = both;
    }
  }
  return best + r.launch;
}

}  // namespace echosim::inline v0
