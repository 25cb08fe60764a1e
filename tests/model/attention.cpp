// SPDX-License-Identifier: MIT
#include "echosim/model/attention.hpp"

#include "catch.hpp"
#include "recorded.hpp"

using namespace echosim;
using namespace recorded;

namespace {

bytes core_bytes(i64 sequence, const framework& f, bool backward) {
  const transformer m = small_gpt();
  const shard s{sequence, 2, 4, false, dtype::bf16};
  steps t;
  if (backward)
    attention_core_backward(m, s, f, t);
  else
    attention_core_forward(m, s, f, t);
  return moved(t);
}
/// Bytes for each element of the scores: the part of the traffic that grows with the square of the sequence.
double bytes_per_score(const framework& f, bool backward) {
  const i64 square = core_bytes(1024, f, backward).count - 2 * core_bytes(512, f, backward).count;
  const double scores = 2.0 * 16 / 4 * (1024.0 * 1024 - 2 * 512.0 * 512);
  return static_cast<double>(square) / scores;
}

framework unfused(bool softmax, bool dropout) {
  framework f;
  f.attention = attention_backend::unfused;
  f.fused_softmax = softmax, f.dropout = dropout;
  return f;
}

}  // namespace

TEST_CASE("unfused attention with dropout moves 13 bytes a score forward and 19 backward") {
  CHECK(bytes_per_score(unfused(true, true), false) == 13);
  CHECK(bytes_per_score(unfused(true, true), true) == 19);
}

TEST_CASE("dropout and a softmax that is not fused cost passes over the scores") {
  CHECK(bytes_per_score(unfused(true, false), false) == 13 - 5);
  CHECK(bytes_per_score(unfused(false, true), false) > 13 + 10);
  CHECK(bytes_per_score(unfused(false, true), true) > 19);
}

TEST_CASE("a fused kernel moves nothing that grows with the square of the sequence, and half the operations") {
  for (const attention_backend b : {attention_backend::flash2, attention_backend::flash3, attention_backend::cudnn}) {
    framework f;
    f.attention = b;
    CHECK(bytes_per_score(f, false) == 0);
    CHECK(bytes_per_score(f, true) == 0);
    steps fused, plain;
    const shard s{2048, 1, 2, false, dtype::bf16};
    attention_core_forward(small_gpt(), s, f, fused);
    attention_core_forward(small_gpt(), s, unfused(true, true), plain);
    CHECK(2 * work(fused).count == work(plain).count);
    CHECK(fused.all.size() == 1);
    CHECK(fused.all[0].what.kind == kernel_kind::attention);
    CHECK(fused.all[0].what.backend == b);
  }
}

TEST_CASE("a fused kernel reads and writes q, k, v and the output once, and their gradients backward") {
  const transformer m = small_llama();  // 16 query heads, 8 key/value heads
  const shard s{2048, 1, 2, false, dtype::bf16};
  const i64 tokens_by_head = 2048 * 64 * 2;
  CHECK(fused_attention(m, s, framework{}, false).moved.count == (2 * 8 + 2 * 4) * tokens_by_head);
  CHECK(fused_attention(m, s, framework{}, true).moved.count == 2 * (2 * 8 + 2 * 4) * tokens_by_head);
  CHECK(fused_attention(m, s, framework{}, false).shared == 2);
}

TEST_CASE("FlashAttention's own count: 4·s²·d·heads forward, halved by the mask, times 2.5 backward") {
  // Dao 2023, §4.1
  const shard s{2048, 8, 1, false, dtype::fp16};
  const double full = 4.0 * 2048 * 2048 * 64 * 16 * 8;
  CHECK(fused_attention(small_gpt(), s, framework{}, false).work.count == full / 2);
  CHECK(fused_attention(small_gpt(), s, framework{}, true).work.count == 2.5 * full / 2);
}

TEST_CASE("only rotary models turn queries and keys, heads of one rank alone") {
  const shard s{512, 1, 4, false, dtype::bf16};
  CHECK(kernels(forward(small_gpt(), s, framework{}), "rotary embedding") == 0);
  const steps t = forward(small_llama(), s, framework{});
  CHECK(kernels(t, "rotary embedding") == 1);
  CHECK(moved_by(t, "rotary embedding").count == 512 * (4 + 2) * 64 * 4);
  CHECK(kernels(backward(small_llama(), s, framework{}), "rotary embedding backward") == 1);
}

TEST_CASE("ranks beyond the key/value heads hold one each") {
  const transformer m = small_llama();
  CHECK(local_kv_heads(m, shard{512, 1, 8, false, dtype::bf16}) == 1);
  CHECK(local_kv_heads(m, shard{512, 1, 16, false, dtype::bf16}) == 1);
  CHECK(qkv_columns(m, shard{512, 1, 8, false, dtype::bf16}) == qkv_size(m));
  CHECK(qkv_columns(m, shard{512, 1, 16, false, dtype::bf16}) == (16 + 2 * 16) * 64);
}

TEST_CASE("attention in a format below 16 bit computes in bf16") {
  shard s{512, 1, 1, false, dtype::fp8};
  CHECK(fused_attention(small_gpt(), s, framework{}, false).type == dtype::bf16);
  s.type = dtype::fp16;
  CHECK(fused_attention(small_gpt(), s, framework{}, false).type == dtype::fp16);
}
