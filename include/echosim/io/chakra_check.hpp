// SPDX-License-Identifier: MIT
// What must hold between the nodes of one trace, and between the traces of all ranks, before anything can run them.
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "../core/result.hpp"
#include "chakra.hpp"
#include "shown.hpp"

namespace echosim::inline v0::chakra {

/// Counts of a trace.
struct summary {
  u64 nodes = 0, compute = 0, sends = 0, receives = 0, collectives = 0, memory = 0, dependencies = 0;
};
[[nodiscard]] inline summary summary_of(const trace& t) {
  summary s;
  s.nodes = t.nodes.size();
  for (const node& n : t.nodes) {
    s.dependencies += n.control.size() + n.data.size();
    s.compute += n.type == node_type::compute ? 1 : 0;
    s.sends += n.type == node_type::send ? 1 : 0;
    s.receives += n.type == node_type::receive ? 1 : 0;
    s.collectives += n.type == node_type::collective ? 1 : 0;
    s.memory += n.type == node_type::memory_load || n.type == node_type::memory_store ? 1 : 0;
  }
  return s;
}

/// The nodes of a dependency cycle, each depending on the one before it and the first on the last; empty where there is
/// none. Ids are distinct and dependencies present, as read_trace made sure.
[[nodiscard]] inline std::vector<u64> cycle_of(const trace& t) {
  std::unordered_map<u64, std::size_t> at;
  for (std::size_t i = 0; i < t.nodes.size(); ++i) at.emplace(t.nodes[i].id, i);
  const auto before = [&](std::size_t node, std::size_t k) -> std::size_t {
    const struct node& n = t.nodes[node];
    return at.at(k < n.control.size() ? n.control[k] : n.data[k - n.control.size()]);
  };
  enum : char { fresh, open, closed };
  std::vector<char> state(t.nodes.size(), fresh);
  std::vector<std::pair<std::size_t, std::size_t>> path;  // node, next dependency to look at
  for (std::size_t root = 0; root < t.nodes.size(); ++root) {
    if (state[root] != fresh) continue;
    path.push_back({root, 0});
    state[root] = open;
    while (!path.empty()) {
      auto& [node, k] = path.back();
      if (k == t.nodes[node].control.size() + t.nodes[node].data.size()) {
        state[node] = closed;
        path.pop_back();
        continue;
      }
      const std::size_t next = before(node, k++);
      if (state[next] == open) {
        std::vector<u64> cycle;
        for (auto p = path.rbegin(); p != path.rend(); ++p) {
          cycle.push_back(t.nodes[p->first].id);
          if (p->first == next) break;
        }
        return cycle;
      }
      if (state[next] == fresh) {
        state[next] = open;
        path.push_back({next, 0});
      }
    }
  }
  return {};
}

/// Checks the traces of ranks 0 … n−1: no cycles; every send has the receive of its tag and size at its target and
/// the other way round; the ranks make the same
/// collectives of the world, by kind and size (files are in no order).
[[nodiscard]] inline result<summary> check(const std::vector<trace>& ranks) {
  summary sum;
  using channel = std::tuple<i64, i64, i64, i64>;  // from, to, tag, bytes
  std::map<channel, i64> balance;
  using called = std::pair<collective_type, i64>;
  std::vector<std::map<called, u64>> calls(ranks.size());
  const auto unequal = [](called c, u64 first, u64 other, std::size_t r) {
    return error{std::string{name(c.first)} + " of " + std::to_string(c.second) +
                 " bytes over the world: rank 0 makes " + std::to_string(first) + " and rank " + std::to_string(r) +
                 " makes " + std::to_string(other) +
                 "; all members must make the same calls; give the traces of one run"};
  };
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const std::string who = "rank " + std::to_string(r) + ": ";
    if (const std::vector<u64> cycle = cycle_of(ranks[r]); !cycle.empty()) {
      std::string ids;
      for (std::size_t i = 0; i < cycle.size() && i < 20; ++i) ids += (i == 0 ? "" : " -> ") + std::to_string(cycle[i]);
      return error{who + "nodes depend on each other in a circle (" + ids + (cycle.size() > 20 ? " …" : "") +
                   "); dependencies must end; remove one of them"};
    }
    const summary s = summary_of(ranks[r]);
    sum.nodes += s.nodes, sum.compute += s.compute, sum.sends += s.sends, sum.receives += s.receives;
    sum.collectives += s.collectives, sum.memory += s.memory, sum.dependencies += s.dependencies;
    for (const node& n : ranks[r].nodes) {
      if (n.type == node_type::collective && !collective_of(n))
        return error{who + "node " + std::to_string(n.id) + " has comm_type " +
                     std::to_string(n.integer("comm_type").value_or(-1)) + "; 0 to 9 are known; correct it"};
      if (n.type == node_type::collective && (n.find("pg_name") == nullptr || n.find("pg_name")->text.empty()))
        ++calls[r][{*collective_of(n), n.integer("comm_size").value_or(-1)}];
      if (n.type != node_type::send && n.type != node_type::receive) continue;
      const bool sends = n.type == node_type::send;
      const i64 self = static_cast<i64>(r), size = n.integer("comm_size").value_or(-1),
                tag = n.integer("comm_tag").value_or(0);
      const i64 other = n.integer(sends ? "comm_dst" : "comm_src").value_or(0);
      if (size < 0)
        return error{who + "node " + std::to_string(n.id) + " " + shown(n.name) +
                     " has no comm_size; a size in bytes is required; repair the producer"};
      if (other < 0 || static_cast<std::size_t>(other) >= ranks.size())
        return error{who + "node " + std::to_string(n.id) + " names rank " + std::to_string(other) + " of " +
                     std::to_string(ranks.size()) +
                     "; a rank of the traces given is required; give the traces of all ranks"};
      balance[sends ? channel{self, other, tag, size} : channel{other, self, tag, size}] += sends ? 1 : -1;
    }
  }
  for (const auto& [c, surplus] : balance)
    if (surplus != 0)
      return error{"rank " + std::to_string(std::get<0>(c)) + " to " + std::to_string(std::get<1>(c)) + ", tag " +
                   std::to_string(std::get<2>(c)) + ", " + std::to_string(std::get<3>(c)) +
                   " bytes: " + std::to_string(surplus > 0 ? surplus : -surplus) +
                   (surplus > 0 ? " sends without a receive" : " receives without a send") +
                   "; they must pair up; give the traces of one run"};
  for (std::size_t r = 1; r < calls.size(); ++r) {
    for (const auto& [call, count] : calls[0])
      if (const auto here = calls[r].find(call); here == calls[r].end() || here->second != count)
        return unequal(call, count, here == calls[r].end() ? 0 : here->second, r);
    for (const auto& [call, count] : calls[r])
      if (calls[0].find(call) == calls[0].end()) return unequal(call, 0, count, r);
  }
  result<summary> ok = sum;
  if (sum.sends + sum.collectives == 0) ok.note("no rank communicates");
  return ok;
}

}  // namespace echosim::inline v0::chakra
