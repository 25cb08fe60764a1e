// SPDX-License-Identifier: MIT
// Arguments of Megatron-LM and Megatron-DeepSpeed, from an argument list or the launch script around it. What the list
// leaves out takes the default of megatron/training/arguments.py (core_r0.9.0), and a note says which.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "shell_words.hpp"
#include "shown.hpp"
#include "training_setup.hpp"

namespace echosim::inline v0::megatron {

namespace detail {

struct argument {
  std::string value;  ///< empty for a switch
  u64 line = 0;
  bool certain = true, complete = true, contradicted = false;
};
using arguments = std::map<std::string, argument>;

/// "--hidden-size 4096", "--hidden-size=4096" and "--hidden_size 4096" are one argument.
inline arguments collect(const std::vector<shell_word>& words) {
  arguments all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const shell_word& w = words[i];
    if (w.text.size() < 3 || w.text.substr(0, 2) != "--") continue;
    argument a;
    const std::size_t equals = w.text.find('=');
    std::string name = w.text.substr(2, equals == std::string::npos ? equals : equals - 2);
    for (char& c : name)
      if (c == '_') c = '-';
    a.line = w.line, a.certain = w.certain, a.complete = w.complete;
    if (equals != std::string::npos) {
      a.value = w.text.substr(equals + 1);
    } else if (i + 1 < words.size() && words[i + 1].text.substr(0, 2) != "--") {
      a.value = words[i + 1].text;
      a.complete = a.complete && words[i + 1].complete;
    }
    const auto [at, fresh] = all.try_emplace(name, a);
    if (!fresh) {
      const bool differs = at->second.value != a.value && at->second.complete && a.complete;
      const bool certain = at->second.certain && a.certain;
      if (differs && certain) at->second = a;  // argparse keeps the last
      if (differs && !certain) at->second.contradicted = true;
    }
  }
  return all;
}

/// "220_000_000" as Python reads it.
inline std::optional<i64> whole(std::string text) {
  for (std::size_t i = 1; i + 1 < text.size(); ++i)
    if (text[i] == '_') text.erase(i--, 1);
  return whole_number(text);
}

struct reader {
  const arguments& all;
  std::string why = {};
  std::vector<std::string> notes = {};

  const argument* find(std::string_view name) {
    const auto at = all.find(std::string{name});
    if (at == all.end()) return nullptr;
    if (at->second.contradicted)
      fail("--" + at->first +
           " has several values in the branches of the script; one value is required; give the argument list of one "
           "run");
    if (!at->second.certain) notes.push_back("--" + at->first + " stands in a branch of the script; it is taken");
    return &at->second;
  }
  bool flag(std::string_view name) { return find(name) != nullptr; }
  std::optional<i64> number(std::string_view name, i64 least = 1) {
    const argument* const a = find(name);
    if (a == nullptr) return std::nullopt;
    const std::optional<i64> v = whole(a->value);
    if (v && *v >= least && *v <= (i64{1} << 31)) return v;
    if (a->complete)
      fail("line " + std::to_string(a->line) + ": found --" + std::string{name} + " " + shown(a->value) +
           "; expected a whole number of at least " + std::to_string(least) + " and at most 2^31; correct it");
    if (!a->complete)
      notes.push_back("--" + std::string{name} +
                      " depends on a variable that the script does not set; it is left open");
    return std::nullopt;
  }
  std::string_view word(std::string_view name) {
    const argument* const a = find(name);
    return a != nullptr ? std::string_view{a->value} : std::string_view{};
  }
  void fail(std::string what) {
    if (why.empty()) why = std::move(what);
  }
};

inline void read_model(reader& r, training_setup& s) {
  s.layers = r.number("num-layers");
  s.hidden = r.number("hidden-size");
  s.heads = r.number("num-attention-heads");
  s.ffn = r.number("ffn-hidden-size");
  s.head_dim = r.number("kv-channels");
  s.max_positions = r.number("max-position-embeddings");
  s.sequence = r.number("seq-length");
  s.vocab = r.number("vocab-size");
  if (!s.vocab) s.vocab = r.number("pad-vocab-size-to");
  s.experts = r.number("num-experts");
  s.gated = r.flag("swiglu");
  s.tied = !r.flag("untie-embeddings-and-output-weights");
  s.bias = !r.flag("disable-bias-linear");
  s.qkv_bias = *s.bias || r.flag("add-qkv-bias");
  s.embedding_norm = r.flag("embed-layernorm");
  s.kv_heads = s.heads;
  if (r.flag("group-query-attention")) s.kv_heads = r.number("num-query-groups").value_or(1);
  if (!s.ffn && s.hidden) {
    s.ffn = *s.gated ? *s.hidden * 8 / 3 / 64 * 64 : 4 * *s.hidden;
    r.notes.push_back(*s.gated
                          ? "no --ffn-hidden-size: 8/3 of the hidden size, cut to a multiple of 64, as Megatron-LM does"
                          : "no --ffn-hidden-size: 4 times the hidden size, as Megatron-LM does");
  }
  const std::string_view p = r.word("position-embedding-type"), n = r.word("normalization");
  s.position = p.empty() || p == "learned_absolute" ? positions::learned
               : p == "rope" || p == "rotary"       ? positions::rotary
               : p == "alibi"                       ? positions::alibi
                                                    : positions::absent;
  if (!p.empty() && *s.position == positions::absent && p != "none")
    r.fail("found --position-embedding-type " + shown(p) +
           "; expected learned_absolute, rope, rotary, alibi or none; correct it");
  if (r.flag("use-rotary-position-embeddings")) s.position = positions::rotary;
  if (!n.empty() && n != "LayerNorm" && n != "RMSNorm")
    r.fail("found --normalization " + shown(n) + "; expected LayerNorm or RMSNorm; correct it");
  s.norm = n == "RMSNorm" ? norm_kind::rms_norm : norm_kind::layer_norm;
}

inline void read_plan(reader& r, training_setup& s) {
  s.tp = r.number("tensor-model-parallel-size").value_or(1);
  s.pp = r.number("pipeline-model-parallel-size").value_or(1);
  s.cp = r.number("context-parallel-size").value_or(1);
  s.ep = r.number("expert-model-parallel-size").value_or(1);
  s.layers_per_chunk = r.number("num-layers-per-virtual-pipeline-stage");
  s.micro_batch = r.number("micro-batch-size");
  s.global_batch = r.number("global-batch-size");
  s.nodes = r.number("nnodes");
  s.gpus_per_node = r.number("nproc-per-node");
  s.world = r.number("world-size");
  s.sequence_parallel = r.flag("sequence-parallel");
  s.overlap_gradients = r.flag("overlap-grad-reduce");
  s.overlap_parameters = r.flag("overlap-param-gather");
  s.type = r.find("fp8-format") != nullptr || r.flag("fp8-hybrid") ? dtype::fp8
           : r.flag("bf16")                                        ? dtype::bf16
           : r.flag("fp16")                                        ? dtype::fp16
                                                                   : dtype::fp32;
  if (r.flag("use-distributed-optimizer")) s.shards = sharding::optimizer;
  if (const auto stage = r.number("zero-stage", 0)) s.shards = static_cast<sharding>(*stage > 3 ? 3 : *stage);
  if (r.flag("recompute-activations")) s.recomputes = recompute::selective;
  const std::string_view g = r.word("recompute-granularity");
  if (!g.empty() && g != "full" && g != "selective")
    r.fail("found --recompute-granularity " + shown(g) + "; expected full or selective; correct it");
  if (g == "selective") s.recomputes = recompute::selective;
  if (g == "full" || r.flag("checkpoint-activations")) s.recomputes = recompute::full;
  if (r.find("rampup-batch-size") != nullptr || r.find("step-batch-size-schedule") != nullptr)
    r.notes.push_back("the batch grows during the run; the final global batch is taken");
}

}  // namespace detail

/// Reads a launch script or an argument list. A text without --num-layers and --hidden-size is refused. Values that a
/// script takes from its environment stay open and are noted.
[[nodiscard]] inline result<training_setup> read_arguments(std::string_view text) {
  const detail::arguments all = detail::collect(shell_words(text));
  if (all.find("num-layers") == all.end() || all.find("hidden-size") == all.end())
    return error{
        "the text has no --num-layers or no --hidden-size; arguments of Megatron-LM are required; give the launch "
        "script or its argument list"};
  for (std::string_view other : {"pretrain_bert", "pretrain_t5", "pretrain_ict", "pretrain_vision"})
    if (text.find(other) != std::string_view::npos)
      return error{"the script runs " + std::string{other} +
                   ", no decoder; arguments of a decoder are required; give a script around pretrain_gpt"};
  detail::reader r{all};
  training_setup s;
  detail::read_model(r, s);
  detail::read_plan(r, s);
  if (!r.why.empty()) return error{r.why};
  result<training_setup> out = s;
  for (std::size_t i = 0; i < r.notes.size(); ++i)
    if (std::find(r.notes.begin(), r.notes.begin() + static_cast<std::ptrdiff_t>(i), r.notes[i]) ==
        r.notes.begin() + static_cast<std::ptrdiff_t>(i))
      out.note(r.notes[i]);
  return out;
}

}  // namespace echosim::inline v0::megatron
