// SPDX-License-Identifier: MIT
// Dense models by name. Shapes are those of the papers' tables and of the published config.json files; parameter counts
// follow from them exactly.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "transformer.hpp"

namespace echosim::inline v0 {

struct named_model {
  std::string_view name;
  transformer is{};
  i64 sequence = 0;      ///< tokens of a sequence in the main stage of pre-training
  bool dropout = false;  ///< trained with dropout: framework::dropout should say the same
};

namespace detail {

[[nodiscard]] constexpr transformer gpt(i64 layers, i64 hidden, i64 heads, i64 vocab, i64 positions) {
  transformer t;
  t.layers = layers, t.hidden = hidden, t.ffn = 4 * hidden;
  t.heads = t.kv_heads = heads, t.head_dim = hidden / heads;
  t.vocab = vocab, t.max_positions = positions;
  return t;
}
[[nodiscard]] constexpr transformer llama(i64 layers, i64 hidden, i64 ffn, i64 heads, i64 kv_heads, i64 vocab) {
  transformer t;
  t.layers = layers, t.hidden = hidden, t.ffn = ffn;
  t.heads = heads, t.kv_heads = kv_heads, t.head_dim = hidden / heads;
  t.vocab = vocab;
  t.gated = true, t.tied = t.bias = t.qkv_bias = false;
  t.position = positions::rotary, t.norm = norm_kind::rms_norm;
  return t;
}
[[nodiscard]] constexpr transformer tied(transformer t) {
  t.tied = true;
  return t;
}
[[nodiscard]] constexpr transformer qwen(i64 layers, i64 hidden, i64 ffn, i64 heads, i64 kv_heads, i64 vocab) {
  transformer t = llama(layers, hidden, ffn, heads, kv_heads, vocab);
  t.qkv_bias = true;
  return t;
}
/// ALiBi instead of positions, and a norm after the embedding (Le Scao et al. 2022, §3.2).
[[nodiscard]] constexpr transformer bloom(i64 layers, i64 hidden, i64 heads) {
  transformer t = gpt(layers, hidden, heads, 250880, 0);
  t.position = positions::alibi, t.embedding_norm = true;
  return t;
}

}  // namespace detail

inline constexpr std::array models{
    // Radford et al. 2019, table 2; head counts of the released hparams.json.
    named_model{"gpt2", detail::gpt(12, 768, 12, 50257, 1024), 1024, true},
    named_model{"gpt2-medium", detail::gpt(24, 1024, 16, 50257, 1024), 1024, true},
    named_model{"gpt2-large", detail::gpt(36, 1280, 20, 50257, 1024), 1024, true},
    named_model{"gpt2-xl", detail::gpt(48, 1600, 25, 50257, 1024), 1024, true},
    // Brown et al. 2020, table 2.1; every layer taken as dense attention. 1.3B: the table prints 24 heads of 128, 3072
    // columns, but its 1.3B parameters are those of 2048 columns: 16 heads. 13B: the table prints a width of 5140 and
    // 40 heads of 128: 5120, of which 40·128 columns and 12.85B parameters are made.
    named_model{"gpt3-125m", detail::gpt(12, 768, 12, 50257, 2048), 2048, true},
    named_model{"gpt3-350m", detail::gpt(24, 1024, 16, 50257, 2048), 2048, true},
    named_model{"gpt3-760m", detail::gpt(24, 1536, 16, 50257, 2048), 2048, true},
    named_model{"gpt3-1.3b", detail::gpt(24, 2048, 16, 50257, 2048), 2048, true},
    named_model{"gpt3-2.7b", detail::gpt(32, 2560, 32, 50257, 2048), 2048, true},
    named_model{"gpt3-6.7b", detail::gpt(32, 4096, 32, 50257, 2048), 2048, true},
    named_model{"gpt3-13b", detail::gpt(40, 5120, 40, 50257, 2048), 2048, true},
    named_model{"gpt3-175b", detail::gpt(96, 12288, 96, 50257, 2048), 2048, true},
    // Narayanan et al. 2021, table 1.
    named_model{"megatron-1.7b", detail::gpt(24, 2304, 24, 51200, 2048), 2048, true},
    named_model{"megatron-3.6b", detail::gpt(30, 3072, 32, 51200, 2048), 2048, true},
    named_model{"megatron-7.5b", detail::gpt(36, 4096, 32, 51200, 2048), 2048, true},
    named_model{"megatron-18.4b", detail::gpt(40, 6144, 48, 51200, 2048), 2048, true},
    named_model{"megatron-39.1b", detail::gpt(48, 8192, 64, 51200, 2048), 2048, true},
    named_model{"megatron-76.1b", detail::gpt(60, 10240, 80, 51200, 2048), 2048, true},
    named_model{"megatron-145.6b", detail::gpt(80, 12288, 96, 51200, 2048), 2048, true},
    named_model{"megatron-310.1b", detail::gpt(96, 16384, 128, 51200, 2048), 2048, true},
    named_model{"megatron-529.6b", detail::gpt(105, 20480, 128, 51200, 2048), 2048, true},
    named_model{"megatron-1t", detail::gpt(128, 25600, 160, 51200, 2048), 2048, true},
    // Korthikanti et al. 2022, table 3: GPT-3's shape and the largest of the above under the names of that paper.
    named_model{"gpt-22b", detail::gpt(48, 6144, 64, 51200, 2048), 2048, true},
    named_model{"gpt-175b", detail::gpt(96, 12288, 96, 51200, 2048), 2048, true},
    named_model{"gpt-530b", detail::gpt(105, 20480, 128, 51200, 2048), 2048, true},
    named_model{"gpt-1t", detail::gpt(128, 25600, 160, 51200, 2048), 2048, true},
    // Smith et al. 2022, §2.2; the tokenizer of GPT-2.
    named_model{"mt-nlg-530b", detail::gpt(105, 20480, 128, 50257, 2048), 2048, true},
    // Zhang et al. 2022, table 1; 2 rows of the position table are offsets (facebook/opt config and modeling code).
    named_model{"opt-125m", detail::gpt(12, 768, 12, 50272, 2050), 2048, true},
    named_model{"opt-1.3b", detail::gpt(24, 2048, 32, 50272, 2050), 2048, true},
    named_model{"opt-2.7b", detail::gpt(32, 2560, 32, 50272, 2050), 2048, true},
    named_model{"opt-6.7b", detail::gpt(32, 4096, 32, 50272, 2050), 2048, true},
    named_model{"opt-13b", detail::gpt(40, 5120, 40, 50272, 2050), 2048, true},
    named_model{"opt-30b", detail::gpt(48, 7168, 56, 50272, 2050), 2048, true},
    named_model{"opt-66b", detail::gpt(64, 9216, 72, 50272, 2050), 2048, true},
    named_model{"opt-175b", detail::gpt(96, 12288, 96, 50272, 2050), 2048, true},
    // Le Scao et al. 2022, table 3; trained without dropout.
    named_model{"bloom-176b", detail::bloom(70, 14336, 112), 2048},
    // Touvron et al. 2023a, table 2.
    named_model{"llama-7b", detail::llama(32, 4096, 11008, 32, 32, 32000), 2048},
    named_model{"llama-13b", detail::llama(40, 5120, 13824, 40, 40, 32000), 2048},
    named_model{"llama-33b", detail::llama(60, 6656, 17920, 52, 52, 32000), 2048},
    named_model{"llama-65b", detail::llama(80, 8192, 22016, 64, 64, 32000), 2048},
    // Touvron et al. 2023b, table 1; meta-llama/Llama-2-* config.json.
    named_model{"llama-2-7b", detail::llama(32, 4096, 11008, 32, 32, 32000), 4096},
    named_model{"llama-2-13b", detail::llama(40, 5120, 13824, 40, 40, 32000), 4096},
    named_model{"llama-2-70b", detail::llama(80, 8192, 28672, 64, 8, 32000), 4096},
    // Grattafiori et al. 2024, table 3; meta-llama/* config.json.
    named_model{"llama-3-8b", detail::llama(32, 4096, 14336, 32, 8, 128256), 8192},
    named_model{"llama-3-70b", detail::llama(80, 8192, 28672, 64, 8, 128256), 8192},
    named_model{"llama-3.1-8b", detail::llama(32, 4096, 14336, 32, 8, 128256), 8192},
    named_model{"llama-3.1-70b", detail::llama(80, 8192, 28672, 64, 8, 128256), 8192},
    named_model{"llama-3.1-405b", detail::llama(126, 16384, 53248, 128, 8, 128256), 8192},
    named_model{"llama-3.2-1b", detail::tied(detail::llama(16, 2048, 8192, 32, 8, 128256)), 8192},
    named_model{"llama-3.2-3b", detail::tied(detail::llama(28, 3072, 8192, 24, 8, 128256)), 8192},
    named_model{"llama-3.3-70b", detail::llama(80, 8192, 28672, 64, 8, 128256), 8192},
    // Jiang et al. 2023, table 1.
    named_model{"mistral-7b", detail::llama(32, 4096, 14336, 32, 8, 32000), 8192},
    // Zhang et al. 2024, table 1.
    named_model{"tinyllama-1.1b", detail::llama(22, 2048, 5632, 32, 4, 32000), 2048},
    // Young et al. 2024, table 1.
    named_model{"yi-6b", detail::llama(32, 4096, 11008, 32, 4, 64000), 4096},
    named_model{"yi-34b", detail::llama(60, 7168, 20480, 56, 8, 64000), 4096},
    // DeepSeek-AI 2024 (LLM), table 2; the 102400 rows of its embedding.
    named_model{"deepseek-67b", detail::llama(95, 8192, 22016, 64, 8, 102400), 4096},
    // Qwen team 2024 (Qwen2.5), table 1; Qwen/Qwen2.5-* config.json: biases on the query/key/value projection alone.
    named_model{"qwen2.5-0.5b", detail::tied(detail::qwen(24, 896, 4864, 14, 2, 151936)), 4096},
    named_model{"qwen2.5-1.5b", detail::tied(detail::qwen(28, 1536, 8960, 12, 2, 151936)), 4096},
    named_model{"qwen2.5-3b", detail::tied(detail::qwen(36, 2048, 11008, 16, 2, 151936)), 4096},
    named_model{"qwen2.5-7b", detail::qwen(28, 3584, 18944, 28, 4, 152064), 4096},
    named_model{"qwen2.5-14b", detail::qwen(48, 5120, 13824, 40, 8, 152064), 4096},
    named_model{"qwen2.5-32b", detail::qwen(64, 5120, 27648, 40, 8, 152064), 4096},
    named_model{"qwen2.5-72b", detail::qwen(80, 8192, 29568, 64, 8, 152064), 4096},
};

namespace detail {
[[nodiscard]] constexpr char folded(char c) {
  return c == '_' || c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] constexpr bool same_name(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i != a.size(); ++i)
    if (folded(a[i]) != folded(b[i])) return false;
  return true;
}
}  // namespace detail

/// Null: no such name. Capitals, and '_' for '-', do not matter.
[[nodiscard]] constexpr const named_model* find_model(std::string_view name) {
  for (const named_model& m : models)
    if (detail::same_name(m.name, name)) return &m;
  return nullptr;
}

/// All names, for a message: "gpt2, gpt2-medium, …".
[[nodiscard]] inline std::string model_names() {
  std::string all;
  for (const named_model& m : models) all += (all.empty() ? "" : ", ") + std::string{m.name};
  return all;
}

}  // namespace echosim::inline v0
