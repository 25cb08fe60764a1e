// SPDX-License-Identifier: MIT
// ASTRA-sim's own inputs beside traces: analytical network (YAML), system (JSON), communicator groups, logical
// dimensions (astra-sim/astra-sim 2.0, inputs/ and extern/network_backend/analytical).
#pragma once
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json_fields.hpp"
#include "text_lines.hpp"

namespace echosim::inline v0::astra {

enum class topology : u8 { ring, fully_connected, wired_switch };

/// One dimension; NPU id = d0 + n0·(d1 + n1·d2 …). ASTRA-sim's GB are GiB (2^30 B).
struct dimension {
  topology kind = topology::ring;
  i64 npus = 1;
  double bandwidth = 0;  ///< GiB/s of a link, one direction
  double latency = 0;    ///< ns of a link
};
using network = std::vector<dimension>;

enum class scheduling : u8 { lifo, fifo, explicit_order };

/// Algorithms by dimension, innermost first; empty: not stated.
struct system {
  scheduling policy = scheduling::lifo;
  i64 endpoint_delay = 10;  ///< ns
  i64 active_chunks = 1, splits = 1;
  std::vector<std::string> all_reduce, all_gather, reduce_scatter, all_to_all;
  std::vector<std::string> custom_all_reduce, custom_all_gather, custom_reduce_scatter,
      custom_all_to_all;  ///< ET prefixes
  bool local_bandwidth_aware = false;
  std::optional<double> local_memory;  ///< GB/s
  std::optional<double> peak;          ///< TFLOP/s
  bool roofline = false, replay_only = false;
};

[[nodiscard]] inline bool is_network(const json& r) {
  return r.find("topology") != nullptr && r.find("npus_count") != nullptr;
}
[[nodiscard]] inline bool is_system(const json& r) {
  return r.find("scheduling-policy") != nullptr || r.find("preferred-dataset-splits") != nullptr;
}

/// Reads a network. The four lists must be of one length; a scalar is refused, since ASTRA-sim reads it as an empty
/// list.
[[nodiscard]] inline result<network> read_network(const json& root) {
  json_fields f{root};
  network n;
  std::array<const json::array*, 4> lists{};
  const std::string_view names[] = {"topology", "npus_count", "bandwidth", "latency"};
  for (std::size_t i = 0; i < 4 && !f.failed(); ++i) {
    const json* const v = f.find({names[i]});
    if (v == nullptr)
      f.missing({names[i]});
    else if (v->items() == nullptr)
      f.wrong({names[i]}, *v, "a list such as [ 8 ]: ASTRA-sim reads a bare value as nothing");
    else
      lists[i] = v->items();
    if (!f.failed() && lists[i]->size() != lists[0]->size())
      f.fail({"line " + std::to_string(v->line) + ": found " + std::to_string(lists[i]->size()) + " entries of " +
              std::string{names[i]} + "; expected " + std::to_string(lists[0]->size()) +
              " as in topology; make the lists equally long"});
  }
  if (f.failed()) return f.why();
  for (std::size_t d = 0; d < lists[0]->size(); ++d) {
    const json &kind = (*lists[0])[d], &npus = (*lists[1])[d], &bandwidth = (*lists[2])[d], &latency = (*lists[3])[d];
    dimension x;
    const std::string* const k = kind.string();
    if (k != nullptr && *k == "Ring")
      x.kind = topology::ring;
    else if (k != nullptr && *k == "FullyConnected")
      x.kind = topology::fully_connected;
    else if (k != nullptr && *k == "Switch")
      x.kind = topology::wired_switch;
    else
      return error{"line " + std::to_string(kind.line) + ": found the topology " +
                   (k != nullptr ? shown(*k) : kind.kind()) + "; expected Ring, FullyConnected or Switch; correct it"};
    x.npus = npus.integer().value_or(0);
    x.bandwidth = bandwidth.real().value_or(0);
    x.latency = latency.real().value_or(-1);
    if (x.npus < 2 || x.npus > (i64{1} << 31) || x.bandwidth <= 0 || x.latency < 0)
      return error{
          "line " + std::to_string(npus.line) + ": found a dimension " + std::to_string(d) +
          " without at least 2 NPUs, bandwidth above 0 and latency of at least 0; expected all three; correct it"};
    n.push_back(x);
  }
  if (n.empty()) return error{"the network has no dimension; at least one is required; add it to all four lists"};
  return n;
}

namespace detail {

/// ring, direct, oneDirect with a window behind it, …
inline bool known_algorithm(std::string_view name) {
  for (std::string_view base : {"direct", "oneDirect"})
    if (name.substr(0, base.size()) == base && (name.size() == base.size() || whole_number(name.substr(base.size()))))
      return true;
  for (std::string_view exact : {"ring", "oneRing", "halvingDoubling", "oneHalvingDoubling", "doubleBinaryTree"})
    if (name == exact) return true;
  return false;
}
inline std::vector<std::string> names(json_fields& f, std::string_view key, bool algorithms) {
  std::vector<std::string> all;
  const json* const v = f.find({key});
  if (v == nullptr) return all;
  if (v->items() == nullptr) return f.wrong({key}, *v, "a list of one name a dimension"), all;
  for (const json& one : *v->items()) {
    if (one.string() == nullptr || (algorithms && !known_algorithm(*one.string()))) {
      f.fail({"line " + std::to_string(one.line) + ": found " +
              (one.string() != nullptr ? shown(*one.string()) : one.kind()) + " in " + std::string{key} +
              "; expected ring, direct, halvingDoubling, doubleBinaryTree or their one… forms; correct it"});
      return all;
    }
    all.push_back(*one.string());
  }
  return all;
}

}  // namespace detail

/// Reads a system. Members that ASTRA-sim reads and this does not, or that nobody reads, are noted.
[[nodiscard]] inline result<system> read_system(const json& root) {
  json_fields f{root};
  system s;
  const std::string_view policy = f.maybe_text({"scheduling-policy"});
  s.policy = policy == "FIFO" ? scheduling::fifo : policy == "EXPLICIT" ? scheduling::explicit_order : scheduling::lifo;
  s.endpoint_delay = f.maybe_whole({"endpoint-delay"}, 0, i64{1} << 40).value_or(10);
  s.active_chunks = f.maybe_whole({"active-chunks-per-dimension"}, 1, 1'000'000).value_or(1);
  s.splits = f.whole({"preferred-dataset-splits"}, 1, 1'000'000);  // ASTRA-sim divides by it
  struct list {
    const char* key;
    std::vector<std::string>* to;
    bool algorithms;
  };
  const list lists[] = {{"all-reduce-implementation", &s.all_reduce, true},
                        {"all-gather-implementation", &s.all_gather, true},
                        {"reduce-scatter-implementation", &s.reduce_scatter, true},
                        {"all-to-all-implementation", &s.all_to_all, true},
                        {"all-reduce-implementation-custom", &s.custom_all_reduce, false},
                        {"all-gather-implementation-custom", &s.custom_all_gather, false},
                        {"reduce-scatter-implementation-custom", &s.custom_reduce_scatter, false},
                        {"all-to-all-implementation-custom", &s.custom_all_to_all, false}};
  for (const list& l : lists) *l.to = detail::names(f, l.key, l.algorithms);
  const std::string_view optimization = f.maybe_text({"collective-optimization"});
  s.local_bandwidth_aware = optimization == "localBWAware";
  s.local_memory = f.maybe_real({"local-mem-bw"});
  s.peak = f.maybe_real({"peak-perf"});
  s.roofline = f.maybe_whole({"roofline-enabled"}, 0, 1).value_or(0) != 0;
  s.replay_only = f.maybe_whole({"replay-only"}, 0, 1).value_or(0) != 0;
  if (f.failed()) return f.why();
  if (!policy.empty() && policy != "LIFO" && policy != "FIFO" && policy != "EXPLICIT")
    return error{"scheduling-policy " + shown(policy) + " is unknown; LIFO, FIFO or EXPLICIT is required; correct it"};
  if (!optimization.empty() && optimization != "localBWAware" && optimization != "baseline")
    return error{"collective-optimization " + shown(optimization) +
                 " is unknown; baseline or localBWAware is required; correct it"};
  if ((s.local_memory && *s.local_memory <= 0) || (s.peak && *s.peak <= 0))
    return error{"local-mem-bw or peak-perf is not above 0; rates are required; correct them"};
  result<system> r = s;
  if (policy.empty()) r.note("no scheduling-policy: LIFO; ASTRA-sim leaves it uninitialised");
  const std::string_view known[] = {"scheduling-policy",
                                    "endpoint-delay",
                                    "active-chunks-per-dimension",
                                    "preferred-dataset-splits",
                                    "collective-optimization",
                                    "local-mem-bw",
                                    "peak-perf",
                                    "roofline-enabled",
                                    "replay-only"};
  for (const json::member& m : *root.members())
    if (std::find(std::begin(known), std::end(known), m.name) == std::end(known) &&
        std::none_of(std::begin(lists), std::end(lists), [&](const list& l) { return m.name == l.key; }))
      r.note(shown(m.name) + " is not read");
  return r;
}

/// Reads communicator groups: {"1": [0, 1, …], …}. Names are numbers above 0.
[[nodiscard]] inline result<std::map<i64, std::vector<i64>>> read_groups(const json& root) {
  if (root.members() == nullptr)
    return error{"the file is " + std::string{root.kind()} +
                 "; an object of groups is required; give {\"1\": [ranks]}"};
  std::map<i64, std::vector<i64>> groups;
  for (const json::member& m : *root.members()) {
    const auto id = whole_number(m.name);
    if (!id || *id < 1 || m.value.items() == nullptr || m.value.items()->empty())
      return error{"line " + std::to_string(m.value.line) + ": found the group " + shown(m.name) +
                   "; expected a number above 0 and a list of ranks; correct it"};
    std::vector<i64> ranks;
    for (const json& r : *m.value.items()) {
      const auto rank = r.integer();
      if (!rank || *rank < 0)
        return error{"line " + std::to_string(r.line) + ": found a member of group " + m.name +
                     " that is no rank; expected numbers of at least 0; correct it"};
      ranks.push_back(*rank);
    }
    std::vector<i64> sorted = ranks;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      return error{"line " + std::to_string(m.value.line) + ": found a rank twice in group " + m.name +
                   "; expected distinct ranks; remove one"};
    groups.emplace(*id, std::move(ranks));
  }
  return groups;
}

/// Reads {"logical-dims": ["8", "2"]} of the ns-3 backend.
[[nodiscard]] inline result<std::vector<i64>> read_dimensions(const json& root) {
  const json* const list = root.find("logical-dims");
  if (list == nullptr || list->items() == nullptr || list->items()->empty())
    return error{
        "the file has no list logical-dims; sizes of the dimensions are required; give {\"logical-dims\": [\"8\"]}"};
  std::vector<i64> all;
  for (const json& d : *list->items()) {
    const auto n = d.string() != nullptr ? whole_number(*d.string()) : d.integer();
    if (!n || *n < 1)
      return error{"line " + std::to_string(d.line) +
                   ": found a dimension that is no number above 0; expected one; correct it"};
    all.push_back(*n);
  }
  return all;
}

}  // namespace echosim::inline v0::astra
