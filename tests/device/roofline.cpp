// SPDX-License-Identifier: MIT
#include "echosim/device/roofline.hpp"

#include "catch.hpp"
#include "echosim/device/catalog.hpp"

using namespace echosim;

TEST_CASE("a GEMM below the ridge takes its bytes over the bandwidth, above it its work over the peak") {
  const roofline d{a100_sxm_80};
  const kernel thin = gemm("thin", 1, 8192, 8192, dtype::bf16), square = gemm("square", 8192, 8192, 8192, dtype::bf16);
  CHECK(d.time(thin) == thin.moved / a100_sxm_80.hbm);
  CHECK(d.time(square) == square.work / a100_sxm_80.bf16);
}

TEST_CASE("the shares stretch each side of the roofline by themselves") {
  const kernel thin = gemm("thin", 1, 8192, 8192, dtype::bf16), square = gemm("square", 8192, 8192, 8192, dtype::bf16);
  const roofline whole{h100_sxm}, half{h100_sxm, 0.5, 1};
  CHECK(half.time(square) / whole.time(square) == Approx(2));
  CHECK(half.time(thin) == whole.time(thin));
}

TEST_CASE("the work of kernels without matrix products runs on the vector units") {
  kernel k = streaming("adam", kernel_kind::optimizer, 1, 1'000'000, 0, dtype::fp16);
  k.work = {1e12};
  CHECK(roofline{v100_32}.time(k) == k.work / v100_32.fp32);
}

TEST_CASE("a format that the part lacks takes forever, and no work takes no time") {
  CHECK(roofline{v100_32}.time(gemm("g", 64, 64, 64, dtype::bf16)) == forever);
  CHECK(roofline{v100_32}.time(kernel{}) == duration{});
}

TEST_CASE("twice the time of a kernel is the time of two") {
  const roofline d{h100_sxm, 0.7, 0.9};
  for (const i64 n : {64, 1000, 12288}) {
    const duration one = d.time(gemm("g", n, n, n, dtype::fp8)),
                   two = d.time(gemm("g", n, n, n, dtype::fp8, gemm_layout::tn, 2));
    CHECK(two.ps - 2 * one.ps <= 1);
    CHECK(2 * one.ps - two.ps <= 2);
  }
}

TEST_CASE("the memory is the part's") { CHECK(roofline{a100_sxm_40}.memory() == bytes{i64{40} << 30}); }
