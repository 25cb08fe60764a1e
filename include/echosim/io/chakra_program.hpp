// SPDX-License-Identifier: MIT
// Chakra traces of all ranks as one program: nodes become kernels and calls, dependencies stay. Chakra has no streams;
// a rank here has one that computes, one for each process group, one that sends and one that receives.
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "../core/result.hpp"
#include "../graph/program.hpp"
#include "chakra.hpp"
#include "chakra_check.hpp"

namespace echosim::inline v0::chakra {

/// What producers leave unsaid.
struct meaning {
  i64 duration_ps = 1'000'000;   ///< of one unit of duration_micros: 1,000,000 by the schema, 1,000 where it holds ns
  bool gather_is_shard = false;  ///< comm_size of ALL_GATHER: what one rank gives, instead of the gathered whole
  std::map<std::string, std::vector<i64>> groups{};  ///< members by pg_name; where absent, the ranks that use the name
};

/// `program` points into the names of the traces, which must outlive it. Every node of a kind that takes time is one
/// operation; metadata nodes are passed over with their dependencies kept.
struct chakra_program {
  program made;
  u64 nodes = 0, operations = 0, metadata = 0;
};

namespace detail {

class program_maker {
 public:
  program_maker(const std::vector<trace>& ranks, const meaning& m) : ranks_{ranks}, means_{m} {}

  result<chakra_program> make() {
    if (auto e = number_nodes(); !e.what.empty()) return e;
    if (auto e = match_collectives(); !e.what.empty()) return e;
    if (auto e = match_messages(); !e.what.empty()) return e;
    if (auto e = emit(); !e.what.empty()) return e;
    out_.made.ranks = static_cast<u32>(ranks_.size());
    return std::move(out_);
  }

 private:
  struct place_of_node {
    u32 rank = 0, at = 0;
  };
  /// Nodes that start together: a compute node, or all members of a call.
  struct unit {
    std::vector<u32> nodes;
    u32 row = invalid;  ///< of the program's calls
    u32 open = 0;       ///< members' dependencies that are not emitted yet
  };

  [[nodiscard]] const node& at(u32 n) const { return ranks_[where_[n].rank].nodes[where_[n].at]; }
  [[nodiscard]] std::string who(u32 n) const {
    return "rank " + std::to_string(where_[n].rank) + ", node " + std::to_string(at(n).id) + " " + shown(at(n).name);
  }

  error number_nodes() {
    for (u32 r = 0; r < ranks_.size(); ++r) {
      std::unordered_map<u64, u32> ids;
      for (u32 i = 0; i < ranks_[r].nodes.size(); ++i) {
        if (where_.size() >= invalid / 2)
          return {"more than two thousand million nodes; fewer are required; give fewer ranks"};
        ids.emplace(ranks_[r].nodes[i].id, static_cast<u32>(where_.size()));
        where_.push_back({r, i});
      }
      for (const node& n : ranks_[r].nodes) {
        before_.emplace_back();
        for (const std::vector<u64>* ids_before : {&n.control, &n.data})
          for (u64 id : *ids_before) {
            const auto found = ids.find(id);
            if (found == ids.end())
              return {who(static_cast<u32>(before_.size() - 1)) + " depends on node " + std::to_string(id) +
                      ", which its trace does not hold; every dependency must be in the trace; give the whole trace"};
            before_.back().push_back(found->second);
          }
      }
    }
    unit_of_.assign(where_.size(), invalid);
    return {};
  }

  static std::string group_of(const node& n) {
    const attribute* a = n.find("pg_name");
    return a == nullptr || a->text.empty() ? "0" : a->text;
  }

  /// The group's members, and its row in the program: ranks a constant stride apart.
  error find_group(const std::string& name, u32& row, std::vector<i64>& members) {
    if (const auto known = groups_.find(name); known != groups_.end()) {
      row = known->second.first, members = known->second.second;
      return {};
    }
    if (const auto given = means_.groups.find(name); given != means_.groups.end()) {
      members = given->second;
    } else {
      for (u32 r = 0; r < ranks_.size(); ++r)
        if (name == "0" || std::any_of(ranks_[r].nodes.begin(), ranks_[r].nodes.end(), [&](const node& n) {
              return n.type == node_type::collective && group_of(n) == name;
            }))
          members.push_back(r);
    }
    std::sort(members.begin(), members.end());
    const i64 stride = members.size() > 1 ? members[1] - members[0] : 1;
    bool regular =
        !members.empty() && stride > 0 && members.front() >= 0 && members.back() < static_cast<i64>(ranks_.size());
    for (std::size_t i = 1; regular && i < members.size(); ++i) regular = members[i] - members[i - 1] == stride;
    if (!regular)
      return {"process group " + shown(name) +
              " is no ranks of this job a constant stride apart; such a group is required; describe it in code"};
    group g;
    g.base = static_cast<u32>(members[0]);
    g.members[0] = {static_cast<u32>(members.size()), static_cast<u32>(stride)};
    row = static_cast<u32>(out_.made.groups.size());
    out_.made.groups.push_back(g);
    groups_[name] = {row, members};
    return {};
  }

  error match_collectives() {
    std::map<std::string, std::vector<std::vector<u32>>> calls;  // by group: of each rank, by id
    for (u32 n = 0; n < where_.size(); ++n)
      if (at(n).type == node_type::collective) {
        auto& of = calls[group_of(at(n))];
        of.resize(ranks_.size());
        of[where_[n].rank].push_back(n);
      }
    for (auto& [name, of] : calls) {
      u32 row = 0;
      std::vector<i64> members;
      if (auto e = find_group(name, row, members); !e.what.empty()) return e;
      for (std::vector<u32>& mine : of)
        std::sort(mine.begin(), mine.end(), [&](u32 a, u32 b) { return at(a).id < at(b).id; });
      const std::size_t count = of[static_cast<std::size_t>(members[0])].size();
      for (u32 r = 0; r < of.size(); ++r) {
        const bool member = std::binary_search(members.begin(), members.end(), i64{r});
        if (of[r].size() != (member ? count : 0))
          return {"process group " + shown(name) + ": rank " + std::to_string(members[0]) + " makes " +
                  std::to_string(count) + " collectives and rank " + std::to_string(r) + " makes " +
                  std::to_string(of[r].size()) +
                  "; all members, and only they, must make the same calls; give the traces of one run"};
      }
      for (std::size_t i = 0; i < count; ++i) {
        unit u;
        for (i64 r : members) u.nodes.push_back(of[static_cast<std::size_t>(r)][i]);
        if (auto e = add_call(u, row, members.size()); !e.what.empty()) return e;
      }
    }
    return {};
  }
  error add_call(unit& u, u32 group_row, std::size_t members) {
    const node& n = at(u.nodes[0]);
    const auto kind = collective_of(n);
    const i64 size = n.integer("comm_size").value_or(-1);
    for (u32 other : u.nodes)
      if (collective_of(at(other)) != kind || at(other).integer("comm_size").value_or(-1) != size)
        return {who(other) + " is another call or size than " + who(u.nodes[0]) +
                "; members must make the same call; give the traces of one run"};
    if (!kind) return {who(u.nodes[0]) + " has a comm_type above 9; 0 to 9 are known; correct it"};
    if (size < 0) return {who(u.nodes[0]) + " has no comm_size; bytes are required; repair the producer"};
    call_row row;
    row.group = group_row;
    row.members = static_cast<u32>(u.nodes.size());
    row.name = n.name.c_str();
    row.what.over = dimension::dp;
    row.what.size = {size};
    switch (*kind) {
      case collective_type::all_reduce: row.what.kind = call::all_reduce; break;
      case collective_type::all_gather:
        row.what.kind = call::all_gather;
        if (means_.gather_is_shard && size > (i64{1} << 62) / static_cast<i64>(members))
          return {who(u.nodes[0]) + " gathers beyond 64 bits; correct comm_size"};
        if (means_.gather_is_shard) row.what.size = {size * static_cast<i64>(members)};
        break;
      case collective_type::reduce_scatter:
      case collective_type::reduce_scatter_block: row.what.kind = call::reduce_scatter; break;
      case collective_type::all_to_all: row.what.kind = call::all_to_all; break;
      case collective_type::broadcast: row.what.kind = call::broadcast; break;
      case collective_type::reduce: row.what.kind = call::reduce; break;
      default:
        return {who(u.nodes[0]) + " is " + name(*kind) +
                ", which no collective model here prices; all-reduce, all-gather, reduce-scatter, all-to-all, "
                "broadcast or reduce is required; replace it"};
    }
    add_unit(u, row);
    return {};
  }

  error match_messages() {
    using channel = std::tuple<i64, i64, i64, i64>;  // from, to, tag, bytes
    std::map<channel, std::pair<std::vector<u32>, std::vector<u32>>> messages;
    for (u32 n = 0; n < where_.size(); ++n) {
      const bool sends = at(n).type == node_type::send;
      if (!sends && at(n).type != node_type::receive) continue;
      const i64 self = where_[n].rank, other = at(n).integer(sends ? "comm_dst" : "comm_src").value_or(0);
      const i64 tag = at(n).integer("comm_tag").value_or(0), size = at(n).integer("comm_size").value_or(-1);
      if (size < 0 || other < 0 || other >= static_cast<i64>(ranks_.size()) || other == self)
        return {who(n) + " has no comm_size, or its peer is no other rank; both are required; repair the producer"};
      auto& m = messages[sends ? channel{self, other, tag, size} : channel{other, self, tag, size}];
      (sends ? m.first : m.second).push_back(n);
    }
    for (const auto& [c, m] : messages) {
      if (m.first.size() != m.second.size())
        return {"rank " + std::to_string(std::get<0>(c)) + " to " + std::to_string(std::get<1>(c)) + ", tag " +
                std::to_string(std::get<2>(c)) + ": " + std::to_string(m.first.size()) + " sends and " +
                std::to_string(m.second.size()) + " receives; they must pair up; give the traces of one run"};
      for (std::size_t i = 0; i < m.first.size(); ++i) {
        unit u;
        u.nodes = {m.first[i], m.second[i]};
        const u32 from = static_cast<u32>(std::get<0>(c)), to = static_cast<u32>(std::get<1>(c));
        group g;
        g.base = std::min(from, to);
        g.members[0] = {2, std::max(from, to) - g.base};
        const auto [pair, fresh] =
            pairs_.try_emplace({g.base, g.members[0].stride}, static_cast<u32>(out_.made.groups.size()));
        if (fresh) out_.made.groups.push_back(g);
        call_row row;
        row.group = pair->second;
        row.members = 2;
        row.name = at(u.nodes[0]).name.c_str();
        row.what = {call::send, {std::get<3>(c)}, dimension::pp};
        add_unit(u, row);
      }
    }
    return {};
  }
  void add_unit(unit& u, const call_row& row) {
    const auto [same, fresh] =
        rows_.try_emplace({static_cast<int>(row.what.kind), row.what.size.count, row.group, row.members},
                          static_cast<u32>(out_.made.calls.size()));
    if (fresh) out_.made.calls.push_back(row);
    u.row = same->second;
    for (u32 n : u.nodes)  // a receive is a unit of its own: it does not hold its message up
      (at(n).type == node_type::receive ? message_of_[n] : unit_of_[n]) = static_cast<u32>(units_.size());
    units_.push_back(std::move(u));
  }

  [[nodiscard]] kernel kernel_of(const node& n) const {
    kernel k;
    k.name = n.name.c_str();
    k.kind = n.type == node_type::compute ? kernel_kind::elementwise : kernel_kind::copy;
    k.work = {static_cast<double>(n.integer("num_ops").value_or(0))};
    k.moved = {n.integer("tensor_size").value_or(0)};
    if (n.duration != 0 || (k.work.count <= 0 && k.moved.count <= 0))
      k.given = {static_cast<i64>(n.duration) * means_.duration_ps};
    return k;
  }

  error emit() {
    std::map<std::tuple<double, i64, i64>, u32> distinct;  // kernels by work, bytes, given time
    std::vector<u32> kernels(where_.size(), invalid);
    for (u32 n = 0; n < where_.size(); ++n) {
      if (unit_of_[n] != invalid) continue;
      unit u;
      u.nodes = {n};
      unit_of_[n] = static_cast<u32>(units_.size());
      units_.push_back(std::move(u));
      const bool works = at(n).type == node_type::compute || at(n).type == node_type::memory_load ||
                         at(n).type == node_type::memory_store;
      if (!works) continue;
      if (at(n).duration > (u64{1} << 61) / static_cast<u64>(std::max<i64>(1, means_.duration_ps)))
        return {who(n) + " lasts longer than a run can hold; correct its duration or its unit"};
      const kernel k = kernel_of(at(n));
      const auto [same, fresh] =
          distinct.try_emplace({k.work.count, k.moved.count, k.given.ps}, static_cast<u32>(out_.made.kernels.size()));
      if (fresh) out_.made.kernels.push_back(k);
      kernels[n] = same->second;
    }
    std::vector<std::vector<u32>> after(units_.size());
    for (u32 n = 0; n < where_.size(); ++n)
      for (u32 b : before_[n]) after[unit_of_[b]].push_back(unit_of_[n]), ++units_[unit_of_[n]].open;
    for (const auto& [n, message] : message_of_) after[message].push_back(unit_of_[n]), ++units_[unit_of_[n]].open;
    std::vector<u32> ready, ends(where_.size(), invalid);  // ends: the operation of a node
    for (u32 u = 0; u < units_.size(); ++u)
      if (units_[u].open == 0) ready.push_back(u);
    for (std::size_t next = 0; next < ready.size(); ++next) {
      emit_unit(units_[ready[next]], kernels, ends);
      for (u32 u : after[ready[next]])
        if (--units_[u].open == 0) ready.push_back(u);
    }
    if (ready.size() == units_.size()) return {};
    for (u32 u = 0; u < units_.size(); ++u)
      if (units_[u].open != 0)
        return {who(units_[u].nodes[0]) + " and " + std::to_string(units_.size() - ready.size() - 1) +
                " more wait for each other; every node must be able to start; repair the traces"};
    return {};
  }

  void emit_unit(const unit& u, const std::vector<u32>& kernels, std::vector<u32>& ends) {
    program& p = out_.made;
    const u32 calls = static_cast<u32>(p.kernels.size());
    if (u.row == invalid && kernels[u.nodes[0]] == invalid) {  // what waits for it waits for what it waits for
      const u32 n = u.nodes[0];
      ++out_.nodes;
      passed_[n] = causes(n, ends);
      if (at(n).type == node_type::receive)
        passed_[n].push_back(arrived_.at(n));
      else
        ++out_.metadata;
      return;
    }
    for (std::size_t m = 0; m < u.nodes.size(); ++m) {
      const u32 n = u.nodes[m];
      const bool message = u.row != invalid && p.calls[u.row].what.kind == call::send;
      const u32 lane = u.row == invalid ? u32{compute}
                       : !message       ? lane_of(p.calls[u.row].group)
                       : m == 0         ? u32{send_forward}
                                        : u32{receive_forward};
      const u32 op = p.add(u.row != invalid ? calls + u.row : kernels[n], stream_of(where_[n].rank, lane));
      ++out_.operations;
      if (message && m == 1) {
        arrived_[n] = op;
        continue;
      }
      ++out_.nodes;
      ends[n] = op;
      for (u32 cause : causes(n, ends)) p.after(cause);
    }
  }
  [[nodiscard]] std::vector<u32> causes(u32 n, const std::vector<u32>& ends) const {
    std::vector<u32> all;
    for (u32 b : before_[n]) {
      if (ends[b] != invalid)
        all.push_back(ends[b]);
      else if (const auto p = passed_.find(b); p != passed_.end())
        all.insert(all.end(), p->second.begin(), p->second.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
  /// Groups share lanes when they are many.
  static u32 lane_of(u32 group_row) {
    constexpr u32 spare[] = {tp_comm, cp_comm, ep_comm, dp_comm, 10, 11, 12, 13, 14, 15};
    return spare[group_row % 10];
  }

  const std::vector<trace>& ranks_;
  const meaning& means_;
  std::vector<place_of_node> where_;  // of nodes of all ranks, numbered through
  std::vector<u32> unit_of_;
  std::vector<std::vector<u32>> before_;
  std::vector<unit> units_;
  std::map<std::string, std::pair<u32, std::vector<i64>>> groups_;
  std::map<std::pair<u32, u32>, u32> pairs_;
  std::map<std::tuple<int, i64, u32, u32>, u32> rows_;
  std::map<u32, std::vector<u32>> passed_;
  std::map<u32, u32> message_of_, arrived_;  // of receives: the unit, the operation
  chakra_program out_;
};

}  // namespace detail

/// Makes a program of the traces of ranks 0 … n−1. Sends are eager, as in ASTRA-sim: a message starts when its sender
/// does, and what waits for a receive waits for the message and for what the receive waits for. Compute nodes with a
/// duration keep it; those without are priced by the device from num_ops and tensor_size. Assumption: operations of one
/// stream start in the order in which their dependencies allow them, first come, first served. Refused: what check()
/// refuses, groups that are no constant stride, GATHER, SCATTER and BARRIER, and nodes that wait for each other.
[[nodiscard]] inline result<chakra_program> program_of(const std::vector<trace>& ranks, const meaning& m = {}) {
  if (ranks.empty()) return error{"no trace; the traces of all ranks are required; give them in order of rank"};
  if (m.duration_ps < 1 || m.duration_ps > 1'000'000'000'000)
    return error{"a unit of " + std::to_string(m.duration_ps) + " ps; 1 to 1e12 is required; correct it"};
  auto r = detail::program_maker{ranks, m}.make();
  if (!r) return r;
  if (r->metadata != 0) r.note(std::to_string(r->metadata) + " metadata nodes take no time");
  if (r->made.calls.empty()) r.note("no rank communicates");
  return r;
}

}  // namespace echosim::inline v0::chakra
