// SPDX-License-Identifier: MIT
#include "echosim/model/activations.hpp"

#include "catch.hpp"
#include "echosim/model/catalog.hpp"

using namespace echosim;

namespace {

constexpr framework korthikanti() {
  framework f;
  f.attention = attention_backend::unfused;
  return f;
}
constexpr transformer gpt175 = find_model("gpt-175b")->is;
constexpr i64 s = 2048, b = 2, h = 12288, a = 96;

constexpr i64 layer(u32 t, bool sp, recompute r) {
  return layer_activations(gpt175, {s, b, t, sp, dtype::bf16}, korthikanti(), r).count;
}

}  // namespace

// Korthikanti et al. 2022, table 2: bytes a layer.
static_assert(layer(1, false, recompute::none) == 34 * s * b * h + 5 * a * s * s * b);
static_assert(layer(8, false, recompute::none) == 10 * s * b * h + 24 * s * b * h / 8 + 5 * a * s * s * b / 8);
static_assert(layer(8, true, recompute::none) == (34 * s * b * h + 5 * a * s * s * b) / 8);
static_assert(layer(8, false, recompute::selective) == 10 * s * b * h + 24 * s * b * h / 8);
static_assert(layer(8, true, recompute::selective) == 34 * s * b * h / 8);
static_assert(layer(1, false, recompute::full) == 2 * s * b * h);
// The checkpointed input is a slice of the sequence where the residual stream is cut.
static_assert(layer(8, true, recompute::full) == 2 * s * b * h / 8);

TEST_CASE("LLaMA-7B by 34·s·b·h + 5·a·s²·b at sequence 512 and batch 8 is 27.0 GiB") {
  // OpenLMLab/LOMO issue 16; the formula takes the model for a GPT of 32 layers of 4096.
  transformer m = find_model("gpt3-6.7b")->is;
  const double layers =
      32.0 *
      static_cast<double>(layer_activations(m, {512, 8, 1, false, dtype::fp16}, korthikanti(), recompute::none).count);
  CHECK(layers / (1 << 30) == Approx(27.0).margin(0.05));
}

TEST_CASE("two norms hold 4·s·b·h, replicated over tp without sequence parallelism") {
  // cli99/llm-analysis issues 18 and 28: what is not cut, 10·s·b·h, is the four inputs and the two masks.
  const i64 more = 8 * layer(8, false, recompute::selective) - layer(1, false, recompute::selective);
  CHECK(more == 7 * 10 * s * b * h);
}

TEST_CASE("a fused kernel keeps a log-sum a row in place of the scores") {
  const framework flash;
  const shard one{s, b, 1, false, dtype::bf16};
  CHECK(attention_core_activations(gpt175, one, flash).count == 4 * a * s * b);
  CHECK(layer_activations(gpt175, one, flash, recompute::none).count == 34 * s * b * h + 4 * a * s * b);
}

TEST_CASE("dropout and an fp32 softmax change what a score keeps") {
  const shard one{s, b, 1, false, dtype::bf16};
  const i64 scores = a * s * s * b;
  framework f = korthikanti();
  CHECK(attention_core_activations(gpt175, one, f).count == 5 * scores);
  f.dropout = false;
  CHECK(attention_core_activations(gpt175, one, f).count == 2 * scores);
  f.fused_softmax = false;
  CHECK(attention_core_activations(gpt175, one, f).count == 6 * scores);
  f.dropout = true;
  CHECK(attention_core_activations(gpt175, one, f).count == 7 * scores);
}

TEST_CASE("a gated MLP keeps gate, up and product; the activated gate too where kernels are not fused") {
  const transformer m = find_model("llama-2-7b")->is;
  const shard one{4096, 1, 1, false, dtype::bf16};
  framework f;
  f.dropout = false;
  const i64 fused = layer_activations(m, one, f, recompute::selective).count;
  f.fused_activation = false;
  CHECK(layer_activations(m, one, f, recompute::selective).count - fused == i64{4096} * 11008 * 2);
  // four inputs, q k v and the projection's input, three inner tensors
  CHECK(fused == i64{4096} * 2 * (4 * 4096 + 4 * 4096 + 3 * 11008));
}

TEST_CASE("key/value heads that are shared keep less") {
  transformer m = find_model("llama-3-8b")->is;
  const shard one{4096, 1, 1, false, dtype::bf16};
  const i64 grouped = layer_activations(m, one, framework{}, recompute::none).count;
  m.kv_heads = 32;
  CHECK(layer_activations(m, one, framework{}, recompute::none).count - grouped == i64{4096} * 2 * (32 - 8) * 128 * 2);
}

TEST_CASE("logits are kept in fp32, cut over tp, and dominate small models") {
  const shard eight{s, b, 8, false, dtype::bf16};
  framework f;
  CHECK(logit_activations(gpt175, eight, f).count == 4 * s * b * 51200 / 8);
  CHECK(head_activations(gpt175, eight, f).count == 4 * s * b * 51200 / 8 + 2 * 2 * s * b * h);
  f.fused_loss = true;
  CHECK(logit_activations(gpt175, eight, f).count == 2 * s * b * 51200 / 8);
}

TEST_CASE("recomputation trades kept activations for a workspace of one layer") {
  for (const bool sp : {false, true}) {
    const shard eight{s, b, 8, sp, dtype::bf16};
    const framework f = korthikanti();
    const auto kept = [&](recompute r) { return layer_activations(gpt175, eight, f, r); };
    const auto work = [&](recompute r) { return backward_workspace(gpt175, eight, f, r); };
    CHECK(work(recompute::full) - work(recompute::none) == kept(recompute::none) - kept(recompute::full));
    CHECK(work(recompute::selective) - work(recompute::none) == kept(recompute::none) - kept(recompute::selective));
  }
}

TEST_CASE("the embedding keeps its dropout mask alone") {
  const shard eight{s, b, 8, true, dtype::bf16};
  framework f;
  CHECK(embedding_activations(gpt175, eight, f).count == s * b * h / 8);
  f.dropout = false;
  CHECK(embedding_activations(gpt175, eight, f).count == 0);
}
