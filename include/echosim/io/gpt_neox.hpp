// SPDX-License-Identifier: MIT
// Configurations of EleutherAI/gpt-neox (configs/*.yml): JSON with comments and trailing commas, names with dashes or
// underscores. Defaults are those of megatron/neox_arguments/neox_args.py (v2.0).
#pragma once
#include <string>
#include <string_view>

#include "deepspeed.hpp"
#include "json_fields.hpp"
#include "training_setup.hpp"

namespace echosim::inline v0::gpt_neox {

[[nodiscard]] inline bool looks_like_config(const json& root) {
  for (const char* name : {"pipe_parallel_size", "pipe-parallel-size", "model_parallel_size", "model-parallel-size"})
    if (root.find(name) != nullptr) return true;
  return false;
}

/// Reads a configuration. It states no vocabulary (the tokenizer does) and no number of ranks: both stay open.
[[nodiscard]] inline result<training_setup> read_config(const json& root) {
  json object = root;
  if (json::object* const members = object.members()) {
    for (json::member& m : *members)
      for (char& c : m.name)
        if (c == '-') c = '_';
    if (const std::string* twice = echosim::detail::repeated_name(*members))
      return error{"the name " + shown(*twice) +
                   " is given with dashes and with underscores; one of them is required; remove the other"};
  }
  json_fields f{object};
  constexpr i64 most = i64{1} << 31;
  training_setup s;
  deepspeed::detail::read_common(f, s);
  const std::string_view precision = f.maybe_text({"precision"});
  if (precision == "bfloat16") s.type = dtype::bf16;
  if (precision == "fp16") s.type = dtype::fp16;
  s.layers = f.whole({"num_layers"}, 1, most);
  s.hidden = f.whole({"hidden_size"}, 1, most);
  s.heads = f.whole({"num_attention_heads"}, 1, most);
  s.kv_heads = f.maybe_whole({"num_kv_heads"}, 1, most);
  s.sequence = f.maybe_whole({"seq_length"}, 1, most);
  s.max_positions = f.maybe_whole({"max_position_embeddings"}, 1, most);
  s.experts = f.maybe_whole({"moe_num_experts", "num_experts"}, 1, most);
  s.tp = f.maybe_whole({"model_parallel_size"}, 0, most).value_or(1);
  s.pp = f.maybe_whole({"pipe_parallel_size"}, 0, most).value_or(1);
  if (*s.tp == 0) s.tp = 1;
  if (*s.pp == 0) s.pp = 1;  // "0" runs without DeepSpeed's pipeline engine
  const std::string_view activation = f.maybe_text({"activation"}), norm = f.maybe_text({"norm"}),
                         position = f.maybe_text({"pos_emb"});
  s.gated = activation == "swiglu" || activation == "geglu" || activation == "reglu" || activation == "glu";
  const i64 multiple = f.maybe_whole({"mlp_multiple_of"}, 1, 1'000'000).value_or(1);
  const auto stated = f.maybe_whole({"intermediate_size"}, 1, most);
  s.tied = !f.flag({"no_weight_tying"}, false);
  s.qkv_bias = f.flag({"use_bias_in_attn_linear"}, true);
  s.bias = f.flag({"use_bias_in_mlp"}, true);
  s.norm = norm == "rmsnorm" ? norm_kind::rms_norm : norm_kind::layer_norm;
  s.position = position.empty() || position == "learned" ? positions::learned
               : position == "rotary"                    ? positions::rotary
               : position == "alibi"                     ? positions::alibi
                                                         : positions::absent;
  if (f.flag({"checkpoint_activations"}, false)) s.recomputes = recompute::full;
  s.sequence_parallel = f.flag({"sequence_parallel"}, false);
  if (f.failed()) return f.why();
  if (!norm.empty() && norm != "layernorm" && norm != "rmsnorm" && norm != "non_parametric_layernorm" &&
      norm != "te_layernorm" && norm != "te_rmsnorm" && norm != "scalenorm")
    return error{"norm " + shown(norm) + " is unknown; layernorm or rmsnorm is required; correct it"};
  if (!norm.empty() && norm != "layernorm" && norm != "rmsnorm")
    return error{"norm " + shown(norm) +
                 " is read by no model here; layernorm or rmsnorm is required; use one of them"};
  result<training_setup> r = s;
  i64 columns = stated.value_or(4 * *s.hidden);
  if (!stated) r.note("no intermediate_size: 4 times the hidden size, as gpt-neox does");
  if (*s.gated) {  // two projections with the parameters of one: megatron/model/transformer.py, ParallelMLP
    columns = columns * 2 / 3 / 2;
    r.note(
        "the gated MLP has a third of intermediate_size as columns, raised to a multiple of mlp_multiple_of, as "
        "gpt-neox cuts it");
  }
  r->ffn = (columns + multiple - 1) / multiple * multiple;
  if (f.flag({"gpt_j_residual"}, false))
    r.note("attention and MLP read the same input (gpt_j_residual); they are taken one after the other");
  r.note("the vocabulary is the tokenizer's and the number of ranks the launcher's: the file states neither");
  return r;
}

}  // namespace echosim::inline v0::gpt_neox
