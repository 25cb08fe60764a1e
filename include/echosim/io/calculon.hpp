// SPDX-License-Identifier: MIT
// Files of Calculon (calculon-ai/calculon; Isaev et al. 2023): a model, an execution, a system.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json_fields.hpp"
#include "training_setup.hpp"

namespace echosim::inline v0::calculon {

/// A rate by size: from `above` on, `share` of the peak. Sizes fall.
struct efficiency {
  double above = 0, share = 0;
};
struct engine {
  std::string type;  ///< float8, float16 …
  double tflops = 0;
  std::vector<efficiency> by_gflops;
};
struct memory {
  double gib = 0, gbps = 0;
  std::vector<efficiency> by_mb;
};
struct network {
  double gbps = 0, share = 1, latency = 0, processor_usage = 0;  ///< GB/s, seconds
  i64 size = 0;
};
struct system {
  std::vector<engine> matrix, vector;
  memory near, far;
  std::vector<network> networks;
};

[[nodiscard]] inline bool is_model(const json& r) {
  return r.find("feedforward") != nullptr && r.find("num_blocks") != nullptr;
}
[[nodiscard]] inline bool is_execution(const json& r) {
  return r.find("num_procs") != nullptr && r.find("tensor_par") != nullptr;
}
[[nodiscard]] inline bool is_system(const json& r) {
  return r.find("matrix") != nullptr && r.find("networks") != nullptr;
}

/// Reads a model. Calculon counts no embedding: the vocabulary stays open. Heads of another total size than the hidden
/// size are taken as the file says, with a note.
[[nodiscard]] inline result<training_setup> read_model(const json& root) {
  json_fields f{root};
  constexpr i64 most = i64{1} << 31;
  training_setup s;
  s.hidden = f.whole({"hidden"}, 1, most);
  s.ffn = f.whole({"feedforward"}, 1, most);
  s.sequence = f.whole({"seq_size"}, 1, most);
  s.heads = f.whole({"attn_heads"}, 1, most);
  s.head_dim = f.whole({"attn_size"}, 1, most);
  s.layers = f.whole({"num_blocks"}, 1, most);
  s.kv_heads = s.heads;
  s.max_positions = s.sequence;
  if (f.failed()) return f.why();
  result<training_setup> r = s;
  if (*s.heads * *s.head_dim != *s.hidden)
    r.note(std::to_string(*s.heads) + " heads of " + std::to_string(*s.head_dim) + " make " +
           std::to_string(*s.heads * *s.head_dim) + " columns, not the hidden size " + std::to_string(*s.hidden) +
           ": taken as the file says");
  return r;
}

/// Reads an execution. The three degrees must multiply to num_procs.
[[nodiscard]] inline result<training_setup> read_execution(const json& root) {
  json_fields f{root};
  constexpr i64 most = 1'000'000;
  training_setup s;
  s.world = f.whole({"num_procs"}, 1, most);
  s.tp = f.whole({"tensor_par"}, 1, most);
  s.pp = f.whole({"pipeline_par"}, 1, most);
  s.dp = f.whole({"data_par"}, 1, most);
  s.global_batch = f.whole({"batch_size"}, 1, i64{1} << 31);
  s.micro_batch = f.whole({"microbatch_size"}, 1, most);
  s.virtual_stages = f.maybe_whole({"pipeline_interleaving"}, 1, most);
  const std::string_view type = f.text({"datatype"}), again = f.text({"activation_recompute"}),
                         tp = f.maybe_text({"tensor_par_comm_type"});
  constexpr std::array<std::pair<std::string_view, dtype>, 4> types{
      {{"float8", dtype::fp8}, {"float16", dtype::fp16}, {"bfloat16", dtype::bf16}, {"float32", dtype::fp32}}};
  for (const auto& [name, t] : types)
    if (type == name) s.type = t;
  s.recomputes = again == "full" ? recompute::full : again == "attn_only" ? recompute::selective : recompute::none;
  s.sequence_parallel = tp == "rs_ag" || tp == "p2p_rs_ag";
  if (f.flag({"optimizer_sharding"}, false)) s.shards = sharding::optimizer;
  s.overlap_gradients = f.flag({"data_par_overlap"}, false);
  const bool training = f.flag({"training"}, true);
  if (f.failed()) return f.why();
  if (!s.type)
    return error{"datatype " + shown(type) +
                 " is unknown; float8, float16, bfloat16 or float32 is required; correct it"};
  if (again != "full" && again != "attn_only" && again != "none")
    return error{"activation_recompute " + shown(again) +
                 " is unknown; full, attn_only or none is required; correct it"};
  if (*s.tp * *s.pp * *s.dp != *s.world)
    return error{"tensor_par " + std::to_string(*s.tp) + ", pipeline_par " + std::to_string(*s.pp) + " and data_par " +
                 std::to_string(*s.dp) + " multiply to " + std::to_string(*s.tp * *s.pp * *s.dp) + "; num_procs " +
                 std::to_string(*s.world) + " is required; correct one of them"};
  result<training_setup> r = s;
  if (!training) r.note("the execution is of inference");
  for (const char* offload : {"weight_offload", "activations_offload", "optimizer_offload"})
    if (f.flag({offload}, false)) r.note(std::string{offload} + " is on; nothing is offloaded here");
  return r;
}

namespace detail {

inline std::vector<efficiency> read_efficiency(json_fields& f, std::string_view name) {
  std::vector<efficiency> all;
  const json* const list = f.find({name});
  if (list == nullptr || list->items() == nullptr) return f.missing({name}), all;
  for (const json& pair : *list->items()) {
    const bool two = pair.items() != nullptr && pair.items()->size() == 2;
    const auto above = two ? (*pair.items())[0].real() : std::nullopt,
               share = two ? (*pair.items())[1].real() : std::nullopt;
    if (!above || !share || *share <= 0 || *share > 1 || *above < 0 || (!all.empty() && *above >= all.back().above)) {
      f.fail({"line " + std::to_string(pair.line) + ": found an entry of " + shown(name) +
              " that is no [size, share] with falling sizes and shares in (0, 1]; expected one; correct it"});
      return all;
    }
    all.push_back({*above, *share});
  }
  return all;
}
inline std::vector<engine> read_engines(json_fields& f, std::string_view name) {
  std::vector<engine> all;
  const json* const group = f.find({name});
  if (group == nullptr || group->members() == nullptr) return f.missing({name}), all;
  for (const json::member& m : *group->members()) {
    json_fields e{m.value};
    engine x;
    x.type = m.name;
    x.tflops = e.real({"tflops"});
    x.by_gflops = read_efficiency(e, "gflops_efficiency");
    if (e.failed()) f.fail(e.why());
    all.push_back(std::move(x));
  }
  return all;
}
inline memory read_memory(json_fields& f, std::string_view name) {
  memory m;
  const json* const part = f.find({name});
  if (part == nullptr) return f.missing({name}), m;
  json_fields e{*part};
  m.gib = e.real({"GiB"});
  m.gbps = e.real({"GBps"});
  m.by_mb = read_efficiency(e, "MB_efficiency");
  if (e.failed()) f.fail(e.why());
  return m;
}

}  // namespace detail

[[nodiscard]] inline result<system> read_system(const json& root) {
  json_fields f{root};
  system s;
  s.matrix = detail::read_engines(f, "matrix");
  s.vector = detail::read_engines(f, "vector");
  s.near = detail::read_memory(f, "mem1");
  s.far = detail::read_memory(f, "mem2");
  const json* const list = f.find({"networks"});
  if (list == nullptr || list->items() == nullptr || list->items()->empty()) f.missing({"networks"});
  if (!f.failed())
    for (const json& n : *list->items()) {
      json_fields e{n};
      network x;
      x.gbps = e.real({"bandwidth"});
      x.share = e.real({"efficiency"});
      x.size = e.whole({"size"}, 1, i64{1} << 31);
      x.latency = e.real({"latency"});
      x.processor_usage = e.maybe_real({"processor_usage"}).value_or(0);
      if (!e.failed() && (x.gbps <= 0 || x.share <= 0 || x.share > 1 || x.latency < 0))
        e.fail({"line " + std::to_string(n.line) +
                ": found a network without bandwidth above 0, efficiency in (0, 1] and latency of at least 0; expected "
                "all three; correct it"});
      if (e.failed()) f.fail(e.why());
      s.networks.push_back(x);
    }
  if (f.failed()) return f.why();
  result<system> r{std::move(s)};
  if (r->near.gib > 1024 * 1024) r.note("mem1 has more than a million GiB: memory without bound");
  return r;
}

}  // namespace echosim::inline v0::calculon
