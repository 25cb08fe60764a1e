// SPDX-License-Identifier: MIT
#include "echosim/model/embedding.hpp"

#include "catch.hpp"
#include "recorded.hpp"

using namespace echosim;
using namespace recorded;

namespace {

steps embedding(const transformer& m, const shard& s, const framework& f, bool backward) {
  steps t;
  if (backward)
    embedding_backward(m, s, f, t);
  else
    embedding_forward(m, s, f, t);
  return t;
}

}  // namespace

TEST_CASE("an embedding begins and ends with a kernel, and joins its calls") {
  for (transformer m : {small_gpt(), small_llama()})
    for (const bool norm : {false, true})
      each_case([&](const transformer&, const shard& s, const framework& f) {
        m.embedding_norm = norm;
        for (const bool backward : {false, true}) {
          const steps t = embedding(m, s, f, backward);
          REQUIRE_FALSE(t.all.front().is_call);
          REQUIRE_FALSE(t.all.back().is_call);
          REQUIRE((s.tp == 1 || t.all.back().joins));
        }
      });
}

TEST_CASE("partial rows are all-reduced, or scattered under sequence parallelism and gathered backward") {
  const shard plain{2048, 1, 8, false, dtype::bf16}, cut{2048, 1, 8, true, dtype::bf16};
  CHECK(calls(embedding(small_gpt(), plain, {}, false), call::all_reduce) == 1);
  CHECK(calls(embedding(small_gpt(), cut, {}, false), call::reduce_scatter) == 1);
  CHECK(calls(embedding(small_gpt(), plain, {}, true), call::all_gather) == 0);
  CHECK(calls(embedding(small_gpt(), cut, {}, true), call::all_gather) == 1);
}

TEST_CASE("the table's gradient is added to the fp32 buffer, one rank's share of the padded rows") {
  const shard s{2048, 1, 8, false, dtype::bf16};
  CHECK(moved_by(embedding(small_gpt(), s, {}, true), "embedding gradient").count == 51200 / 8 * 1024 * (4 + 8));
}

TEST_CASE("positions, dropout and a norm cost a kernel each where the model has them") {
  framework dry;
  dry.dropout = false;
  transformer m = small_llama();
  CHECK(embedding(m, shard{}, dry, false).all.size() == 1);
  CHECK(embedding(m, shard{}, {}, false).all.size() == 2);
  m.embedding_norm = true;
  CHECK(embedding(m, shard{}, {}, false).all.size() == 3);
  m.position = positions::learned;
  CHECK(embedding(m, shard{}, {}, false).all.size() == 4);
}
