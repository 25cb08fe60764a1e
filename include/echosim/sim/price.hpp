// SPDX-License-Identifier: MIT
// Asks each axis once per distinct kernel, group and call. One function per axis, so that a choice made at run time costs
// the sum of the models and not their product. What follows reads tables and no policy.
#pragma once
#include <string>

#include "../core/concepts.hpp"
#include "../core/result.hpp"
#include "workspace.hpp"

namespace echosim::inline v0 {

/// Fills workspace::time and issue for kernels. A kernel with a given duration keeps it.
template <device D>
void price_kernels(const D& d, const program& p, workspace& w) {
  w.time.resize(p.first_block());
  w.issue.resize(p.first_block());
  for (std::size_t i = 0; i != p.kernels.size(); ++i) {
    w.time[i] = p.kernels[i].given < duration{} ? d.time(p.kernels[i]) : p.kernels[i].given;
    w.issue[i] = p.kernels[i].issue;
  }
}

template <interconnect I>
void find_levels(const I& n, const program& p, workspace& w) {
  w.where.resize(p.groups.size());
  if constexpr (has_levels<I>)
    for (std::size_t i = 0; i != p.groups.size(); ++i) w.where[i] = n.levels_of(p.groups[i]);
}

/// After find_levels. Errors: a call of a kind that the collective does not offer.
template <collective C>
result<bool> price_calls(const C& c, const program& p, workspace& w) {
  w.costs.resize(p.calls.size());
  const u32 K = p.first_call();
  for (std::size_t i = 0; i != p.calls.size(); ++i) {
    const call_row& r = p.calls[i];
    if (!c.offers(r.what.kind))
      return error{std::string{"the program calls "} + name(r.what.kind) + "; the collective model does not offer it; combine models, as in fastest<ring, pairwise>"};
    w.costs[i] = c.time(w.where[r.group], r.what);
    w.time[K + i] = w.costs[i].total();
    w.issue[K + i] = r.issue;
  }
  return true;
}

/// After price_kernels and price_calls.
inline void map_blocks(const program& p, workspace& w) {
  w.maps.clear();
  for (const block& b : p.blocks) w.maps.push_back(map_of(p, b, w.time.data(), w.issue.data()));
}

/// Errors: negative times, and durations whose sum could pass 2^61 ps (26 days).
inline result<bool> check_prices(const program& p, const workspace& w) {
  duration most{};
  for (std::size_t i = 0; i != w.time.size(); ++i) {
    if (w.time[i] < duration{} || w.issue[i] < duration{})
      return error{"a model answers a negative time for table entry " + std::to_string(i) + "; times are >= 0; mend the device or collective model"};
    most = max(most, w.time[i] + w.issue[i]);
  }
  for (const block_map& m : w.maps) most = max(most, max(m.device, m.host) + m.issue);
  constexpr double limit = 2.3e18;
  if (static_cast<double>(most.ps) * p.size() < limit) return true;
  double sum = 0;
  for (u32 i = 0; i != p.size(); ++i) {
    const u32 x = p.what[i];
    const bool folded = p.is_block(x);
    const block_map* m = folded ? &w.maps[x - p.first_block()] : nullptr;
    sum += folded ? static_cast<double>(max(m->device, m->host).ps + m->issue.ps) : static_cast<double>(w.time[x].ps) + static_cast<double>(w.issue[x].ps);
  }
  if (sum < limit) return true;
  return error{"the durations of the program sum to " + std::to_string(sum * 1e-12) + " s; a run holds 2.3e6 s; check the rates of device and interconnect for zeros and units"};
}

}  // namespace echosim::inline v0
