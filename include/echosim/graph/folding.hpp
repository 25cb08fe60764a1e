// SPDX-License-Identifier: MIT
// Ranks that must behave alike become one: the coarsest partition of the ranks of a plan in which ranks of one class run
// on the same kind of device, see the same levels in every group, and meet the same classes in every group.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include "../core/concepts.hpp"
#include "../plan/ranks.hpp"

namespace echosim::inline v0 {

/// A set of classes that meet in a call, and the group of the rank that stands for them.
struct meeting {
  u32 first = 0, count = 0;  ///< folding::members[first … first + count)
  group who{};
};

/// Rank classes ("nodes" of lowering) by pipeline stage. Unfolded, every rank is its own class.
struct folding {
  std::vector<u32> stage_first;       ///< classes of stage s: [stage_first[s], stage_first[s+1])
  std::vector<u32> replica, shard;    ///< dp and tp index of the representative
  std::vector<u64> weight;            ///< ranks in the class
  std::vector<u32> next, previous;    ///< class at the same dp and tp index one stage on and back, cyclic
  std::vector<u32> tp_of, dp_of;      ///< index into tp and dp of the class
  std::vector<meeting> tp, dp;
  std::vector<u32> tp_stage, dp_stage;  ///< tp meetings of stage s: [tp_stage[s], tp_stage[s+1]); the same for dp
  std::vector<u32> members;
  [[nodiscard]] u32 size() const { return static_cast<u32>(weight.size()); }
};

namespace detail {

/// Builds the quotient from a class number for every rank; equal numbers only within a stage and an equitable partition.
inline folding quotient(const plan& p, const std::vector<u32>& color) {
  folding f;
  const u32 tp = p.tp, dp = p.dp, per = tp * dp;
  std::vector<u32> of(color.size(), invalid);  // class of a color; the first rank met stands for it
  std::vector<u32> node(color.size());
  f.stage_first.push_back(0);
  for (u32 s = 0; s != p.pp; ++s) {
    for (u32 r = s * per; r != (s + 1) * per; ++r) {
      u32& c = of[color[r]];
      if (c == invalid) {
        c = f.size();
        f.weight.push_back(0);
        f.replica.push_back(r % per / tp);
        f.shard.push_back(r % tp);
      }
      ++f.weight[c];
      node[r] = c;
    }
    f.stage_first.push_back(f.size());
  }
  f.next.resize(f.size()), f.previous.resize(f.size());
  f.tp_of.assign(f.size(), invalid), f.dp_of.assign(f.size(), invalid);
  const auto meet = [&](std::vector<meeting>& in, std::vector<u32>& index, u32 c, const group& g) {
    if (index[c] != invalid) return;
    meeting m{static_cast<u32>(f.members.size()), 0, g};
    for (u32 i = 0; i != size(g); ++i) {
      const u32 k = node[member(g, i)];
      if (index[k] == static_cast<u32>(in.size())) continue;  // met here already
      index[k] = static_cast<u32>(in.size());
      f.members.push_back(k);
      ++m.count;
    }
    in.push_back(m);
  };
  for (u32 s = 0; s != p.pp; ++s) {
    f.tp_stage.push_back(static_cast<u32>(f.tp.size()));
    f.dp_stage.push_back(static_cast<u32>(f.dp.size()));
    for (u32 c = f.stage_first[s]; c != f.stage_first[s + 1]; ++c) {
      const u32 at = f.shard[c] + tp * f.replica[c];
      f.next[c] = node[(s + 1) % p.pp * per + at];
      f.previous[c] = node[(s + p.pp - 1) % p.pp * per + at];
      meet(f.tp, f.tp_of, c, tp_group(p, s, f.replica[c]));
      meet(f.dp, f.dp_of, c, dp_group(p, s, f.shard[c]));
    }
  }
  f.tp_stage.push_back(static_cast<u32>(f.tp.size()));
  f.dp_stage.push_back(static_cast<u32>(f.dp.size()));
  return f;
}

/// The quotient when all ranks of a stage are alike.
inline folding by_stage(const plan& p) {
  folding f;
  const u64 each = u64{p.tp} * p.dp;
  for (u32 s = 0; s != p.pp; ++s) {
    f.stage_first.push_back(s), f.tp_stage.push_back(s), f.dp_stage.push_back(s);
    f.replica.push_back(0), f.shard.push_back(0);
    f.weight.push_back(each);
    f.next.push_back((s + 1) % p.pp), f.previous.push_back((s + p.pp - 1) % p.pp);
    f.tp_of.push_back(s), f.dp_of.push_back(s);
    f.tp.push_back({s, 1, tp_group(p, s, 0)}), f.dp.push_back({s, 1, dp_group(p, s, 0)});
    f.members.push_back(s);
  }
  f.stage_first.push_back(p.pp), f.tp_stage.push_back(p.pp), f.dp_stage.push_back(p.pp);
  return f;
}

/// What a rank sees before it looks at its partners: device variant and the levels of its groups.
struct outlook {
  u32 variant = 0;
  levels tp, dp, forward, backward;
  bool operator==(const outlook&) const = default;
};

template <class D, class I>
outlook outlook_of(const plan& p, const D& d, const I& net, u32 s, u32 replica, u32 shard) {
  outlook o;
  if constexpr (varies_by_rank<D>) o.variant = d.variant(rank{shard + p.tp * (replica + p.dp * s)});
  if constexpr (has_levels<I>) {
    if (p.tp > 1) o.tp = net.levels_of(tp_group(p, s, replica));
    if (p.dp > 1) o.dp = net.levels_of(dp_group(p, s, shard));
    if (p.pp > 1) {
      o.forward = net.levels_of(pp_pair(p, s, (s + 1) % p.pp, replica, shard));
      o.backward = net.levels_of(pp_pair(p, s, (s + p.pp - 1) % p.pp, replica, shard));
    }
  }
  return o;
}

/// Whether all ranks of every stage see the same. One period of the interconnect stands for the others.
template <class D, class I>
bool symmetric(const plan& p, const D& d, const I& net) {
  const u32 per = p.tp * p.dp;
  u32 look = per;
  if constexpr (repeats<I> && !varies_by_rank<D>) look = static_cast<u32>(std::min<u64>(per, std::lcm<u64>(net.period(), p.tp)));
  for (u32 s = 0; s != p.pp; ++s) {
    const outlook first = outlook_of(p, d, net, s, 0, 0);
    for (u32 r = 1; r < look; ++r)
      if (!(outlook_of(p, d, net, s, r / p.tp, r % p.tp) == first)) return false;
  }
  return true;
}

}  // namespace detail

/// Every rank for itself.
[[nodiscard]] inline folding unfolded(const plan& p) {
  std::vector<u32> color(static_cast<std::size_t>(world(p)));
  for (u32 r = 0; r != color.size(); ++r) color[r] = r;
  return detail::quotient(p, color);
}

/// Rank classes of `p` on this device and interconnect. Linear in one period of the interconnect where it is symmetric,
/// otherwise in ranks × rounds of refinement.
template <class D, class I>
[[nodiscard]] folding fold(const plan& p, const D& d, const I& net) {
  if (detail::symmetric(p, d, net)) return detail::by_stage(p);
  const u32 per = p.tp * p.dp, n = per * p.pp;
  std::vector<u32> color(n);
  std::vector<detail::outlook> seen;
  u32 colors = 0;
  for (u32 s = 0; s != p.pp; ++s) {
    seen.clear();
    for (u32 r = 0; r != per; ++r) {
      const detail::outlook o = detail::outlook_of(p, d, net, s, r / p.tp, r % p.tp);
      const auto at = std::find(seen.begin(), seen.end(), o);
      color[s * per + r] = colors + static_cast<u32>(at - seen.begin());
      if (at == seen.end()) seen.push_back(o);
    }
    colors += static_cast<u32>(seen.size());
  }
  for (;;) {  // refine by the classes that each rank meets, until nothing splits
    std::vector<std::vector<u32>> view(n);
    for (u32 r = 0; r != n; ++r) {
      const u32 s = r / per, at = r % per;
      std::vector<u32>& v = view[r];
      const auto look_at = [&](const group& g) {
        const auto from = static_cast<std::ptrdiff_t>(v.size());
        for (u32 i = 0; i != size(g); ++i) v.push_back(color[member(g, i)]);
        std::sort(v.begin() + from, v.end());
        v.erase(std::unique(v.begin() + from, v.end()), v.end());
      };
      v.push_back(color[r]);
      v.push_back(color[(s + 1) % p.pp * per + at]);
      v.push_back(color[(s + p.pp - 1) % p.pp * per + at]);
      look_at(tp_group(p, s, at / p.tp));
      look_at(dp_group(p, s, at % p.tp));
    }
    std::vector<u32> by(n);
    for (u32 r = 0; r != n; ++r) by[r] = r;
    std::sort(by.begin(), by.end(), [&](u32 a, u32 b) { return view[a] != view[b] ? view[a] < view[b] : a < b; });
    u32 now = 0;
    for (u32 i = 0; i != n; ++i) {
      if (i != 0 && view[by[i]] != view[by[i - 1]]) ++now;
      color[by[i]] = now;
    }
    if (++now == colors) return detail::quotient(p, color);
    colors = now;
  }
}

}  // namespace echosim::inline v0
