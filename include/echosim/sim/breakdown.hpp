// SPDX-License-Identifier: MIT
// Where the time of each rank goes. Every instant of the run belongs to the first of these that holds on the rank:
// optimizer or compute kernel; a transfer, by degree of parallelism; the host not having issued the next kernel; waiting
// for a pipeline peer; other waiting. The parts of a rank sum to the makespan exactly.
#pragma once
#include <array>
#include <vector>

#include "../graph/order.hpp"
#include "workspace.hpp"

namespace echosim::inline v0 {

struct breakdown {
  duration compute{}, optimizer{};
  std::array<duration, dimensions> exposed{};  ///< transfers that no kernel hides, by dimension
  duration host{}, bubble{}, imbalance{};
  [[nodiscard]] constexpr duration total() const {
    duration t = compute + optimizer + host + bubble + imbalance;
    for (const duration e : exposed) t += e;
    return t;
  }
  constexpr bool operator==(const breakdown&) const = default;
};

namespace detail {

/// Splits the timeline of one rank, walking its streams side by side.
class timeline_splitter {
 public:
  timeline_splitter(const program& p, const workspace& w, u32 rank) : p_{p}, w_{w} {
    for (u32 l = 0; l != lanes; ++l) {
      at_[l] = w.stream_first[stream_of(rank, l)];
      stop_[l] = w.stream_first[stream_of(rank, l) + 1];
      if (at_[l] != stop_[l] && l != compute && l != host) used_[used_count_++] = l;
      serves_[l] = w.stream_serves[stream_of(rank, l)];
    }
  }

  breakdown run() {
    const u32 calls = p_.first_call(), blocks = p_.first_block();
    duration free{};  // end of the last kernel
    for (u32 k = at_[compute]; k != stop_[compute]; ++k) {
      const u32 op = w_.by_stream[k], x = p_.what[op];
      const duration h = w_.host_clock[k];
      if (x < calls) {
        const duration end = w_.end[op], start = end - w_.time[x];
        gap(free, start, h, op);
        (p_.kernels[x].kind == kernel_kind::optimizer ? out_.optimizer : out_.compute) += w_.time[x];
        free = end;
      } else {
        const block_map& m = w_.maps[x - blocks];
        duration t = free;
        for (u32 e = p_.first[op]; e != p_.first[op + 1]; ++e) t = max(t, w_.end[p_.preds[e]]);
        if (t - h >= m.device_bound) {
          gap(free, t, h + m.lead, op);
          out_.compute += m.compute;
          out_.optimizer += m.optimizer;
          out_.exposed[static_cast<u32>(dimension::tp)] += m.device - m.compute - m.optimizer;
        } else {
          walk(p_.blocks[x - blocks], t, h, free, op);
        }
        free = w_.end[op];
      }
    }
    gap(free, w_.makespan, {}, invalid);
    return out_;
  }

 private:
  struct span {
    duration from, to;
  };

  /// A block whose inside waits for the host: its calls join the transfers, its kernels end the gaps.
  void walk(const block& b, duration device, duration host, duration free, u32 op) {
    inside_.clear(), inside_at_ = 0;
    walk_block(&p_.steps[b.first], b.count, w_.time.data(), w_.issue.data(), device, host, [&](const step& s, duration, duration start, duration end) {
      if (s.on_comm) inside_.push_back({start, end});
    });
    walk_block(&p_.steps[b.first], b.count, w_.time.data(), w_.issue.data(), device, host, [&](const step& s, duration issued, duration start, duration end) {
      if (s.on_comm) return;
      gap(free, start, issued, op);
      (p_.kernels[s.what].kind == kernel_kind::optimizer ? out_.optimizer : out_.compute) += end - start;
      free = end;
    });
    inside_.clear(), inside_at_ = 0;
  }

  /// [from, to) without a kernel, before operation `op`, which the host issues at `issued`; invalid: the rank has ended.
  void gap(duration from, duration to, duration issued, u32 op) {
    if (from >= to) return;
    open_.assign(1, {from, to});
    cut(inside_, inside_at_, from, to, dimension::tp);
    for (u32 d = 0; d != dimensions && !open_.empty(); ++d)
      for (u32 u = 0; u != used_count_; ++u)
        if ((serves_[used_[u]] >> d & 1) != 0) cut_lane(used_[u], from, to, static_cast<dimension>(d));
    if (open_.empty()) return;
    // While the host itself waited for the device, the rank waited for what that operation waited for.
    while (op != invalid && at_[host] != stop_[host] && w_.by_stream[at_[host]] < op) released_ = w_.end[w_.by_stream[at_[host]++]];
    const duration host_until = op == invalid ? from : issued;
    duration waiting{};
    for (const span& s : open_) {
      const duration begin = min(max(s.from, released_), s.to), edge = min(max(begin, host_until), s.to);
      out_.host += edge - begin;
      waiting += s.to - edge + (begin - s.from);
    }
    if (waiting > duration{}) (for_pipeline(op, from) ? out_.bubble : out_.imbalance) += waiting;
  }

  void cut_lane(u32 l, duration from, duration to, dimension d) {
    while (at_[l] != stop_[l] && w_.end[w_.by_stream[at_[l]]] <= from) ++at_[l];
    for (u32 k = at_[l]; k != stop_[l] && !open_.empty(); ++k) {
      const u32 op = w_.by_stream[k], x = p_.what[op];
      const duration end = w_.end[op], start = end - w_.time[x];
      if (start >= to) break;
      if (p_.is_call(x) && p_.calls[x - p_.first_call()].what.over == d) remove({start, end}, d);
    }
  }
  void cut(const std::vector<span>& transfers, std::size_t& at, duration from, duration to, dimension d) {
    while (at != transfers.size() && transfers[at].to <= from) ++at;
    for (std::size_t k = at; k != transfers.size() && transfers[k].from < to; ++k) remove(transfers[k], d);
  }
  void remove(span busy, dimension d) {
    left_.clear();
    for (const span& s : open_) {
      const duration a = max(s.from, busy.from), b = min(s.to, busy.to);
      if (a >= b) {
        left_.push_back(s);
        continue;
      }
      out_.exposed[static_cast<u32>(d)] += b - a;
      if (s.from < a) left_.push_back({s.from, a});
      if (b < s.to) left_.push_back({b, s.to});
    }
    open_.swap(left_);
  }

  /// Whether the wait before `op` is for another pipeline stage: follows the latest predecessor on this rank back through
  /// calls that themselves began to wait inside the gap.
  [[nodiscard]] bool for_pipeline(u32 op, duration from) const {
    if (op == invalid) return !p_.stage.empty() && p_.stage.front() != p_.stage.back();
    for (;;) {
      u32 latest = invalid;
      for (u32 e = p_.first[op]; e != p_.first[op + 1]; ++e)
        if (latest == invalid || w_.end[p_.preds[e]] > w_.end[latest]) latest = p_.preds[e];
      if (latest == invalid || w_.end[latest] <= from) return false;
      const u32 x = p_.what[latest];
      if (p_.is_call(x) && p_.calls[x - p_.first_call()].what.over == dimension::pp) return true;
      if (lane_of(p_.stream[latest]) == compute) return false;
      op = latest;
    }
  }

  const program& p_;
  const workspace& w_;
  std::array<u32, lanes> at_{}, stop_{}, used_{}, serves_{};
  u32 used_count_ = 0;
  std::vector<span> open_, left_, inside_;
  std::size_t inside_at_ = 0;
  duration released_{};  ///< when the host last ended a wait
  breakdown out_;
};

/// Operations by stream, in order, and the host clock at which each kernel is issued or each block entered.
inline void index_streams(const program& p, workspace& w) {
  const u32 n = p.size(), calls = p.first_call(), blocks = p.first_block();
  const std::size_t streams = std::size_t{p.ranks} * lanes;
  w.stream_first.assign(streams + 1, 0);
  for (u32 i = 0; i != n; ++i) ++w.stream_first[p.stream[i] + 1];
  for (std::size_t s = 0; s != streams; ++s) w.stream_first[s + 1] += w.stream_first[s];
  w.by_stream.resize(n), w.host_clock.resize(n);
  w.stream_serves.assign(streams, 0);
  std::vector<u32> at(w.stream_first.begin(), w.stream_first.end() - 1);
  std::vector<duration> clock(p.ranks);
  u32 first_member = 0;
  for (u32 i = 0; i != n; ++i) {
    const u32 x = p.what[i], s = p.stream[i], k = at[s]++;
    duration& h = clock[rank_of(s)];
    w.by_stream[k] = i;
    if (x < calls) {
      h += w.issue[x];
      if (lane_of(s) == host) h = w.end[i];
      w.host_clock[k] = h;
      first_member = i + 1;
    } else if (x < blocks) {
      const call_row& row = p.calls[x - calls];
      w.stream_serves[s] |= static_cast<u8>(1u << static_cast<u32>(row.what.over));
      if (row.what.kind != call::send || i == first_member) h += w.issue[x];
      if (i + 1 - first_member == row.members) first_member = i + 1;
    } else {
      w.host_clock[k] = h;
      h += w.maps[x - blocks].issue;
      first_member = i + 1;
    }
  }
}

}  // namespace detail

/// After replay: one breakdown for each rank of the program.
inline std::vector<breakdown> break_down(const ordered& in_order, workspace& w) {
  const program& p = in_order.get();
  detail::index_streams(p, w);
  std::vector<breakdown> all;
  all.reserve(p.ranks);
  for (u32 r = 0; r != p.ranks; ++r) all.push_back(detail::timeline_splitter{p, w, r}.run());
  return all;
}

}  // namespace echosim::inline v0
