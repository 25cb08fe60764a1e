// SPDX-License-Identifier: MIT
#include "echosim/device/catalog.hpp"

#include "catch.hpp"

using namespace echosim;

TEST_CASE("a part is found by its full name and by its short one") {
  REQUIRE(find_gpu("h100_sxm") != nullptr);
  REQUIRE(find_gpu("a100") != nullptr);
  CHECK(find_gpu("a100")->part == a100_sxm_80);
  CHECK(find_gpu("h800")->part == h800_sxm);
}

TEST_CASE("a name that no part has gives null") {
  CHECK(find_gpu("") == nullptr);
  CHECK(find_gpu("H100_SXM") == nullptr);
  CHECK(find_gpu("h100_sxm ") == nullptr);
}

TEST_CASE("every part has the facts that device models divide by") {
  for (const named_gpu& g : gpus) {
    INFO(g.name);
    CHECK(g.part.hbm.per_second > 0);
    CHECK(g.part.fp32.per_second > 0);
    CHECK(computes(g.part, dtype::fp16));
    CHECK(g.part.memory.count > 0);
    CHECK(g.part.l2.count > 0);
    CHECK(g.part.sms > 0);
    CHECK(g.part.clock > 1e9);
    CHECK(g.part.watts > 0);
  }
}

TEST_CASE("names are unique") {
  for (const named_gpu& a : gpus)
    for (const named_gpu& b : gpus) CHECK((&a == &b || a.name != b.name));
}

TEST_CASE(
    "narrower formats are never slower, and the matrix peak is what the multiply-adds of all units give at about the "
    "boost clock") {
  for (const named_gpu& g : gpus) {
    INFO(g.name);
    CHECK(g.part.fp16.per_second >= 1.97 * g.part.tf32.per_second);
    if (computes(g.part, dtype::fp8)) CHECK(g.part.fp8.per_second >= 1.9 * g.part.fp16.per_second);
    if (computes(g.part, dtype::nvfp4)) CHECK(g.part.fp4.per_second >= 1.9 * g.part.fp8.per_second);
    const double each = g.part.fp16.per_second / (g.part.sms * g.part.clock);
    double power = 512;
    while (power * 1.5 < each) power *= 2;
    CHECK(each / power > 0.85);
    CHECK(each / power < 1.02);
  }
}

TEST_CASE("a part without a format says so") {
  CHECK_FALSE(computes(v100_32, dtype::bf16));
  CHECK_FALSE(computes(a100_sxm_80, dtype::fp8));
  CHECK_FALSE(computes(h100_sxm, dtype::nvfp4));
  CHECK(computes(b200, dtype::nvfp4));
  CHECK(computes(h100_sxm, dtype::mxfp8));
}
