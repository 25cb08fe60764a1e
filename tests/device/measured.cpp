// SPDX-License-Identifier: MIT
#include "echosim/device/measured.hpp"

#include "catch.hpp"
#include "echosim/device/catalog.hpp"
#include "echosim/device/tiled.hpp"

using namespace echosim;

namespace {
kernel product(i64 m, i64 n = 4096, dtype t = dtype::bf16) { return gemm("", m, n, 4096, t); }
const std::vector<measurement> profile{
    {product(4096), {400'000}}, {product(1024), {100'000}}, {product(2048), {200'000}}};
}  // namespace

TEST_CASE("a measured kernel takes the time that was measured") {
  const measured<> d{profile};
  CHECK(d.time(product(2048)) == duration{200'000});
  CHECK(d.knows(product(2048)) == known::measured);
}

TEST_CASE("between two measurements the time follows a power of the rows") {
  const measured<> d{{{product(1024), {100'000}}, {product(4096), {900'000}}}};
  // Three times as long for twice the rows: exponent ln 9 / ln 4.
  CHECK(static_cast<double>(d.time(product(2048)).ps) == Approx(300'000).epsilon(1e-4));
  CHECK(d.knows(product(2048)) == known::interpolated);
}

TEST_CASE("one row beyond the profile is outside, the last row is inside") {
  const measured<> d{profile};
  CHECK(d.knows(product(1023)) == known::outside);
  CHECK(d.knows(product(1024)) == known::measured);
  CHECK(d.knows(product(4096)) == known::measured);
  CHECK(d.knows(product(4097)) == known::outside);
  CHECK(d.time(product(4097)) == forever);
}

TEST_CASE("another width, format, layout or backend is another series") {
  const measured<> d{profile};
  CHECK(d.knows(product(2048, 4097)) == known::outside);
  CHECK(d.knows(product(2048, 4096, dtype::fp16)) == known::outside);
  CHECK(d.knows(gemm("", 2048, 4096, 4096, dtype::bf16, gemm_layout::nt)) == known::outside);
  const kernel norm = streaming("", kernel_kind::norm, 2048, 4096, 4, dtype::bf16),
               wide = streaming("", kernel_kind::norm, 2048, 4096, 6, dtype::bf16);
  const measured<> streams{{{norm, {10}}}};
  CHECK(streams.knows(norm) == known::measured);
  CHECK(streams.knows(wide) == known::outside);
}

TEST_CASE("outside the profile a second device answers where one is given") {
  const tiled model{a100_sxm_80};
  const measured d{profile, model};
  CHECK(d.time(product(8192)) == model.time(product(8192)));
  CHECK(d.time(product(2048)) == duration{200'000});
  CHECK(d.memory() == model.memory());
}

TEST_CASE("a slower measurement of fewer rows stands for more rows too") {
  const measured<> d{{{product(1024), {100'000}}, {product(2048), {90'000}}, {product(4096), {300'000}}}};
  duration last{};
  for (i64 m = 1024; m <= 4096; m += 64) {
    CHECK(d.time(product(m)) >= last);
    last = d.time(product(m));
  }
  CHECK(d.time(product(2048)) == duration{100'000});
}

TEST_CASE("repeated measurements count with their mean, in any order") {
  const measured<> d{{{product(64), {10}}, {product(128), {100}}, {product(64), {30}}}};
  CHECK(d.time(product(64)) == duration{20});
}

TEST_CASE("attention of a longer sequence lies on the same series") {
  const auto whole = [](i64 s) {
    kernel a;
    a.kind = kernel_kind::attention;
    a.m = a.n = s, a.k = 128, a.batch = 32;
    return a;
  };
  const measured<> d{{{whole(1024), {100'000}}, {whole(4096), {1'600'000}}}};
  CHECK(static_cast<double>(d.time(whole(2048)).ps) == Approx(400'000).epsilon(1e-4));
  kernel cross = whole(2048);
  cross.n = 4096;
  CHECK(d.knows(cross) == known::outside);
}

TEST_CASE("an empty profile knows nothing") { CHECK(measured<>{{}}.time(product(64)) == forever); }
