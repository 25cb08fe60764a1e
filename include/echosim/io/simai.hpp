// SPDX-License-Identifier: MIT
// Text workloads of SimAI and ASTRA-sim 1 (aliyun/SimAI, astra-sim-alibabacloud/astra-sim/workload/Workload.cc): layers
// with a time and a call in each of three passes.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "shown.hpp"
#include "text_lines.hpp"

namespace echosim::inline v0::simai {

enum class call_kind : u8 {
  none,
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  all_reduce_all_to_all,
  broadcast
};
/// `usual`: tensor-parallel in the forward and input-gradient pass, data-parallel in the weight-gradient pass.
enum class call_group : u8 { usual, expert, data_of_experts };

struct step {
  i64 time = 0;  ///< ns
  call_kind call = call_kind::none;
  call_group over = call_group::usual;
  i64 size = 0;  ///< bytes
};
struct layer {
  std::string name;
  i64 dependency = -1;  ///< index of the layer that comes before, or −1
  step forward, input_gradient, weight_gradient;
  i64 update = 0;  ///< ns
};
struct workload {
  std::string policy;
  std::optional<i64> tp, ep, pp, vpp, accumulation, gpus;  ///< what line 1 says; absent where it does not
  std::optional<i64> pp_bytes;                             ///< what stages send each other
  std::vector<i64> checkpoints, checkpoint_initiates;
  std::vector<layer> layers;
};

namespace detail {

inline constexpr std::array<std::string_view, 13> policies{"HYBRID_TRANSFORMER_FWD_IN_BCKWD",
                                                           "HYBRID_TRANSFORMER",
                                                           "HYBRID_DLRM",
                                                           "HYBRID_DLRM_ENHANCED",
                                                           "DLRM",
                                                           "DATA",
                                                           "MODEL",
                                                           "HYBRID_DATA_MODEL",
                                                           "HYBRID_MODEL_DATA",
                                                           "HYBRID_CUSTOMIZED",
                                                           "MICRO",
                                                           "DISTRIBUTED_INFERENCE",
                                                           "TRANSFORMER"};

inline error wrong(u64 line, const std::string& found, const std::string& expected, const char* remedy) {
  return {"line " + std::to_string(line) + ": found " + found + "; expected " + expected + "; " + remedy};
}

/// ALLREDUCE, ALLGATHER_DP_EP …: kind and group.
inline bool read_call(std::string_view text, step& s) {
  constexpr std::string_view dp_ep = "_DP_EP", ep = "_EP";
  const auto ends = [&](std::string_view suffix) {
    return text.size() > suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
  };
  if (ends(dp_ep)) {
    s.over = call_group::data_of_experts;
    text.remove_suffix(dp_ep.size());
  } else if (ends(ep)) {
    s.over = call_group::expert;
    text.remove_suffix(ep.size());
  }
  constexpr std::array<std::string_view, 7> names{"NONE",     "ALLREDUCE",         "ALLGATHER", "REDUCESCATTER",
                                                  "ALLTOALL", "ALLREDUCEALLTOALL", "BROADCAST"};
  const auto at = std::find(names.begin(), names.end(), text);
  if (at == names.end()) return false;
  s.call = static_cast<call_kind>(at - names.begin());
  return true;
}

/// The `key: value` pairs of line 1; the colon may be missing.
inline std::optional<error> read_header(const std::vector<std::string_view>& words, u64 line, workload& w) {
  for (std::size_t i = 1; i < words.size();) {
    std::string_view key = words[i++];
    if (!key.empty() && key.back() == ':') key.remove_suffix(1);
    const auto value = [&]() -> std::optional<i64> {
      return i < words.size() ? whole_number(words[i++]) : std::nullopt;
    };
    std::optional<i64>* single = key == "model_parallel_NPU_group" ? &w.tp
                                 : key == "ep"                     ? &w.ep
                                 : key == "pp"                     ? &w.pp
                                 : key == "vpp"                    ? &w.vpp
                                 : key == "ga"                     ? &w.accumulation
                                 : key == "all_gpus"               ? &w.gpus
                                 : key == "pp_comm"                ? &w.pp_bytes
                                                                   : nullptr;
    std::vector<i64>* list = key == "checkpoints"            ? &w.checkpoints
                             : key == "checkpoint_initiates" ? &w.checkpoint_initiates
                                                             : nullptr;
    if (single == nullptr && list == nullptr)
      return wrong(line, "the key " + shown(key),
                   "model_parallel_NPU_group, ep, pp, vpp, ga, all_gpus, checkpoints, checkpoint_initiates or pp_comm",
                   "remove it");
    std::optional<i64> v = value();
    if (!v || *v < (single == &w.pp_bytes || list != nullptr ? 0 : 1))
      return wrong(line, "no number of at least 1 behind " + shown(key), "one", "complete the line");
    if (single != nullptr) *single = v;
    for (i64 left = list != nullptr ? *v : 0; left > 0; --left) {
      if (v = value(); !v)
        return wrong(line, "fewer indices than " + shown(key) + " announces", "as many", "complete the line");
      list->push_back(*v);
    }
  }
  return std::nullopt;
}

}  // namespace detail

/// Reads a workload. Line 2 must state the number of layers that follow, no more and no fewer; sizes and times are
/// whole numbers of 64 bits; tp·pp must divide the number of GPUs.
[[nodiscard]] inline result<workload> read_workload(std::string_view text) {
  text_lines lines{text};
  workload w;
  if (!lines.next_filled())
    return detail::wrong(1, "an empty text", "a policy word and key: value pairs", "give a workload");
  const std::vector<std::string_view> head = words_of(lines.text());
  if (std::find(detail::policies.begin(), detail::policies.end(), head[0]) == detail::policies.end())
    return detail::wrong(lines.number(), shown(head[0]),
                         "a policy word such as HYBRID_TRANSFORMER_FWD_IN_BCKWD, DATA or MICRO",
                         "give a SimAI or ASTRA-sim 1 workload");
  w.policy = head[0];
  if (const std::optional<error> e = detail::read_header(head, lines.number(), w)) return *e;
  if (w.gpus && (*w.gpus % w.tp.value_or(1) != 0 || *w.gpus / w.tp.value_or(1) % w.pp.value_or(1) != 0))
    return detail::wrong(lines.number(), "all_gpus " + std::to_string(*w.gpus),
                         "a multiple of model_parallel_NPU_group " + std::to_string(w.tp.value_or(1)) + " times pp " +
                             std::to_string(w.pp.value_or(1)),
                         "correct the header");

  std::optional<i64> stated;
  if (lines.next_filled())
    if (const auto words = words_of(lines.text()); words.size() == 1) stated = whole_number(words[0]);
  if (!stated || *stated < 0)
    return detail::wrong(lines.number(), shown(lines.text()), "the number of layers alone", "add it as line 2");
  while (lines.next_filled()) {
    const std::vector<std::string_view> words = words_of(lines.text());
    if (words.size() != 12)
      return detail::wrong(lines.number(), std::to_string(words.size()) + " columns",
                           "12 (name, dependency, three times time call bytes, update)", "complete the row");
    layer l;
    l.name = words[0];
    struct number {
      std::size_t at;
      i64* to;
      i64 least;
    };
    for (const number n : {number{1, &l.dependency, -1},
                           {2, &l.forward.time, 0},
                           {4, &l.forward.size, 0},
                           {5, &l.input_gradient.time, 0},
                           {7, &l.input_gradient.size, 0},
                           {8, &l.weight_gradient.time, 0},
                           {10, &l.weight_gradient.size, 0},
                           {11, &l.update, 0}}) {
      const std::optional<i64> v = whole_number(words[n.at]);
      if (!v || *v < n.least)
        return detail::wrong(lines.number(), shown(words[n.at]) + " in column " + std::to_string(n.at + 1),
                             "a whole number of at least " + std::to_string(n.least), "correct it");
      *n.to = *v;
    }
    for (const auto& [at, step] :
         {std::pair<std::size_t, struct step*>{3, &l.forward}, {6, &l.input_gradient}, {9, &l.weight_gradient}})
      if (!detail::read_call(words[at], *step))
        return detail::wrong(lines.number(), shown(words[at]) + " in column " + std::to_string(at + 1),
                             "NONE, ALLREDUCE, ALLGATHER, REDUCESCATTER, ALLTOALL, ALLREDUCEALLTOALL or BROADCAST, "
                             "with _EP or _DP_EP behind it or not",
                             "correct it");
    w.layers.push_back(std::move(l));
  }
  const i64 rows = static_cast<i64>(w.layers.size());
  if (rows != *stated)
    return error{"line 2 announces " + std::to_string(*stated) + " layers and " + std::to_string(rows) +
                 " follow; the two must agree; complete the file or correct line 2"};
  for (const layer& l : w.layers)
    if (l.dependency >= rows)
      return error{"layer " + shown(l.name) + " depends on layer " + std::to_string(l.dependency) + " of " +
                   std::to_string(rows) + "; an index below that, or -1, is required; correct it"};
  result<workload> r{std::move(w)};
  u64 calls = 0;
  for (const layer& l : r->layers)
    for (const step* s : {&l.forward, &l.input_gradient, &l.weight_gradient})
      calls += s->call != call_kind::none ? 1 : 0;
  if (calls == 0) r.note("the workload holds no communication");
  return r;
}

}  // namespace echosim::inline v0::simai
