// SPDX-License-Identifier: MIT
// Training configurations of NVIDIA NeMo (NeMo-Framework-Launcher, launcher_scripts/conf/training; NeMo 1.x): sections
// `trainer` and `model`, values that may be ${multiply:…} expressions over other values.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "json_fields.hpp"
#include "text_lines.hpp"
#include "training_setup.hpp"

namespace echosim::inline v0::nemo {

namespace detail {

/// Evaluates numbers, ${multiply:a,b}, ${.sibling} and ${section.member}. Null where a part is unknown.
class expression {
 public:
  expression(const json& root, const json& siblings) : root_{&root}, siblings_{&siblings} {}
  std::optional<i64> value(const json& v, unsigned depth = 0) const {
    if (const auto i = v.integer()) return i;
    return v.string() != nullptr ? value(*v.string(), depth) : std::nullopt;
  }

 private:
  std::optional<i64> value(std::string_view t, unsigned depth) const {
    while (!t.empty() && t.front() == ' ') t.remove_prefix(1);
    while (!t.empty() && t.back() == ' ') t.remove_suffix(1);
    if (const auto i = whole_number(t)) return i;
    if (depth > 20 || t.size() < 4 || t.substr(0, 2) != "${" || t.back() != '}') return std::nullopt;
    t = t.substr(2, t.size() - 3);
    constexpr std::string_view multiply = "multiply:";
    if (t.substr(0, multiply.size()) == multiply) {
      t.remove_prefix(multiply.size());
      i64 all = 1;
      while (!t.empty()) {
        std::size_t end = 0;
        for (int open = 0; end < t.size() && !(t[end] == ',' && open == 0); ++end)
          open += t[end] == '{' ? 1 : t[end] == '}' ? -1 : 0;
        const auto factor = value(t.substr(0, end), depth + 1);
        if (!factor || *factor < 1 || all > (i64{1} << 31) / *factor) return std::nullopt;
        all *= *factor;
        t.remove_prefix(end < t.size() ? end + 1 : end);
      }
      return all;
    }
    const json* at = root_;
    if (t[0] == '.') {
      at = siblings_;
      t.remove_prefix(1);
    } else if (t.substr(0, 9) == "training.") {  // the name of the file's place in the launcher's tree
      t.remove_prefix(9);
    }
    while (at != nullptr && !t.empty()) {
      const std::size_t end = std::min(t.find('.'), t.size());
      at = at->find(t.substr(0, end));
      t.remove_prefix(end < t.size() ? end + 1 : end);
    }
    return at != nullptr ? value(*at, depth + 1) : std::nullopt;
  }
  const json *root_, *siblings_;
};

}  // namespace detail

[[nodiscard]] inline bool looks_like_config(const json& root) {
  const json* const m = root.find("model");
  return root.find("trainer") != nullptr && m != nullptr && m->find("tensor_model_parallel_size") != nullptr;
}

/// Reads a configuration. The vocabulary is the tokenizer's and stays open.
[[nodiscard]] inline result<training_setup> read_config(const json& root) {
  const json *const trainer = root.find("trainer"), *const model = root.find("model");
  if (trainer == nullptr || model == nullptr)
    return error{
        "the file has no section trainer or no section model; both are required; give a NeMo training configuration"};
  json known = *model;  // with expressions replaced by what they come to
  const detail::expression eval{root, *model};
  if (json::object* const members = known.members())
    for (json::member& m : *members)
      if (m.value.string() != nullptr && m.value.string()->substr(0, 2) == "${")
        if (const auto v = eval.value(m.value)) {
          const u32 line = m.value.line;
          m.value = json{json_number{static_cast<double>(*v), *to_decimal(std::to_string(*v))}};
          m.value.line = line;
        }
  json_fields t{*trainer}, f{known};
  constexpr i64 most = i64{1} << 31;
  training_setup s;
  s.nodes = t.maybe_whole({"num_nodes"}, 1, most);
  s.gpus_per_node = t.maybe_whole({"devices"}, 1, most);
  s.layers = f.whole({"num_layers"}, 1, most);
  s.hidden = f.whole({"hidden_size"}, 1, most);
  s.ffn = f.whole({"ffn_hidden_size"}, 1, most);
  s.heads = f.whole({"num_attention_heads"}, 1, most);
  s.kv_heads = f.maybe_whole({"num_query_groups"}, 1, most);
  s.head_dim = f.maybe_whole({"kv_channels"}, 1, most);
  s.sequence = f.maybe_whole({"encoder_seq_length"}, 1, most);
  s.max_positions = f.maybe_whole({"max_position_embeddings"}, 1, most);
  s.experts = f.maybe_whole({"num_moe_experts"}, 1, most);
  s.micro_batch = f.maybe_whole({"micro_batch_size"}, 1, most);
  s.global_batch = f.maybe_whole({"global_batch_size"}, 1, most);
  s.tp = f.maybe_whole({"tensor_model_parallel_size"}, 1, most);
  s.pp = f.maybe_whole({"pipeline_model_parallel_size"}, 1, most);
  s.cp = f.maybe_whole({"context_parallel_size"}, 1, most);
  s.ep = f.maybe_whole({"expert_model_parallel_size"}, 1, most);
  s.virtual_stages = f.maybe_whole({"virtual_pipeline_model_parallel_size"}, 1, most);
  s.sequence_parallel = f.flag({"sequence_parallel"}, false);
  s.bias = f.flag({"bias"}, true);
  s.tied = f.flag({"share_embeddings_and_output_weights"}, true);
  const std::string_view activation = f.maybe_text({"activation"}), norm = f.maybe_text({"normalization"}),
                         position = f.maybe_text({"position_embedding_type"});
  s.gated = activation.find("glu") != std::string_view::npos;
  s.norm = norm == "rmsnorm" ? norm_kind::rms_norm : norm_kind::layer_norm;
  s.position = position.empty() || position == "learned_absolute" ? positions::learned
               : position == "rope"                               ? positions::rotary
               : position == "alibi"                              ? positions::alibi
                                                                  : positions::absent;
  const std::string_view granularity = f.maybe_text({"activations_checkpoint_granularity"});
  if (granularity == "full") s.recomputes = recompute::full;
  if (granularity == "selective") s.recomputes = recompute::selective;
  const json* const precision = t.find({"precision"});
  std::string format = precision != nullptr && precision->string() != nullptr ? *precision->string() : "";
  if (precision != nullptr && precision->integer()) format = std::to_string(*precision->integer());
  s.type = f.flag({"fp8"}, false)          ? dtype::fp8
           : format.substr(0, 4) == "bf16" ? dtype::bf16
           : format.substr(0, 2) == "16"   ? dtype::fp16
                                           : dtype::fp32;
  if (const json* const optim = f.find({"optim"})) {
    json_fields o{*optim};
    if (o.maybe_text({"name"}) == "mcore_distributed_optim" || o.maybe_text({"name"}) == "distributed_fused_adam")
      s.shards = sharding::optimizer;
    s.overlap_gradients = o.flag({"overlap_grad_sync"}, false);
    s.overlap_parameters = o.flag({"overlap_param_sync"}, false);
    if (o.failed()) return o.why();
  }
  if (f.flag({"fsdp"}, false)) s.shards = sharding::parameters;
  if (t.failed()) return t.why();
  if (f.failed()) return f.why();
  result<training_setup> r = s;
  r.note("the vocabulary is the tokenizer's: the file does not state it");
  if (f.has("rampup_batch_size")) r.note("the batch grows during the run; the final global batch is taken");
  return r;
}

}  // namespace echosim::inline v0::nemo
