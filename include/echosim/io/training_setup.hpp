// SPDX-License-Identifier: MIT
// What a training configuration states, field by field, before anything is decided: absent stays absent.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../model/transformer.hpp"
#include "../plan/plan.hpp"

namespace echosim::inline v0 {

/// Shapes and degrees of one configuration file. Defaults of its framework are filled in by the reader, which says so.
struct training_setup {
  std::optional<i64> layers, hidden, ffn, heads, kv_heads, head_dim, vocab, max_positions, sequence, experts;
  std::optional<bool> gated, tied, bias, qkv_bias, embedding_norm;
  std::optional<positions> position;
  std::optional<norm_kind> norm;

  std::optional<i64> tp, pp, cp, ep, dp, virtual_stages, layers_per_chunk;  ///< either of the last two
  std::optional<i64> nodes, gpus_per_node, world;
  std::optional<i64> micro_batch, global_batch, accumulation;
  std::optional<dtype> type;
  std::optional<recompute> recomputes;
  std::optional<sharding> shards;
  std::optional<bool> sequence_parallel, overlap_gradients, overlap_parameters;

  /// Ranks of the job where the file says so.
  [[nodiscard]] std::optional<i64> ranks() const {  // readers keep every number below 2^31
    if (world) return world;
    if (nodes && gpus_per_node) return *nodes * *gpus_per_node;
    return std::nullopt;
  }
};

namespace detail {

class setup_gaps {
 public:
  i64 need(const char* name, const std::optional<i64>& v) {
    if (!v) missing_ += (missing_.empty() ? "" : ", ") + std::string{name};
    return v.value_or(1);
  }
  [[nodiscard]] bool any() const { return !missing_.empty(); }
  [[nodiscard]] error why(const char* of) const {
    return {"the configuration does not state " + missing_ + "; " + of +
            " needs it; add it to the file or set it in code"};
  }

 private:
  std::string missing_;
};

}  // namespace detail

/// The model. Missing shapes are an error that lists them; a mixture of experts is refused.
[[nodiscard]] inline result<transformer> model_of(const training_setup& s) {
  if (s.experts.value_or(1) > 1)
    return error{"the configuration trains " + std::to_string(*s.experts) +
                 " experts; a dense decoder is required; give the configuration of one"};
  detail::setup_gaps gaps;
  transformer m;
  m.layers = gaps.need("the number of layers", s.layers);
  m.hidden = gaps.need("the hidden size", s.hidden);
  m.ffn = gaps.need("the MLP's size", s.ffn);
  m.heads = gaps.need("the number of attention heads", s.heads);
  m.vocab = gaps.need("the vocabulary", s.vocab);
  m.kv_heads = s.kv_heads.value_or(m.heads);
  if (!s.head_dim && m.hidden % m.heads != 0) (void)gaps.need("the size of a head", std::nullopt);
  m.head_dim = s.head_dim.value_or(m.hidden / m.heads);
  m.position = s.position.value_or(m.position);
  if (m.position == positions::learned) m.max_positions = gaps.need("the number of positions", s.max_positions);
  m.norm = s.norm.value_or(m.norm);
  m.gated = s.gated.value_or(m.gated);
  m.tied = s.tied.value_or(m.tied);
  m.bias = s.bias.value_or(m.bias);
  m.qkv_bias = s.qkv_bias.value_or(m.bias);
  m.embedding_norm = s.embedding_norm.value_or(m.embedding_norm);
  if (gaps.any()) return gaps.why("a model");
  if (m.heads % m.kv_heads != 0)
    return error{std::to_string(m.heads) + " heads over " + std::to_string(m.kv_heads) +
                 " key/value heads; the second must divide the first; correct the configuration"};
  return m;
}

/// The plan. Degrees must divide the number of ranks, and micro-batch, accumulation and replicas multiply to the global
/// batch where the file states all of them. check(model, plan) decides whether it can run.
[[nodiscard]] inline result<plan> plan_of(const training_setup& s) {
  detail::setup_gaps gaps;
  if (s.cp.value_or(1) > 1 || s.ep.value_or(1) > 1)
    return error{
        "the configuration uses context or expert parallelism; tensor, pipeline and data parallelism are required; set "
        "both to 1"};
  plan p;
  const i64 tp = s.tp.value_or(1), pp = s.pp.value_or(1), cut = tp * pp;
  i64 dp = s.dp.value_or(0);
  if (const auto ranks = s.ranks()) {
    if (*ranks % cut != 0)
      return error{"tp " + std::to_string(tp) + " times pp " + std::to_string(pp) + " on " + std::to_string(*ranks) +
                   " ranks; the product must divide them; correct the degrees"};
    if (s.dp && *s.dp != *ranks / cut)
      return error{"dp " + std::to_string(*s.dp) + " where " + std::to_string(*ranks) + " ranks leave " +
                   std::to_string(*ranks / cut) + "; they must agree; correct one of them"};
    dp = *ranks / cut;
  }
  p.micro_batch = gaps.need("the micro-batch", s.micro_batch);
  p.sequence = gaps.need("the sequence length", s.sequence);
  if (dp == 0) (void)gaps.need("the number of ranks", std::nullopt);
  if (!s.global_batch && !s.accumulation) (void)gaps.need("the global batch", std::nullopt);
  i64 chunks = s.virtual_stages.value_or(1);
  if (s.layers_per_chunk) {
    const i64 each = *s.layers_per_chunk * pp, layers = gaps.need("the number of layers", s.layers);
    if (layers % each != 0)
      return error{std::to_string(*s.layers_per_chunk) + " layers a virtual stage on " + std::to_string(pp) +
                   " stages; their product must divide the " + std::to_string(layers) + " layers; correct it"};
    chunks = layers / each;
  }
  if (gaps.any()) return gaps.why("a plan");
  for (const i64 factor : {p.micro_batch, s.accumulation.value_or(1), dp, tp, pp})
    if (factor < 1 || factor > 1'000'000)
      return error{"a degree or batch of " + std::to_string(factor) + "; 1 to 1,000,000 is required; correct it"};
  const i64 made = p.micro_batch * s.accumulation.value_or(1) * dp;
  p.global_batch = s.global_batch.value_or(made);
  if (s.global_batch && s.accumulation && p.global_batch != made)
    return error{"batch " + std::to_string(p.global_batch) + " where micro-batch " + std::to_string(p.micro_batch) +
                 ", accumulation " + std::to_string(*s.accumulation) + " and " + std::to_string(dp) +
                 " replicas multiply to " + std::to_string(made) + "; they must agree; correct one of them"};
  p.tp = static_cast<u32>(tp), p.pp = static_cast<u32>(pp), p.dp = static_cast<u32>(dp),
  p.vpp = static_cast<u32>(chunks);
  p.type = s.type.value_or(dtype::fp32);
  p.recomputes = s.recomputes.value_or(recompute::none);
  p.shards = s.shards.value_or(sharding::none);
  p.sequence_parallel = s.sequence_parallel.value_or(false) && tp > 1;
  p.overlap_gradients = s.overlap_gradients.value_or(false);
  p.overlap_parameters = s.overlap_parameters.value_or(false);
  result<plan> r = p;
  if (!s.type) r.note("the configuration names no number format: fp32");
  return r;
}

}  // namespace echosim::inline v0
