// SPDX-License-Identifier: MIT
// Published training steps as scenarios: each row of the schema in docs/validation.md becomes a model, a plan and a cluster,
// or a refusal with its reason. What a framework does follows from its name and release, never from a row.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "echosim/device/catalog.hpp"
#include "echosim/interconnect/catalog.hpp"
#include "echosim/io/csv.hpp"
#include "echosim/model/transformer.hpp"
#include "echosim/plan/check_text.hpp"
#include "echosim/plan/fit.hpp"
#include "echosim/schedule/interleaved.hpp"

namespace bench {

using namespace echosim;

struct training_row {
  std::string id, source;
  std::string refused;      ///< why the row cannot be expressed; empty where it can
  transformer model{};
  plan by{};
  const named_gpu* part = nullptr;
  two_level net{};
  double measured = 0;      ///< s
};

namespace detail {

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// Behaviours by release. Megatron-LM of 2020 and 2021 (github.com/NVIDIA/Megatron-LM, tag v2.5 and the SC21 scripts):
/// unfused attention with a fused softmax kernel, 16-bit gradients, no overlap of tensor-parallel reductions; slices between
/// stages from 2021 on (Narayanan et al. 2021, §4.1). Megatron-DeepSpeed sends whole activations. Megatron-core runs
/// cuDNN attention with fp32 accumulation.
inline std::optional<framework> framework_of(std::string_view name) {
  framework f;
  const bool deepspeed = contains(name, "Megatron-DeepSpeed"), core = contains(name, "NeMo") || contains(name, "Megatron-LM main");
  if (core) {
    f.attention = attention_backend::cudnn;
    f.sends_block = false;
    return f;
  }
  if (!deepspeed && !contains(name, "Megatron-LM 20") && !contains(name, "Megatron-LM Jan 20")) return std::nullopt;
  f.attention = attention_backend::unfused;
  f.accumulates_in_fp32 = f.fused_accumulation = f.overlaps_tp_backward = false;
  f.gradient_sync = dtype::fp16;
  f.sends_slices = contains(name, "2021") && !contains(name, "Jan");
  return f;
}

struct reader {
  const csv& t;
  std::size_t row;
  std::string missing;

  std::string_view text(const char* column) const {
    const auto c = t.column(column);
    return c ? std::string_view{t.text(row, *c)} : std::string_view{};
  }
  i64 whole(const char* column, i64 otherwise = -1) {
    const auto c = t.column(column);
    if (c && t.given(row, *c)) {
      if (const auto n = t.integer(row, *c)) return *n;
      missing += (missing.empty() ? "" : ", ") + std::string{column} + " is no whole number";
    } else if (otherwise < 0) {
      missing += (missing.empty() ? "" : ", ") + std::string{column} + " is not stated";
    }
    return otherwise;
  }
  double real(const char* column) const {
    const auto c = t.column(column);
    if (!c || !t.given(row, *c)) return 0;
    const auto x = t.real(row, *c);
    return x ? *x : 0;
  }
  u32 degree(const char* column) { return static_cast<u32>(std::max<i64>(0, std::min<i64>(whole(column), 1 << 24))); }
};

}  // namespace detail

[[nodiscard]] inline training_row training_row_of(const csv& t, std::size_t i) {
  detail::reader in{t, i, {}};
  training_row r;
  r.id = in.text("row_id"), r.source = in.text("source");
  const auto refuse = [&](std::string why) {
    r.refused = std::move(why);
    return r;
  };
  if (in.text("suspect") == "True") return refuse("marked suspect by its collector");
  if (in.text("kind") != "" && in.text("kind") != "LLM") return refuse("kind " + std::string{in.text("kind")} + ": not a decoder-only transformer");
  const std::string_view grade = in.text("grade_time");
  if (grade == "-" || grade == "toy") return refuse("no time to compare (grade_time " + std::string{grade} + ")");
  if (in.text("oom") == "yes") return refuse("ran out of memory");
  if (in.whole("n_experts", 0) > 1) return refuse("mixture of experts is not modelled");
  if (in.whole("cp", 1) > 1) return refuse("context parallelism is not modelled");
  if (in.whole("ep", 1) > 1) return refuse("expert parallelism is not modelled");
  const std::string_view shards = in.text("zero_stage_or_fsdp");
  if (detail::contains(shards, "FSDP") || detail::contains(shards, "ZeRO-3") || detail::contains(shards, "ZeRO-2")) return refuse("sharding " + std::string{shards} + " is not lowered");
  const auto behaves = detail::framework_of(in.text("framework"));
  if (!behaves) return refuse("no behaviour is known for the framework " + std::string{in.text("framework")});

  transformer& m = r.model;
  m.layers = in.whole("layers"), m.hidden = in.whole("hidden"), m.heads = in.whole("heads"), m.vocab = in.whole("vocab");
  const i64 sequence = in.whole("seq_len");
  m.ffn = in.whole("ffn_hidden", 4 * m.hidden), m.kv_heads = in.whole("kv_heads", m.heads);
  m.head_dim = in.whole("head_dim", m.heads > 0 ? m.hidden / m.heads : 0);
  m.gated = in.text("gated_mlp") == "yes", m.tied = in.text("tied_embeddings") != "no";
  if (m.gated) m.bias = m.qkv_bias = false, m.norm = norm_kind::rms_norm, m.position = positions::rotary;
  m.max_positions = sequence;
  plan& p = r.by;
  p.behaves = *behaves;
  p.behaves.dropout = !m.gated;
  p.sequence = sequence, p.micro_batch = in.whole("micro_batch"), p.global_batch = in.whole("global_batch");
  p.tp = in.degree("tp"), p.pp = in.degree("pp"), p.dp = in.degree("dp"), p.vpp = static_cast<u32>(std::max<i64>(1, in.whole("vpp", 1)));
  const i64 gpus = in.whole("gpus"), domain = in.whole("nvlink_domain", 8), per_node = in.whole("gpus_per_node", 8);
  if (!in.missing.empty()) return refuse(in.missing);
  if (i64{p.tp} * p.pp * p.dp != gpus) return refuse(std::to_string(gpus) + " GPUs are not tp·pp·dp = " + std::to_string(i64{p.tp} * p.pp * p.dp));

  const std::string_view format = in.text("dtype");
  if (format == "fp16") p.type = dtype::fp16;
  else if (format == "bf16") p.type = dtype::bf16;
  else if (format == "fp32") p.type = dtype::fp32;
  else if (format == "tf32") p.type = dtype::tf32;
  else if (format == "fp8") p.type = dtype::fp8;
  else return refuse(format.empty() ? "the source names no number format" : "number format " + std::string{format} + " is not modelled in training");
  const std::string_view again = in.text("recompute");
  if (again.substr(0, 4) == "full") p.recomputes = recompute::full;
  else if (again.substr(0, 4) == "none") p.recomputes = recompute::none;
  else if (again == "selective") p.recomputes = recompute::selective;
  else return refuse(again.empty() ? "recomputation is not stated" : "recomputation of '" + std::string{again} + "' is not modelled");
  p.sequence_parallel = in.text("sequence_parallel") == "yes" && p.tp > 1;
  const bool optimizer = detail::contains(shards, "ZeRO-1") || detail::contains(shards, "distributed optimizer");
  p.shards = optimizer ? sharding::optimizer : sharding::none;
  const std::string_view overlap = in.text("overlap_flags");
  p.overlap_gradients = detail::contains(overlap, "bucketed overlap") || detail::contains(overlap, "overlap-grad") || detail::contains(overlap, "per NeMo yaml") || detail::contains(overlap, "grad/param sync");
  p.overlap_parameters = optimizer && (detail::contains(overlap, "overlap-param") || detail::contains(overlap, "per NeMo yaml") || detail::contains(overlap, "grad/param sync"));

  r.part = find_gpu(in.text("gpu"));
  if (r.part == nullptr) return refuse("the GPU " + std::string{in.text("gpu")} + " is not in the catalog");
  if (!computes(r.part->part, p.type)) return refuse(std::string{r.part->name} + " has no unit for " + name(p.type));
  const named_node* node = nullptr;
  for (const named_node& n : nodes)
    if (node == nullptr && n.gpu == r.part->name) node = &n;
  if (node == nullptr) return refuse("no node of the catalog holds " + std::string{r.part->name});
  r.net = node->net;
  r.net.per_domain = static_cast<u32>(std::max<i64>(1, domain));
  double gbps = in.real("node_net_gbps");
  if (gbps <= 0) return refuse("the network of a node is not stated");
  const std::string_view site = in.text("net_measured");  // nodes:GB/s of all-reduce bus bandwidth
  if (const auto colon = site.rfind(':'); colon != site.npos) gbps = std::strtod(std::string{site.substr(colon + 1)}.c_str(), nullptr) * 8;
  r.net.uplink = {gbps * 0.125e9 * static_cast<double>(domain) / static_cast<double>(std::max<i64>(1, std::min(per_node, domain)))};

  r.measured = in.real("measured_step_s");
  if (r.measured <= 0 && in.real("tokens_per_s_per_gpu") > 0)
    r.measured = static_cast<double>(p.global_batch * p.sequence) / in.real("tokens_per_s_per_gpu") / static_cast<double>(gpus);
  if (r.measured <= 0) return refuse("no time is stated");
  if (const verdict v = check(m, p, interleaved{}, limits{}); !v.ok()) return refuse(text(v));
  return r;
}

}  // namespace bench
