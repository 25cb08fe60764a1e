// SPDX-License-Identifier: MIT
// The config.json of a Hugging Face model as a transformer. What a file leaves out is taken from the defaults of its
// architecture's configuration class (huggingface/transformers v4.46.0, src/transformers/models/*/configuration_*.py).
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "../model/transformer.hpp"
#include "json_fields.hpp"

namespace echosim::inline v0::hugging_face {

/// What a decoder architecture fixes, and the defaults of its configuration class.
struct family {
  std::string_view model_type, architecture;
  positions position = positions::rotary;
  norm_kind norm = norm_kind::rms_norm;
  bool gated = true;
  bool tied = false;                     ///< default of tie_word_embeddings
  bool bias = false;                     ///< on attention output and MLP, where no flag says otherwise
  bool qkv_bias = false;                 ///< where no flag says otherwise
  std::string_view attention_flag = {};  ///< member that switches qkv_bias
  std::string_view bias_flag = {};       ///< member that switches `bias`
  i64 head_dim = 0;                      ///< default; 0: hidden / heads
  i64 extra_positions = 0;               ///< rows of the position table beyond those the file states
  bool embedding_norm = false;
  std::string_view remark = {};  ///< where the architecture differs from pre-norm layers of two norms
};

inline constexpr std::string_view parallel_layers =
    "attention and MLP read the same input in this architecture; they are taken one after the other";
inline constexpr std::string_view query_key_norms =
    "the norms on queries and keys (2·head_dim parameters a layer) are left out";

inline constexpr std::array families{
    family{"gpt2", "GPT2LMHeadModel", positions::learned, norm_kind::layer_norm, false, true, true, true},
    family{"gpt_bigcode", "GPTBigCodeForCausalLM", positions::learned, norm_kind::layer_norm, false, true, true, true},
    family{"gpt_neox",
           "GPTNeoXForCausalLM",
           positions::rotary,
           norm_kind::layer_norm,
           false,
           false,
           true,
           true,
           "attention_bias",
           {},
           0,
           0,
           false,
           parallel_layers},
    family{"opt", "OPTForCausalLM", positions::learned, norm_kind::layer_norm, false, true, true, true, "enable_bias",
           "enable_bias", 0, 2},
    family{"bloom",
           "BloomForCausalLM",
           positions::alibi,
           norm_kind::layer_norm,
           false,
           true,
           true,
           true,
           {},
           {},
           0,
           0,
           true},
    family{"falcon", "FalconForCausalLM", positions::rotary, norm_kind::layer_norm, false, true, false, false, "bias",
           "bias", 0, 0, false, parallel_layers},
    family{"llama", "LlamaForCausalLM", positions::rotary, norm_kind::rms_norm, true, false, false, false,
           "attention_bias", "mlp_bias"},
    family{"mistral", "MistralForCausalLM"},
    family{"qwen2", "Qwen2ForCausalLM", positions::rotary, norm_kind::rms_norm, true, false, false, true},
    family{"qwen3",
           "Qwen3ForCausalLM",
           positions::rotary,
           norm_kind::rms_norm,
           true,
           false,
           false,
           false,
           "attention_bias",
           {},
           128,
           0,
           false,
           query_key_norms},
    family{"gemma",
           "GemmaForCausalLM",
           positions::rotary,
           norm_kind::rms_norm,
           true,
           true,
           false,
           false,
           "attention_bias",
           {},
           256},
    family{"phi3", "Phi3ForCausalLM"},
    family{"starcoder2", "Starcoder2ForCausalLM", positions::rotary, norm_kind::layer_norm, false, true, true, true,
           "use_bias", "use_bias"},
};

namespace detail {

inline constexpr i64 most = i64{1} << 31;  // every dimension of a real model, and products of two fit 64 bits

/// A feature that a member of the config switches on and that `transformer` cannot say.
struct feature {
  std::string_view member;
  i64 above;  ///< the feature is on where the number exceeds this
  const char* name;
};
inline constexpr std::array features{
    feature{"n_routed_experts", 1, "a mixture of experts"},
    feature{"num_routed_experts", 1, "a mixture of experts"},
    feature{"num_local_experts", 1, "a mixture of experts"},
    feature{"num_experts", 1, "a mixture of experts"},
    feature{"moe_num_experts", 1, "a mixture of experts"},
    feature{"kv_lora_rank", 0, "multi-head latent attention"},
    feature{"o_lora_rank", 0, "low-rank attention output"},
    feature{"linear_num_key_heads", 0, "linear attention layers"},
    feature{"ssm_state_size", 0, "state-space layers"},
    feature{"state_size", 0, "state-space layers"},
};

/// Why this model is no dense decoder, or empty.
inline std::string refusal(json_fields& f) {
  std::string all;
  for (const feature& x : features) {
    const json* const v = f.find({x.member});
    const std::optional<i64> i = v != nullptr ? v->integer() : std::nullopt;
    if (!i || *i <= x.above) continue;
    if (all.find(x.name) == std::string::npos) all += (all.empty() ? "" : " and ") + std::string{x.name};
    all += " (" + std::string{x.member} + " = " + std::to_string(*i) + ")";
  }
  if (all.empty() && f.flag({"is_encoder_decoder"}, false)) all = "an encoder beside the decoder (is_encoder_decoder)";
  return all;
}

inline const family* find_family(std::string_view model_type, std::string_view architecture) {
  for (const family& x : families)
    if (model_type.empty() ? x.architecture == architecture : x.model_type == model_type) return &x;
  return nullptr;
}

inline std::string known() {
  std::string all;
  for (const family& x : families) all += (all.empty() ? "" : ", ") + std::string{x.model_type};
  return all;
}

/// Heads that hold keys and values.
inline i64 key_value_heads(json_fields& f, const family& a, i64 heads) {
  if (a.model_type == "falcon" && !f.flag({"new_decoder_architecture"}, false))
    return f.flag({"multi_query"}, true) ? 1 : heads;
  if (a.model_type == "gpt_bigcode") return f.flag({"multi_query"}, true) ? 1 : heads;
  return f.maybe_whole({"num_key_value_heads", "num_kv_heads", "n_kv_heads", "n_head_kv"}, 1, most).value_or(heads);
}

/// Columns of the MLP where the file may leave them out: these architectures define 4·hidden.
inline i64 mlp_columns(json_fields& f, const family& a, i64 hidden) {
  const std::optional<i64> given =
      f.maybe_whole({"intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size", "inter_dim"}, 1, most);
  if (given) return *given;
  for (std::string_view quadruple : {"gpt2", "gpt_bigcode", "bloom", "falcon"})
    if (a.model_type == quadruple) return 4 * hidden;
  f.missing({"intermediate_size"});
  return 1;
}

}  // namespace detail

/// Reads a config.json. Multimodal files hold the decoder under `text_config`. Refused: architectures not listed above,
/// and experts, latent or linear attention, encoders, and layers that are not pre-norm, each by name. Notes say what
/// the architecture does that `transformer` does not hold.
[[nodiscard]] inline result<transformer> read_config(const json& root) {
  json_fields outer{root};
  const json* const nested = outer.find({"text_config", "llm_config", "language_config"});
  json_fields f{nested != nullptr && nested->members() != nullptr ? *nested : root};
  std::string_view type = f.maybe_text({"model_type"});
  std::string_view architecture;
  if (const json* list = outer.find({"architectures"});
      list != nullptr && list->items() != nullptr && !list->items()->empty())
    if (const std::string* first = list->items()->front().string()) architecture = *first;
  const std::string named = !type.empty()           ? shown(type)
                            : !architecture.empty() ? shown(architecture)
                                                    : "a model of no stated type";
  if (f.failed()) return f.why();

  if (const std::string feature = detail::refusal(f); !feature.empty())
    return error{named + " has " + feature + "; a dense decoder is required; give the config of one"};
  if (f.failed()) return f.why();
  const family* const a = detail::find_family(type, architecture);
  if (a == nullptr)
    return error{
        named + " is not among the architectures read here (" + detail::known() +
        "); model_type or architectures must name one of them; " +
        (type.empty() && architecture.empty() ? "add \"model_type\" to the file" : "give the config of one of these")};

  transformer m;
  m.layers = f.whole({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, 1, 1'000'000);
  m.hidden = f.whole({"hidden_size", "n_embd", "n_embed", "dim", "d_model"}, 1, detail::most);
  m.heads = f.whole({"num_attention_heads", "n_head", "n_heads"}, 1, detail::most);
  m.vocab = f.whole({"vocab_size"}, 1, detail::most);
  m.ffn = detail::mlp_columns(f, *a, m.hidden);
  m.kv_heads = detail::key_value_heads(f, *a, m.heads);
  const std::optional<i64> head_dim = f.maybe_whole({"head_dim"}, 1, detail::most);
  m.head_dim = head_dim ? *head_dim : a->head_dim != 0 ? a->head_dim : m.hidden / m.heads;
  m.gated = a->gated;
  m.tied = f.flag({"tie_word_embeddings"}, outer.flag({"tie_word_embeddings"}, a->tied));
  m.bias = a->bias_flag.empty() ? a->bias : f.flag({a->bias_flag}, a->bias);
  m.qkv_bias = a->attention_flag.empty() ? a->qkv_bias : f.flag({a->attention_flag}, a->qkv_bias);
  m.position = a->position;
  if (a->model_type == "falcon" && f.flag({"alibi"}, false)) m.position = positions::alibi;
  m.norm = a->norm;
  m.embedding_norm = a->embedding_norm;
  if (m.position == positions::learned)
    m.max_positions =
        f.whole({"max_position_embeddings", "n_positions", "n_ctx"}, 1, detail::most) + a->extra_positions;

  if (f.failed()) return f.why();
  if (outer.failed()) return outer.why();
  if (!head_dim && a->head_dim == 0 && m.hidden % m.heads != 0)
    return error{"hidden size " + std::to_string(m.hidden) + " on " + std::to_string(m.heads) +
                 " heads without head_dim; a whole head size is required; add \"head_dim\""};
  if (m.heads % m.kv_heads != 0)
    return error{std::to_string(m.heads) + " heads over " + std::to_string(m.kv_heads) +
                 " key/value heads; the second must divide the first; correct num_key_value_heads"};
  const i64 projected = f.maybe_whole({"word_embed_proj_dim"}, 1, detail::most).value_or(m.hidden);
  if (projected != m.hidden || !f.flag({"do_layer_norm_before"}, true) ||
      f.flag({"apply_residual_connection_post_layernorm"}, false))
    return error{named +
                 " projects its embedding or norms after the residual; pre-norm layers on the whole width are "
                 "required; give the config of such a model"};
  if (f.failed()) return f.why();

  result<transformer> r = m;
  if (nested != nullptr) r.note("the decoder in text_config was read; vision and audio parts are left out");
  if (!a->remark.empty()) r.note(std::string{a->remark});
  if (query_size(m) != m.hidden)
    r.note(std::to_string(m.heads) + " heads of " + std::to_string(m.head_dim) + " make " +
           std::to_string(query_size(m)) + " columns, not the hidden size " + std::to_string(m.hidden) +
           ": taken as the file says");
  const bool window_off = !f.flag({"use_sliding_window"}, true);
  if (const auto window = f.maybe_whole({"sliding_window"}, 0, detail::most); window && !window_off)
    r.note("attention reaches back " + std::to_string(*window) + " tokens; it is taken over the whole sequence");
  if (m.qkv_bias != m.bias && a->attention_flag == "attention_bias" && m.qkv_bias)
    r.note("attention_bias also puts a bias on the attention output (hidden parameters a layer), which is left out");
  if (m.bias != m.qkv_bias && m.bias && a->bias_flag == "mlp_bias")
    r.note(
        "mlp_bias without attention_bias: the bias on the attention output (hidden parameters a layer) is counted "
        "although absent");
  return r;
}
[[nodiscard]] inline result<transformer> read_config(std::string_view text) {
  const result<json> root = parse_json(text);
  if (!root) return root.why();
  return read_config(*root);
}

}  // namespace echosim::inline v0::hugging_face
