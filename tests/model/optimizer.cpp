// SPDX-License-Identifier: MIT
#include "echosim/model/optimizer.hpp"

#include "catch.hpp"

using namespace echosim;

namespace {
constexpr framework wide{};
constexpr framework half() {
  framework f;
  f.accumulates_in_fp32 = false;
  return f;
}
}  // namespace

// Gradient 4; master weight and two moments, each read and written, 24; the 16-bit weight written 2.
static_assert(adam(1000, dtype::bf16, wide).moved == bytes{30 * 1000});
static_assert(adam(1000, dtype::bf16, half()).moved == bytes{28 * 1000});
static_assert(adam(1000, dtype::fp32, half()).moved == bytes{28 * 1000});
static_assert(gradient_norm(1000, dtype::bf16, wide).moved == bytes{4 * 1000});
static_assert(gradient_norm(1000, dtype::bf16, half()).moved == bytes{2 * 1000});
static_assert(gradient_clip(1000, dtype::bf16, wide).moved == bytes{8 * 1000});
static_assert(gradient_zeroing(1000, dtype::bf16, wide).moved == bytes{4 * 1000});

TEST_CASE("the optimizer's kernels count beyond 32 bits") {
  CHECK(adam(i64{1} << 40, dtype::bf16, wide).moved.count == 30 * (i64{1} << 40));
  CHECK(adam(i64{1} << 40, dtype::bf16, wide).kind == kernel_kind::optimizer);
  CHECK(adam(1, dtype::bf16, wide).issue == wide.kernel_issue);
}
