// SPDX-License-Identifier: MIT
// A program as Chakra traces, one a rank: operations become nodes, the order of a stream and waits become dependencies,
// blocks are opened. ASTRA-sim reads the result together with the groups as its communicator file.
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "../core/result.hpp"
#include "../graph/order.hpp"
#include "chakra.hpp"
#include "chakra_write.hpp"
#include "json_write.hpp"

namespace echosim::inline v0::chakra {

struct written_program {
  std::vector<trace> ranks;
  std::map<u32, std::vector<u32>> groups;  ///< members by pg_name, numbers from 1
  u64 nodes = 0;
  u64 rounded = 0;  ///< durations that are no whole number of units
};

/// {"1": [0, 1, …], …}: the file that ASTRA-sim takes as --comm-group-configuration.
[[nodiscard]] inline std::string groups_text(const written_program& w) {
  std::string text;
  json_writer out{text};
  out.object();
  for (const auto& [name, members] : w.groups) {
    out.key(std::to_string(name)).array();
    for (u32 r : members) out.value(r);
    out.end();
  }
  out.end();
  return text += '\n';
}

namespace detail {

class trace_maker {
 public:
  trace_maker(const program& p, const std::vector<duration>& times, i64 unit) : p_{p}, times_{times}, unit_{unit} {
    out_.ranks.resize(p.ranks);
    for (trace& t : out_.ranks) t.version = "0.0.4";
    last_.assign(std::size_t{p.ranks} * lanes, none);
    last_of_op_.assign(p.size(), none);
  }

  written_program make() {
    for (u32 i = 0; i < p_.size();) {
      const u32 x = p_.what[i], members = p_.members(i);
      if (p_.is_block(x)) {
        open_block(i);
      } else {
        for (u32 m = 0; m < members; ++m) {
          const u32 op = i + m;
          last_of_op_[op] = add(rank_of(p_.stream[op]), lane_of(p_.stream[op]), x, i, m);
          wait_for_predecessors(op);
        }
      }
      i += members;
    }
    return std::move(out_);
  }

 private:
  static constexpr u64 none = ~u64{0};

  /// The last node of the stream comes before the new one. `first`: the first operation of a call, which is its tag.
  u64 add(u32 rank, u32 lane, u32 what, u32 first, u32 member) {
    trace& t = out_.ranks[rank];
    node n;
    n.id = t.nodes.size();
    u64& before = last_[stream_of(rank, lane)];
    if (before != none) n.data.push_back(before);
    before = n.id;
    if (what < p_.first_call())
      describe(n, p_.kernels[what], times_[what]);
    else
      describe(n, p_.calls[what - p_.first_call()], first, member);
    n.attributes.push_back(flag_attribute("is_cpu_op", false));
    t.nodes.push_back(std::move(n));
    ++out_.nodes;
    return t.nodes.back().id;
  }
  void describe(node& n, const kernel& k, duration time) {
    n.name = k.name;
    n.type = node_type::compute;
    n.duration = static_cast<u64>((time.ps + unit_ / 2) / unit_);
    out_.rounded += time.ps % unit_ != 0 ? 1 : 0;
    if (k.work.count > 0 && k.work.count < 9e18)
      n.attributes.push_back(integer_attribute("num_ops", static_cast<i64>(k.work.count)));
    if (k.moved.count > 0) n.attributes.push_back(integer_attribute("tensor_size", k.moved.count));
  }
  void describe(node& n, const call_row& c, u32 first, u32 member) {
    n.name = c.name;
    n.attributes.push_back(integer_attribute("comm_size", c.what.size.count));
    if (c.what.kind == call::send) {
      n.type = member == 0 ? node_type::send : node_type::receive;
      const u32 from = rank_of(p_.stream[first]), to = rank_of(p_.stream[first + 1]);
      n.attributes.push_back(int32_attribute("comm_src", static_cast<std::int32_t>(from)));
      n.attributes.push_back(int32_attribute("comm_dst", static_cast<std::int32_t>(to)));
      n.attributes.push_back(int32_attribute("comm_tag", static_cast<std::int32_t>(first)));
      return;
    }
    n.type = node_type::collective;
    collective_type type = collective_type::all_reduce;
    switch (c.what.kind) {
      case call::all_gather: type = collective_type::all_gather; break;
      case call::reduce_scatter: type = collective_type::reduce_scatter; break;
      case call::all_to_all: type = collective_type::all_to_all; break;
      case call::broadcast: type = collective_type::broadcast; break;
      case call::reduce: type = collective_type::reduce; break;
      default: break;
    }
    n.attributes.push_back(integer_attribute("comm_type", static_cast<i64>(type)));
    n.attributes.push_back(text_attribute("pg_name", std::to_string(c.group + 1)));
    std::vector<u32>& members = out_.groups[c.group + 1];
    if (members.empty())
      for (u32 m = 0; m < size(p_.groups[c.group]); ++m) members.push_back(echosim::member(p_.groups[c.group], m));
  }

  void wait_for_predecessors(u32 op) {
    const u32 rank = rank_of(p_.stream[op]);
    for (u32 e = p_.first[op]; e != p_.first[op + 1]; ++e)
      if (rank_of(p_.stream[p_.preds[e]]) == rank) wait(rank, last_of_op_[op], last_of_op_[p_.preds[e]]);
  }
  void wait(u32 rank, u64 n, u64 before) {
    if (before == none || before == n) return;
    std::vector<u64>& all = out_.ranks[rank].nodes[n].data;
    if (std::find(all.begin(), all.end(), before) == all.end()) all.push_back(before);
  }

  /// The steps of a block on its two streams; the first waits as the block does, a step that joins waits for the other
  /// stream's last.
  void open_block(u32 op) {
    const block& b = p_.blocks[p_.what[op] - p_.first_block()];
    const u32 rank = rank_of(p_.stream[op]);
    for (u32 s = 0; s < b.count; ++s) {
      const step& now = p_.steps[b.first + s];
      const u64 other = last_[stream_of(rank, now.on_comm ? compute : tp_comm)];
      const u64 n = add(rank, now.on_comm ? tp_comm : compute, now.what, call_tag_++, 0);
      last_of_op_[op] = n;
      if (now.joins) wait(rank, n, other);
      if (s == 0) wait_for_predecessors(op);
    }
  }

  const program& p_;
  const std::vector<duration>& times_;
  i64 unit_;
  u32 call_tag_ = 0;
  std::vector<u64> last_, last_of_op_;
  written_program out_;
};

}  // namespace detail

/// Writes a program whose every rank stands for itself. `times`: of kernels, as priced (workspace::time), in units of
/// `duration_ps`: the schema says microseconds, and 1,000 keeps nanoseconds. Refused: folded programs, in which a rank
/// stands for others and whose blocks have calls without their members. Host issue times are left out.
[[nodiscard]] inline result<written_program> traces_of(const ordered& in_order, const std::vector<duration>& times,
                                                       i64 duration_ps = 1'000'000) {
  const program& p = in_order.get();
  if (duration_ps < 1)
    return error{"a unit of " + std::to_string(duration_ps) + " ps; at least 1 is required; correct it"};
  if (times.size() < p.kernels.size())
    return error{std::to_string(times.size()) + " times for " + std::to_string(p.kernels.size()) +
                 " kernels; one each is required; price the program first"};
  for (u64 w : p.weight)
    if (w != 1)
      return error{"a rank of the program stands for " + std::to_string(w) +
                   "; ranks that stand for themselves are required; lower at the resolution of ranks"};
  for (const block& b : p.blocks)
    for (u32 s = b.first; s != b.first + b.count; ++s)
      if (p.is_call(p.steps[s].what))
        return error{
            "a block of the program holds a call whose other members it does not name; a program without such blocks "
            "is required; lower at the resolution of ranks"};
  if (p.size() > 0x7fffffff)
    return error{"more than 2^31 operations; fewer are required, since tags are 32-bit; write fewer ranks"};
  written_program w = detail::trace_maker{p, times, duration_ps}.make();
  result<written_program> r{std::move(w)};
  if (r->rounded != 0)
    r.note(std::to_string(r->rounded) + " durations are rounded to units of " + std::to_string(duration_ps) + " ps");
  for (const kernel& k : p.kernels)
    if (k.issue > duration{}) {
      r.note("the host's issue times are left out: Chakra nodes have none");
      break;
    }
  return r;
}

}  // namespace echosim::inline v0::chakra
