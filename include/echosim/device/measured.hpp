// SPDX-License-Identifier: MIT
// A device that was profiled: times of kernels as somebody measured them, interpolated along the number of rows. It
// answers only inside what was measured; elsewhere another device answers, and none is assumed.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "../core/archetypes.hpp"

namespace echosim::inline v0 {

/// Answers `forever`: pricing a program that leaves the domain of a profile then ends in an error, not in a guess.
struct unmeasured {
  [[nodiscard]] constexpr duration time(const kernel&) const { return forever; }
};

struct measurement {
  kernel what{};
  duration took{};
};

/// How a profile knows a kernel.
enum class known : u8 { measured, interpolated, outside };

/// Kernels alike in all but `m` (in attention of a whole sequence: m = n) form a series. Between two neighbours of a
/// series ln t is linear in ln m; a series ends at its smallest and largest m. Equal kernels count with their mean;
/// where a larger m was measured faster, the larger time of the smaller one stands for both, so that time stays
/// monotone along a series.
template <device Elsewhere = unmeasured>
class measured {
 public:
  explicit measured(const std::vector<measurement>& profile, Elsewhere elsewhere = {}) : elsewhere_{elsewhere} {
    for (const measurement& x : profile) {
      ECHOSIM_EXPECTS(x.took > duration{} && x.what.m > 0,
                      "a measurement has a time and rows above zero; leave out failed ones");
      points_.push_back({key_of(x.what), x.what.m, x.took, 1});
    }
    std::sort(points_.begin(), points_.end(), [](const point& a, const point& b) { return a.at() < b.at(); });
    std::vector<point> merged;
    for (const point& p : points_) {
      if (!merged.empty() && merged.back().at() == p.at())
        merged.back().took += p.took, ++merged.back().count;
      else
        merged.push_back(p);
    }
    for (point& p : merged) p.took = {p.took.ps / p.count};
    for (std::size_t i = 1; i < merged.size(); ++i)
      if (merged[i].series == merged[i - 1].series) merged[i].took = max(merged[i].took, merged[i - 1].took);
    points_ = std::move(merged);
  }

  /// Whether the profile holds the kernel, lies around it, or ends before it.
  [[nodiscard]] known knows(const kernel& k) const {
    const auto [below, above] = around(k);
    return below == nullptr || above == nullptr ? known::outside
           : below == above                     ? known::measured
                                                : known::interpolated;
  }
  [[nodiscard]] duration time(const kernel& k) const {
    const auto [below, above] = around(k);
    if (below == nullptr || above == nullptr) return elsewhere_.time(k);
    if (below == above) return below->took;
    const auto log = [](i64 x) { return std::log(static_cast<double>(x)); };
    const double share = (log(k.m) - log(below->m)) / (log(above->m) - log(below->m));
    const double t = std::exp(log(below->took.ps) + share * (log(above->took.ps) - log(below->took.ps)));
    return min(max({static_cast<i64>(t)}, below->took), above->took);
  }
  [[nodiscard]] bytes memory() const requires has_memory<Elsewhere> { return elsewhere_.memory(); }

 private:
  using series_key = std::array<i64, 10>;
  struct point {
    series_key series{};
    i64 m = 0;
    duration took{};
    i64 count = 0;
    [[nodiscard]] std::pair<series_key, i64> at() const { return {series, m}; }
  };
  [[nodiscard]] static series_key key_of(const kernel& k) {
    const bool square = k.kind == kernel_kind::attention && k.m == k.n;
    return {static_cast<i64>(k.kind),
            static_cast<i64>(k.type),
            static_cast<i64>(k.layout),
            static_cast<i64>(k.backend),
            (k.backward ? 1 : 0) + (k.causal ? 2 : 0),
            square ? 0 : k.n,
            k.k,
            k.batch,
            k.shared,
            k.kind == kernel_kind::gemm ? 0 : bytes_per_row(k)};
  }
  /// Two streaming kernels of one shape differ by the bytes that they move for each element.
  [[nodiscard]] static i64 bytes_per_row(const kernel& k) {
    return k.kind == kernel_kind::attention || k.m == 0 ? 0 : k.moved.count / k.m;
  }

  [[nodiscard]] std::pair<const point*, const point*> around(const kernel& k) const {
    const series_key series = key_of(k);
    const auto above =
        std::lower_bound(points_.begin(), points_.end(), std::pair{series, k.m},
                         [](const point& p, const std::pair<series_key, i64>& at) { return p.at() < at; });
    if (above == points_.end() || above->series != series) return {nullptr, nullptr};
    if (above->m == k.m) return {&*above, &*above};
    if (above == points_.begin() || std::prev(above)->series != series) return {nullptr, nullptr};
    return {&*std::prev(above), &*above};
  }

  std::vector<point> points_;
  [[no_unique_address]] Elsewhere elsewhere_;
};

static_assert(device<unmeasured> && device<measured<>> && !has_memory<measured<>>);

}  // namespace echosim::inline v0
