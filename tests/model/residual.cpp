// SPDX-License-Identifier: MIT
#include "echosim/model/residual.hpp"

#include "catch.hpp"
#include "recorded.hpp"

using namespace echosim;
using namespace recorded;

namespace {

steps dropout_add(const transformer& m, bool fused, bool dropout) {
  framework f;
  f.fused_dropout_add = fused, f.dropout = dropout;
  steps t;
  dropout_add_forward(m, shard{512, 2, 4, true, dtype::bf16}, f, t);
  return t;
}

}  // namespace

TEST_CASE("bias, dropout and residual are one kernel with a mask of 1 byte, or one each") {
  const i64 elements = 1024 / 4 * 1024;
  CHECK(moved(dropout_add(small_gpt(), true, true)).count == elements * 7);
  CHECK(dropout_add(small_gpt(), false, true).all.size() == 3);
  CHECK(dropout_add(small_llama(), false, true).all.size() == 2);
  CHECK(moved(dropout_add(small_gpt(), true, false)).count == elements * 6);
  for (const bool fused : {false, true})
    for (const step& s : dropout_add(small_gpt(), fused, true).all) CHECK(s.joins);
}

TEST_CASE("a norm reads and writes its rows once forward, and one more time backward") {
  const shard s{512, 2, 4, true, dtype::bf16};
  steps f, b;
  norm_forward("norm", small_gpt(), s, framework{}, f);
  norm_backward("norm", small_gpt(), s, framework{}, b);
  CHECK(moved(f).count == 256 * 1024 * 4);
  CHECK(moved_by(b, "norm").count == 256 * 1024 * 6);
  CHECK(b.all.back().joins);
}

TEST_CASE("without dropout and bias the gradient passes a residual sum untouched") {
  framework f;
  f.dropout = false;
  steps t;
  dropout_add_backward(small_llama(), shard{}, f, t);
  CHECK(t.all.empty());
  dropout_add_backward(small_gpt(), shard{}, f, t);
  CHECK(t.all.size() == 1);
}
