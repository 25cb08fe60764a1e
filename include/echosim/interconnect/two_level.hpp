// SPDX-License-Identifier: MIT
// Scale-up domains on a non-blocking switch, joined by network adapters. A domain is a node of 8 GPUs, or 72 GPUs of
// several trays; all adapters of a domain carry the traffic out of it, shared by the groups that call at the same time.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "../core/concepts.hpp"

namespace echosim::inline v0 {

struct two_level {
  u32 per_domain = 8;       ///< GPUs that one scale-up domain joins
  bandwidth inside{};       ///< out of one GPU into the domain, one direction
  bandwidth uplink{};       ///< out of one domain, all adapters together, one direction
  duration near{}, far{};   ///< latency of a hop inside a domain, and between two
  bool reduces_inside = false;  ///< the domain's switches can add (NVLink SHARP)
  bool reduces_outside = false; ///< the network's switches can add (SHARP)

  [[nodiscard]] constexpr u32 period() const { return per_domain; }

  /// At level 1 the rate is what leaves one domain for one group: the uplink over the groups that share it.
  [[nodiscard]] constexpr levels levels_of(const group& g) const {
    if (!aligned(g)) return counted(g);
    u32 local = 1, beside = 1;
    for (const dim d : g.members) local *= within(d);
    for (const dim d : g.siblings) beside *= within(d);
    return make(size(g), local, size(g) / local, beside);
  }

  /// Whether every domain holds the same number of members and of sibling groups, so that arithmetic suffices.
  [[nodiscard]] constexpr bool aligned(const group& g) const {
    u32 reach = 0;
    for (const std::array<dim, 3>* dims : {&g.members, &g.siblings})
      for (const dim d : *dims) {
        if (d.count == 1) continue;
        if (d.stride >= per_domain) {
          if (d.stride % per_domain != 0) return false;
          continue;
        }
        const u64 span = u64{d.count} * d.stride;
        if (per_domain % d.stride != 0 || (span > per_domain ? span % per_domain != 0 : per_domain % span != 0)) return false;
        reach += (within(d) - 1) * d.stride;
      }
    return (g.base - g.own) % per_domain + reach < per_domain;
  }

  /// By enumeration: the fullest domain decides. Linear in members × siblings.
  [[nodiscard]] constexpr levels counted(const group& g) const {
    const u32 n = size(g), s = count(g.siblings);
    std::vector<u32> at(n);
    for (u32 i = 0; i != n; ++i) at[i] = member(g, i) / per_domain;
    std::sort(at.begin(), at.end());
    std::vector<std::pair<u32, u32>> load;  // (domain, sibling group)
    for (u32 k = 0; k != s; ++k)
      for (u32 i = 0; i != n; ++i) load.emplace_back((member(g, i) - g.own + offset(g.siblings, k)) / per_domain, k);
    std::sort(load.begin(), load.end());
    load.erase(std::unique(load.begin(), load.end()), load.end());
    u32 local = 0, domains = 0, beside = 1;
    for (std::size_t i = 0; i != at.size(); ++domains) {
      std::size_t j = i;
      while (j != at.size() && at[j] == at[i]) ++j;
      const auto groups = std::count_if(load.begin(), load.end(), [&](const auto& l) { return l.first == at[i]; });
      local = std::max(local, static_cast<u32>(j - i));
      beside = std::max(beside, static_cast<u32>(groups));
      i = j;
    }
    return make(n, local, domains, beside);
  }

 private:
  [[nodiscard]] constexpr u32 within(dim d) const { return d.stride >= per_domain ? 1 : std::min(d.count, per_domain / d.stride); }
  [[nodiscard]] constexpr levels make(u32 ranks, u32 local, u32 domains, u32 beside) const {
    levels l;
    l.ranks = ranks;
    l.depth = domains > 1 ? 2 : 1;
    l.at[0] = {local, inside, near, reduces_inside};
    if (domains > 1) l.at[1] = {domains, uplink / beside, far, reduces_outside};
    return l;
  }
};
static_assert(interconnect<two_level> && repeats<two_level>);

}  // namespace echosim::inline v0
