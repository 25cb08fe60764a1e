// SPDX-License-Identifier: MIT
// Sets of half-open intervals of integers: union, length, intersection. Empty intervals belong to no set.
#pragma once
#include <algorithm>
#include <vector>

#include "../core/ids.hpp"

namespace echosim::inline v0 {

struct interval {
  i64 start = 0, end = 0;
  constexpr bool operator==(const interval&) const = default;
};

/// The union as disjoint intervals in order; touching ones are one.
[[nodiscard]] inline std::vector<interval> united(std::vector<interval> all) {
  std::sort(all.begin(), all.end(), [](interval a, interval b) { return a.start < b.start; });
  std::size_t n = 0;
  for (const interval i : all) {
    if (i.end <= i.start) continue;
    if (n != 0 && i.start <= all[n - 1].end)
      all[n - 1].end = std::max(all[n - 1].end, i.end);
    else
      all[n++] = i;
  }
  all.resize(n);
  return all;
}

/// Total length of disjoint intervals.
[[nodiscard]] inline i64 length(const std::vector<interval>& disjoint) {
  i64 sum = 0;
  for (const interval i : disjoint) sum += i.end - i.start;
  return sum;
}

/// Length of what two unions share.
[[nodiscard]] inline i64 shared_length(const std::vector<interval>& a, const std::vector<interval>& b) {
  i64 sum = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const i64 from = std::max(a[i].start, b[j].start), to = std::min(a[i].end, b[j].end);
    if (to > from) sum += to - from;
    ++(a[i].end < b[j].end ? i : j);
  }
  return sum;
}

}  // namespace echosim::inline v0
