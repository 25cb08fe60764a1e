// SPDX-License-Identifier: MIT
// Traces of several ranks laid over each other: the members of a collective end together, so its ends tell how the
// clocks differ; what lies between a member's start and the last one's is waiting, the rest is transfer.
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "../core/result.hpp"
#include "kineto.hpp"
#include "trace_analysis.hpp"

namespace echosim::inline v0::kineto {

/// One collective as its members recorded it, times in ns on the clock of the first trace.
struct aligned_call {
  u32 name = invalid;                ///< kernel, of the first member's names
  std::vector<u32> members;          ///< indexes of traces
  std::vector<const event*> events;  ///< of the same order
  u32 last = 0;                      ///< index of the trace that arrives last
  i64 arrival = 0, end = 0;          ///< when it arrives; when the last member ends
};

/// What one rank spends in collectives that all listed ranks share.
struct rank_share {
  i64 offset = 0;    ///< ns to take from this trace's clock to read the first trace's
  i64 waiting = 0;   ///< before the last member arrives
  i64 transfer = 0;  ///< after
  u64 calls = 0, arrives_last = 0;
  i64 makes_wait = 0;  ///< waiting of the other members for this rank
};

struct alignment {
  std::vector<aligned_call> calls;
  std::vector<rank_share> ranks;
  u32 straggler = invalid;  ///< the trace that makes the others wait longest; invalid where nobody waits
  u64 unmatched = 0;        ///< communication kernels without partners in the other traces
};

namespace detail {

/// What makes kernels of different ranks one collective: the producer's (group, sequence), or else the n-th launch of a
/// kernel of that name and size.
using call_key = std::tuple<std::string, i64, std::string, u64>;

inline std::map<call_key, const event*> communication_of(const trace& t, const std::vector<std::string>& words) {
  std::map<call_key, const event*> all;
  std::map<std::pair<std::string, i64>, u64> launches;
  for (const event& e : t.events) {
    if (e.kind != category::kernel || class_of(t.names[e.name], words) != kernel_class::communication) continue;
    const call_detail* const d = e.detail != invalid ? &t.calls[e.detail] : nullptr;
    if (d != nullptr && d->sequence >= 0 && d->group != invalid) {
      all.emplace(call_key{t.names[d->group], d->sequence, d->name != invalid ? t.names[d->name] : "", 0}, &e);
      continue;
    }
    const i64 size = d != nullptr ? d->in_elements : -1;
    all.emplace(call_key{t.names[e.name], size, "", ++launches[{t.names[e.name], size}]}, &e);
  }
  return all;
}

inline i64 median(std::vector<i64> all) {
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

}  // namespace detail

/// Aligns traces of one run; each is read as one rank, in the order given. Clocks are compared by the median difference
/// of the ends of collectives that a trace shares with the first. The traces must outlive the answer, which points into
/// them.
[[nodiscard]] inline result<alignment> align(const std::vector<trace>& traces,
                                             const std::vector<std::string>& words = communication_words()) {
  if (traces.size() < 2)
    return error{std::to_string(traces.size()) + " traces; at least two ranks of one run are required; give more"};
  std::vector<std::map<detail::call_key, const event*>> all;
  for (const trace& t : traces) all.push_back(detail::communication_of(t, words));
  alignment a;
  a.ranks.resize(traces.size());
  for (std::size_t r = 1; r < traces.size(); ++r) {
    std::vector<i64> differences;
    for (const auto& [key, e] : all[r])
      if (const auto first = all[0].find(key); first != all[0].end())
        differences.push_back(e->start + e->length - first->second->start - first->second->length);
    if (differences.empty())
      return error{"trace " + std::to_string(r) +
                   " shares no collective with the first; traces of one run are required; give those, or word lists "
                   "that know their kernels"};
    a.ranks[r].offset = detail::median(std::move(differences));
  }
  std::map<detail::call_key, aligned_call> calls;
  for (u32 r = 0; r < traces.size(); ++r)
    for (const auto& [key, e] : all[r]) {
      aligned_call& c = calls[key];
      if (c.members.empty()) c.name = e->name;
      c.members.push_back(r);
      c.events.push_back(e);
    }
  for (auto& [key, c] : calls) {
    if (c.members.size() < 2) {
      ++a.unmatched;
      continue;
    }
    for (std::size_t m = 0; m < c.members.size(); ++m) {
      const i64 start = c.events[m]->start - a.ranks[c.members[m]].offset;
      if (m == 0 || start > c.arrival) c.arrival = start, c.last = c.members[m];
      c.end = m == 0 ? start + c.events[m]->length : std::max(c.end, start + c.events[m]->length);
    }
    for (std::size_t m = 0; m < c.members.size(); ++m) {
      rank_share& s = a.ranks[c.members[m]];
      const i64 start = c.events[m]->start - s.offset;
      const i64 waits = std::clamp(c.arrival - start, i64{0}, c.events[m]->length);
      ++s.calls;
      s.waiting += waits;
      s.transfer += c.events[m]->length - waits;
      if (c.members[m] == c.last)
        ++s.arrives_last;
      else
        a.ranks[c.last].makes_wait += waits;
    }
    a.calls.push_back(std::move(c));
  }
  std::sort(a.calls.begin(), a.calls.end(),
            [](const aligned_call& x, const aligned_call& y) { return x.arrival < y.arrival; });
  for (u32 r = 0; r < traces.size(); ++r)
    if (a.ranks[r].makes_wait > (a.straggler == invalid ? 0 : a.ranks[a.straggler].makes_wait)) a.straggler = r;
  result<alignment> out{std::move(a)};
  if (out->unmatched != 0)
    out.note(std::to_string(out->unmatched) +
             " communication kernels have no partner in the other traces; they are left out");
  return out;
}

}  // namespace echosim::inline v0::kineto
