// SPDX-License-Identifier: MIT
// Chakra traces run as ASTRA-sim's analytical backends run them (astra-sim/astra-sim 2.x, commit 518bd513): whole
// nanoseconds, one slot each for CPU, GPU and communication of an NPU, collectives in closed form. Its answer, not
// ours.
#pragma once
#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "../core/result.hpp"
#include "astra.hpp"
#include "astra_delay.hpp"
#include "chakra.hpp"
#include "shown.hpp"

namespace echosim::inline v0::astra {

struct npu_times {
  i64 finish = 0, compute = 0;  ///< ns; busy time of the GPU slot
};
struct outcome {
  std::vector<npu_times> npus;
  i64 finish = 0;  ///< ns, of the last NPU
  u64 apart = 0;   ///< collectives whose members did not arrive at one instant: there the digits may differ
};

namespace detail {

class runner {
 public:
  runner(const std::vector<chakra::trace>& traces, const network& net, const system& sys,
         const std::map<i64, std::vector<i64>>& groups, backend b)
      : traces_{traces}, net_{net}, sys_{sys}, groups_{groups}, backend_{b} {}

  result<outcome> run() {
    if (!prepare()) return error{why_};
    for (u32 r = 0; r < ranks_.size(); ++r)
      if (!start(r, 0)) return error{why_};
    while (!events_.empty()) {
      const event e = events_.top();
      events_.pop();
      if (!finish(e)) return error{why_};
    }
    for (u32 r = 0; r < ranks_.size(); ++r)
      for (u32 n = 0; n < ranks_[r].open.size(); ++n)
        if (!ranks_[r].done[n])
          return error{who(r, n) +
                       " never ends: it waits for a partner or for a node that waits for it; all members must make the "
                       "same calls; repair the traces"};
    for (const npu& x : ranks_) {
      out_.npus.push_back({x.finish, x.compute});
      out_.finish = std::max(out_.finish, x.finish);
    }
    return out_;
  }

 private:
  enum slot : u8 { cpu, gpu, comm, unlimited, slots };
  struct npu {
    std::vector<u32> open;  // dependencies to come
    std::vector<std::vector<u32>> after;
    std::vector<char> done;
    std::set<std::pair<u64, u32>> ready[slots];  // by id
    bool busy[slots] = {};
    i64 finish = 0, compute = 0;
  };
  struct event {
    i64 at = 0;
    u32 rank = 0;
    u64 id = 0;
    u32 node = 0;
    bool operator<(const event& o) const { return std::tie(o.at, o.rank, o.id) < std::tie(at, rank, id); }
  };
  struct meeting {
    std::vector<std::pair<u32, u32>> arrived;  // rank, node
    i64 first = 0;
  };

  [[nodiscard]] const chakra::node& at(u32 r, u32 n) const { return traces_[r].nodes[n]; }
  [[nodiscard]] std::string who(u32 r, u32 n) const {
    return "NPU " + std::to_string(r) + ", node " + std::to_string(at(r, n).id) + " " + shown(at(r, n).name);
  }
  bool fail(std::string what) { return why_ = std::move(what), false; }

  bool prepare() {
    i64 npus = 1;
    for (const dimension& d : net_) npus = d.npus > 1'000'000 / npus ? 1'000'000 + 1 : npus * d.npus;
    if (npus != static_cast<i64>(traces_.size()))
      return fail("the network has " + std::to_string(npus) + " NPUs and " + std::to_string(traces_.size()) +
                  " traces are given; one trace an NPU is required; give both of one job");
    if (sys_.active_chunks != 1)
      return fail("active-chunks-per-dimension is " + std::to_string(sys_.active_chunks) +
                  "; 1 is required: with more, ASTRA-sim's unaware backend gives bandwidth away; set it to 1");
    if (backend_ == backend::aware && net_.size() != 1)
      return fail("the congestion-aware backend takes one dimension and the network has " +
                  std::to_string(net_.size()) + "; one is required; run it unaware");
    ranks_.resize(traces_.size());
    for (u32 r = 0; r < ranks_.size(); ++r) {
      const std::vector<chakra::node>& nodes = traces_[r].nodes;
      npu& x = ranks_[r];
      x.open.assign(nodes.size(), 0), x.after.resize(nodes.size()), x.done.assign(nodes.size(), 0);
      std::unordered_map<u64, u32> index;
      for (u32 n = 0; n < nodes.size(); ++n) index.emplace(nodes[n].id, n);
      for (u32 n = 0; n < nodes.size(); ++n) {
        std::vector<u64> all = nodes[n].control;
        all.insert(all.end(), nodes[n].data.begin(), nodes[n].data.end());
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        for (u64 id : all) {
          const auto before = index.find(id);
          if (before == index.end())
            return fail(who(r, n) + " depends on node " + std::to_string(id) +
                        ", which its trace does not hold; give the whole trace");
          x.after[before->second].push_back(n);
          ++x.open[n];
        }
      }
      for (u32 n = 0; n < nodes.size(); ++n)
        if (x.open[n] == 0) x.ready[slot_of(nodes[n])].insert({nodes[n].id, n});
    }
    return true;
  }
  static slot slot_of(const chakra::node& n) {
    if (n.type == chakra::node_type::receive) return unlimited;
    if (n.type == chakra::node_type::send || n.type == chakra::node_type::collective) return comm;
    return cpu_op(n) ? cpu : gpu;
  }
  static bool cpu_op(const chakra::node& n) {
    const chakra::attribute* const a = n.find("is_cpu_op");
    return a != nullptr && a->bits != 0;
  }

  /// Starts what is ready and finds a free slot, in ascending order of id.
  bool start(u32 r, i64 now) {
    npu& x = ranks_[r];
    for (u8 s = 0; s < slots; ++s)
      while (!x.ready[s].empty() && !x.busy[s]) {
        const auto [id, n] = *x.ready[s].begin();
        x.ready[s].erase(x.ready[s].begin());
        x.busy[s] = s != unlimited;
        if (!issue(r, n, now)) return false;
      }
    return true;
  }
  bool finish(const event& e) {
    npu& x = ranks_[e.rank];
    x.done[e.node] = 1;
    x.busy[slot_of(at(e.rank, e.node))] = false;
    x.finish = e.at;
    for (u32 n : x.after[e.node])
      if (--x.open[n] == 0) x.ready[slot_of(at(e.rank, n))].insert({at(e.rank, n).id, n});
    return start(e.rank, e.at);
  }

  bool issue(u32 r, u32 n, i64 now) {
    const chakra::node& x = at(r, n);
    switch (x.type) {
      case chakra::node_type::compute: {
        i64 time = 0;
        if (!compute_time(r, n, time)) return false;
        if (!cpu_op(x)) ranks_[r].compute += time;
        return events_.push({now + time, r, x.id, n}), true;
      }
      case chakra::node_type::collective: return arrive(r, n, now);
      case chakra::node_type::send:
      case chakra::node_type::receive: return message(r, n, now);
      default:
        return fail(who(r, n) + " is " + name(x.type) +
                    "; ASTRA-sim aborts on such nodes, or loses them without a word; compute and communication are "
                    "required; leave them out");
    }
  }
  bool compute_time(u32 r, u32 n, i64& time) {
    const chakra::node& x = at(r, n);
    if (x.duration > (u64{1} << 50)) return fail(who(r, n) + " lasts longer than 35 years; correct duration_micros");
    if (!sys_.roofline || cpu_op(x)) return time = x.duration == 0 ? 1 : static_cast<i64>(x.duration) * 1000, true;
    const double work = static_cast<double>(x.integer("num_ops").value_or(0)),
                 moved = static_cast<double>(x.integer("tensor_size").value_or(0));
    if (work <= 0 || moved <= 0)
      return fail(who(r, n) +
                  " has no num_ops or no tensor_size under a roofline; ASTRA-sim ends such a run without a word; both "
                  "above 0 are required; give them, or turn the roofline off");
    if (!sys_.local_memory || !sys_.peak)
      return fail("the roofline needs local-mem-bw and peak-perf; add them to the system file");
    const double t = work / std::min(*sys_.local_memory * 1e9 * (work / moved), *sys_.peak * 1e12) * 1e9;
    if (!(t < 1e18)) return fail(who(r, n) + " lasts longer than 30 years; correct num_ops or the rates");
    return time = static_cast<i64>(t), true;
  }

  bool delay(i64 from, i64 to, i64 bytes, i64& ns) {
    const result<i64> d = message_delay(net_, backend_, from, to, bytes);
    return d ? (ns = *d, true) : fail(d.why().what);
  }

  bool members_of(u32 r, u32 n, std::vector<i64>& members, bool& world) {
    const chakra::attribute* const a = at(r, n).find("pg_name");
    world = a == nullptr || a->text.empty() || a->text == "0";
    members.clear();
    if (world) {
      for (i64 i = 0; i < static_cast<i64>(ranks_.size()); ++i) members.push_back(i);
      return true;
    }
    const auto id = whole_number(a->text);
    const auto g = id ? groups_.find(*id) : groups_.end();
    if (g == groups_.end())
      return fail(who(r, n) + " runs over the process group " + shown(a->text) +
                  ", which the group file does not hold; give the file of this job");
    members = g->second;
    if (std::find(members.begin(), members.end(), i64{r}) == members.end())
      return fail(who(r, n) + " calls over group " + a->text + " without being a member; correct the group file");
    for (i64 m : members)
      if (m >= static_cast<i64>(ranks_.size()))
        return fail("group " + a->text + " names NPU " + std::to_string(m) + " of " + std::to_string(ranks_.size()) +
                    "; correct the group file");
    return true;
  }

  bool arrive(u32 r, u32 n, i64 now) {
    std::vector<i64> members;
    bool world = false;
    if (!members_of(r, n, members, world)) return false;
    const std::string key = world ? "" : at(r, n).find("pg_name")->text;
    const u64 turn = turns_[{r, key}]++;
    meeting& m = meetings_[{key, turn}];
    if (m.arrived.empty()) m.first = now;
    m.arrived.push_back({r, n});
    if (m.arrived.size() < members.size()) return true;
    out_.apart += now != m.first ? 1 : 0;
    const auto [r0, n0] = m.arrived[0];
    for (const auto& [other, node] : m.arrived)
      if (chakra::collective_of(at(other, node)) != chakra::collective_of(at(r0, n0)) ||
          at(other, node).integer("comm_size") != at(r0, n0).integer("comm_size"))
        return fail(who(other, node) + " is another call or size than " + who(r0, n0) +
                    "; members must make the same call; repair the traces");
    i64 time = 0;
    if (!call_time(r, n, members, world, time)) return false;
    for (const auto& [other, node] : m.arrived) events_.push({now + time, other, at(other, node).id, node});
    meetings_.erase({key, turn});
    return true;
  }

  /// streams · (Σ sends + (S+1)·endpoint + R·3·memory): S sends after each other, endpoint delays and R reductions,
  /// chunk by chunk. Ring: neighbours, S = 2(n−1), R = n−1 for an all-reduce. Direct: the farthest pair, S = 2, R = 1.
  /// Halving and doubling: chunk/2, chunk/4 … to the distances n/2, n/4 … and back, R = log2 n.
  bool call_time(u32 r, u32 n, const std::vector<i64>& members, bool world, i64& time) {
    using chakra::collective_type;
    const chakra::node& x = at(r, n);
    const auto kind = chakra::collective_of(x);
    const std::vector<std::string>* by = nullptr;
    if (kind == collective_type::all_reduce) by = &sys_.all_reduce;
    if (kind == collective_type::all_gather) by = &sys_.all_gather;
    if (kind == collective_type::reduce_scatter) by = &sys_.reduce_scatter;
    if (kind == collective_type::all_to_all) by = &sys_.all_to_all;
    if (by == nullptr)
      return fail(who(r, n) +
                  " is no all-reduce, all-gather, reduce-scatter or all-to-all; ASTRA-sim prices others wrongly (a "
                  "broadcast of any size takes 1 ns); replace it");
    const std::string called = name(*kind);
    if (by->empty() || std::any_of(by->begin(), by->end(), [&](const std::string& one) { return one != (*by)[0]; }))
      return fail("the system file names no algorithm for " + called +
                  ", or another for each dimension; one is required here; state one");
    const std::string& algorithm = (*by)[0];
    const bool reduces = *kind == collective_type::all_reduce, gathers = *kind == collective_type::all_gather;
    if (algorithm != "ring" && !(reduces && (algorithm == "direct" || algorithm == "halvingDoubling")))
      return fail("the system runs " + called + " by " + shown(algorithm) +
                  "; ring, or for all-reduce also direct and halvingDoubling, is required here; set one of them");
    if (world && net_.size() > 1)
      return fail(who(r, n) + " runs over the whole of a network of " + std::to_string(net_.size()) +
                  " dimensions; a group within one is required here; give it a pg_name");
    const i64 count = static_cast<i64>(members.size()), npus = static_cast<i64>(ranks_.size());
    if (count < 2) return time = 1, true;
    i64 size = std::max<i64>(x.integer("comm_size").value_or(0), 0), chunk = size / sys_.splits;
    if (!gathers && chunk < npus) chunk = npus, size = sys_.splits * npus;
    if (chunk == 0)
      return fail(who(r, n) + " gathers fewer bytes than there are splits; ASTRA-sim divides by zero; give at least " +
                  std::to_string(sys_.splits));
    const i64 part = gathers ? chunk : chunk / count, streams = (size + chunk - 1) / chunk;
    i64 sending = 0, sends = 0, sums = 0;  // ns of all sends after each other; how many; how many reductions
    if (algorithm == "ring") {
      i64 send = 0;
      for (i64 i = 0; i < count; ++i)
        if (!slowest(members, i, (i + 1) % count, part, send)) return false;
      sends = reduces ? 2 * (count - 1) : *kind == collective_type::all_to_all ? count * (count - 1) / 2 : count - 1;
      sums = reduces || *kind == collective_type::reduce_scatter ? count - 1 : 0;
      sending = send < (i64{1} << 40) ? sends * send : i64{1} << 60;
    } else if (backend_ == backend::aware && net_[0].kind != topology::fully_connected) {
      return fail("the congestion-aware backend runs " + shown(algorithm) +
                  " over links that its messages share; a fully connected network is required here; run it unaware");
    } else if (algorithm == "direct") {
      i64 send = 0;
      for (i64 i = 0; i < count; ++i)
        for (i64 j = 0; j < count; ++j)
          if (i != j && !slowest(members, i, j, part, send)) return false;
      sends = 2, sums = 1;
      sending = 2 * send;
    } else {
      if ((count & (count - 1)) != 0)
        return fail("halving and doubling over " + std::to_string(count) +
                    " members; a power of two is required; use ring");
      i64 bytes = chunk / 2;
      for (i64 distance = count / 2; distance > 0; distance /= 2, bytes /= 2) {
        i64 send = 0;
        for (i64 i = 0; i < count; ++i)
          if (!slowest(members, i, i ^ distance, bytes, send)) return false;
        sending += 2 * send;
        sends += 2, ++sums;
      }
    }
    if (sums != 0 && !sys_.local_memory) return fail("reductions need local-mem-bw; add it to the system file");
    const i64 memory = sums == 0 ? 0 : static_cast<i64>(static_cast<double>(part) / (*sys_.local_memory * 1e9) * 1e9);
    const i64 endpoint = world ? sys_.endpoint_delay : 10;  // of groups ASTRA-sim takes 10 whatever the file says
    const double each = static_cast<double>(sending) + static_cast<double>(sends + 1) * static_cast<double>(endpoint) +
                        static_cast<double>(sums) * 3 * static_cast<double>(memory);
    if (!(static_cast<double>(streams) * each < 1e17))
      return fail(who(r, n) + " takes longer than 3 years; correct comm_size or the network");
    return time = streams * (sending + (sends + 1) * endpoint + sums * 3 * memory), true;
  }
  bool slowest(const std::vector<i64>& members, i64 from, i64 to, i64 bytes, i64& most) {
    i64 one = 0;
    if (!delay(members[static_cast<std::size_t>(from)], members[static_cast<std::size_t>(to)], bytes, one))
      return false;
    return most = std::max(most, one), true;
  }

  bool message(u32 r, u32 n, i64 now) {
    const chakra::node& x = at(r, n);
    const bool sends = x.type == chakra::node_type::send;
    const i64 peer = x.integer(sends ? "comm_dst" : "comm_src").value_or(r), size = x.integer("comm_size").value_or(-1),
              tag = x.integer("comm_tag").value_or(0);
    if (peer < 0 || peer >= static_cast<i64>(ranks_.size()) || peer == i64{r} || size < 0)
      return fail(who(r, n) + " has no comm_size, or its peer is no other NPU; both are required; repair the trace");
    const std::vector<i64> key = sends ? std::vector<i64>{r, peer, tag, size} : std::vector<i64>{peer, r, tag, size};
    if (sends) {
      i64 time = 0;
      if (!delay(r, peer, size, time)) return false;
      events_.push({now + time, r, x.id, n});
      auto& waiting = receivers_[key];
      if (waiting.empty()) return messages_[key].push(now + time), true;
      const auto [other, node] = waiting.front();
      waiting.pop();
      return events_.push({now + time, other, at(other, node).id, node}), true;
    }
    auto& sent = messages_[key];
    if (sent.empty()) return receivers_[key].push({r, n}), true;
    events_.push({std::max(now, sent.front()), r, x.id, n});
    return sent.pop(), true;
  }

  const std::vector<chakra::trace>& traces_;
  const network& net_;
  const system& sys_;
  const std::map<i64, std::vector<i64>>& groups_;
  backend backend_;
  std::vector<npu> ranks_;
  std::priority_queue<event> events_;
  std::map<std::pair<u32, std::string>, u64> turns_;
  std::map<std::pair<std::string, u64>, meeting> meetings_;
  std::map<std::vector<i64>, std::queue<i64>> messages_;
  std::map<std::vector<i64>, std::queue<std::pair<u32, u32>>> receivers_;
  std::string why_;
  outcome out_;
};

}  // namespace detail

/// Runs the traces of all NPUs. Refused by name: what ASTRA-sim gets wrong without a word (rooflines without work,
/// cycles, members that never arrive, broadcasts, fewer bytes than splits), and what has no closed form here
/// (double binary trees, several active chunks, collectives over several dimensions, shared links of a ring).
[[nodiscard]] inline result<outcome> run(const std::vector<chakra::trace>& traces, const network& net,
                                         const system& sys, const std::map<i64, std::vector<i64>>& groups, backend b) {
  auto r = detail::runner{traces, net, sys, groups, b}.run();
  if (!r) return r;
  if (r->apart != 0)
    r.note(std::to_string(r->apart) +
           " collectives have members that arrive at different times; they start with the last, which ASTRA-sim's "
           "messages may not");
  return r;
}

}  // namespace echosim::inline v0::astra
