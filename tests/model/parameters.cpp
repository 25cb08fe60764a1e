// SPDX-License-Identifier: MIT
#include "echosim/model/parameters.hpp"

#include "catch.hpp"
#include "echosim/model/catalog.hpp"

using namespace echosim;

// Megatron-LM pads 50257 rows to 50304 at tp 1, to 51200 at tp 8 (arguments --make-vocab-size-divisible-by 128).
static_assert(padded_vocab(find_model("gpt2")->is, 1) == 50304);
static_assert(padded_vocab(find_model("gpt2")->is, 8) == 51200);
static_assert(padded_vocab(find_model("gpt-175b")->is, 8) == 51200);
static_assert(padded_vocab(find_model("gpt2")->is, 1, 1) == 50257);

TEST_CASE("the layers of all ranks hold what is cut once and what is replicated tp times") {
  for (const named_model& m : models)
    for (const i64 tp : {1, 2, 4, 8, 16}) {
      if (m.is.heads % tp != 0 || m.is.kv_heads % tp != 0 || m.is.ffn % tp != 0) continue;
      INFO(m.name << " tp " << tp);
      const i64 extra = (tp - 1) * replicated_layer_parameters(m.is);
      CHECK(tp * layer_parameters(m.is, tp) == layer_parameters(m.is) + extra);
    }
}

TEST_CASE("with more ranks than key/value heads every rank holds one of them") {
  transformer m = find_model("llama-3-8b")->is;
  const i64 each = m.hidden * (m.heads / 32 + 2) * m.head_dim + query_size(m) / 32 * m.hidden +
                   3 * m.hidden * m.ffn / 32 + 2 * m.hidden;
  CHECK(layer_parameters(m, 32) == each);
  m.kv_heads = 1;  // multi-query
  CHECK(layer_parameters(m, 32) == each);
}

TEST_CASE("a GPT layer has 12h² + 13h parameters") {
  for (const named_model& m : models)
    if (!m.is.gated) CHECK(layer_parameters(m.is) == 12 * m.is.hidden * m.is.hidden + 13 * m.is.hidden);
}

TEST_CASE("padding never loses a row and never adds a whole multiple") {
  for (const named_model& m : models)
    for (const i64 tp : {1, 3, 8}) {
      const i64 padded = padded_vocab(m.is, tp);
      CHECK(padded >= m.is.vocab);
      CHECK(padded - m.is.vocab < 128 * tp);
      CHECK(padded % (128 * tp) == 0);
    }
}

TEST_CASE("an untied head adds one table, a norm after the embedding one norm") {
  transformer m = find_model("gpt2")->is;
  const i64 tied = parameters(m);
  m.tied = false;
  CHECK(parameters(m) == tied + m.vocab * m.hidden);
  m.embedding_norm = true;
  CHECK(parameters(m) == tied + m.vocab * m.hidden + 2 * m.hidden);
  m.norm = norm_kind::rms_norm;
  CHECK(norm_parameters(m) == m.hidden);
}
