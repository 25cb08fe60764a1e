// SPDX-License-Identifier: MIT
#include "echosim/model/mlp.hpp"

#include "catch.hpp"
#include "recorded.hpp"

using namespace echosim;
using namespace recorded;

namespace {

steps activation(const transformer& m, bool fused, bool backward) {
  framework f;
  f.fused_activation = fused;
  const shard s{512, 2, 4, false, dtype::bf16};
  steps t;
  if (backward)
    activation_backward(m, s, f, t);
  else
    activation_forward(m, s, f, t);
  return t;
}

}  // namespace

TEST_CASE("a fused activation passes once over what it reads and writes") {
  const i64 plain = 1024 * 4096 / 4, inner = 1024 * 2816 / 4;
  CHECK(moved(activation(small_gpt(), true, false)).count == plain * 2 * 2);
  CHECK(moved(activation(small_gpt(), true, true)).count == plain * 3 * 2);
  CHECK(moved(activation(small_llama(), true, false)).count == inner * 3 * 2);  // gate, up; product
  CHECK(moved(activation(small_llama(), true, true)).count == inner * 5 * 2);   // and both gradients
}

TEST_CASE("an activation that is not fused takes more kernels and moves more") {
  for (const transformer& m : {small_gpt(), small_llama()})
    for (const bool backward : {false, true}) {
      const steps fused = activation(m, true, backward), apart = activation(m, false, backward);
      CHECK(apart.all.size() >= fused.all.size());
      CHECK(moved(apart) >= moved(fused));
    }
  CHECK(activation(small_gpt(), false, false).all.size() == 2);
  CHECK(activation(small_llama(), false, false).all.size() == 2);
}

TEST_CASE("gate and up projection are one GEMM of twice the columns") {
  steps t;
  mlp_forward(small_llama(), shard{512, 1, 2, false, dtype::bf16}, framework{}, t);
  CHECK(t.all[0].what.n == 2 * 2816 / 2);
  CHECK(t.all[2].what.k == 2816 / 2);
}
