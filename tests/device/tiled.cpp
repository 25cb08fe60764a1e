// SPDX-License-Identifier: MIT
#include "echosim/device/tiled.hpp"

#include <vector>

#include "catch.hpp"
#include "echosim/device/catalog.hpp"

using namespace echosim;

namespace {
kernel fused(i64 queries, i64 keys, i64 size, i64 batch, bool causal, bool backward, attention_backend backend) {
  kernel a;
  a.kind = kernel_kind::attention;
  a.backend = backend;
  a.backward = backward;
  a.causal = causal;
  a.m = queries, a.n = keys, a.k = size, a.batch = batch;
  a.work = {(backward ? 10.0 : 4.0) * static_cast<double>(queries * keys * size * batch) / (causal ? 2 : 1)};
  a.moved = {(backward ? 4 : 2) * batch * size * (queries + keys) * 2};
  return a;
}
const std::vector<i64> sizes{1, 7, 64, 100, 128, 513, 1024, 2049, 4096, 12288};
}  // namespace

TEST_CASE("a larger matrix product is never faster, in any dimension, on any part") {
  for (const named_gpu& g : gpus) {
    const tiled d{g.part};
    for (const dtype t : {dtype::fp32, dtype::fp16, dtype::fp8})
      for (const i64 m : sizes)
        for (const i64 n : sizes)
          for (const i64 k : sizes) {
            const duration one = d.time(gemm("", m, n, k, t));
            const bool monotone = d.time(gemm("", 2 * m, n, k, t)) >= one && d.time(gemm("", m, 2 * n, k, t)) >= one &&
                                  d.time(gemm("", m, n, 2 * k, t)) >= one &&
                                  d.time(gemm("", m, n, k, t, gemm_layout::tn, 2)) >= one &&
                                  d.time(gemm("", m + 1, n, k, t)) >= one && d.time(gemm("", m, n + 1, k, t)) >= one &&
                                  d.time(gemm("", m, n, k + 1, t)) >= one;
            if (!monotone) FAIL(g.name << " " << name(t) << " " << m << " " << n << " " << k);
          }
  }
  SUCCEED();
}

TEST_CASE("no matrix product beats the part's dense peak or its memory") {
  for (const named_gpu& g : gpus) {
    const tiled d{g.part};
    for (const dtype t : {dtype::fp32, dtype::tf32, dtype::fp16, dtype::bf16, dtype::fp8, dtype::mxfp8, dtype::nvfp4})
      for (const i64 m : sizes)
        for (const i64 n : sizes) {
          const kernel k = gemm("", m, n, 8192, t);
          if (d.time(k) < k.work / peak(g.part, t) || d.time(k) < k.moved / g.part.hbm)
            FAIL(g.name << " " << name(t) << " " << m << " " << n);
        }
  }
  SUCCEED();
}

TEST_CASE("attention over more queries, keys, heads or a larger head is never faster") {
  for (const named_gpu& g : gpus) {
    const tiled d{g.part};
    for (const attention_backend b : {attention_backend::flash2, attention_backend::flash3, attention_backend::cudnn})
      for (const bool causal : {false, true})
        for (const bool backward : {false, true})
          for (const i64 s : {1, 100, 512, 2048, 8192})
            for (const i64 size : {64, 96, 128, 256})
              for (const i64 batch : {1, 8, 96}) {
                const auto time = [&](i64 m, i64 n, i64 k, i64 z) {
                  return d.time(fused(m, n, k, z, causal, backward, b));
                };
                const duration one = time(s, s, size, batch);
                if (time(2 * s, 2 * s, size, batch) < one || time(s, 2 * s, size, batch) < one ||
                    time(s, s, 2 * size, batch) < one || time(s, s, size, 2 * batch) < one ||
                    time(s + 1, s + 1, size, batch) < one)
                  FAIL(g.name << " " << s << " " << size << " " << batch);
                const kernel k = fused(s, s, size, batch, causal, backward, b);
                if (one < k.work / peak(g.part, k.type) || one < k.moved / g.part.hbm)
                  FAIL(g.name << " beats its peak " << s << " " << size);
              }
  }
  SUCCEED();
}

TEST_CASE("a causal mask never slows attention, and backward is slower than forward") {
  const tiled d{h100_sxm};
  for (const i64 s : {512, 4096, 32768}) {
    const kernel whole = fused(s, s, 128, 32, false, false, attention_backend::flash3);
    const kernel half = fused(s, s, 128, 32, true, false, attention_backend::flash3);
    CHECK(d.time(half) <= d.time(whole));
    CHECK(d.time(fused(s, s, 128, 32, true, true, attention_backend::flash3)) > d.time(half));
  }
}

TEST_CASE("kernels that move data take at least their bytes over the bandwidth, and a launch") {
  const tiled d{a100_sxm_80};
  for (const kernel_kind kind :
       {kernel_kind::norm, kernel_kind::softmax, kernel_kind::elementwise, kernel_kind::embedding, kernel_kind::loss,
        kernel_kind::optimizer, kernel_kind::copy}) {
    duration last{};
    for (const i64 rows : {1, 2, 4096, 1 << 20}) {
      const kernel k = streaming("", kind, rows, 1024, 4, dtype::bf16);
      CHECK(d.time(k) >= k.moved / a100_sxm_80.hbm);
      CHECK(d.time(k) >= duration{1'000'000});
      CHECK(d.time(k) >= last);
      last = d.time(k);
    }
  }
}

TEST_CASE("the last tile that fits a wave and the first that does not are told apart where tiles are not shared") {
  // 108 multiprocessors: 9·12 tiles of 256×128 are one wave; one more row of tiles starts a second.
  const tiled d{a100_sxm_80};
  const kernel fits = gemm("", 256 * 9, 128 * 12, 8192, dtype::bf16),
               spills = gemm("", 256 * 9 + 1, 128 * 12, 8192, dtype::bf16);
  const kernel later = gemm("", 256 * 9 + 2, 128 * 12, 8192, dtype::bf16);
  CHECK(d.time(spills) / d.time(fits) > 1.1);
  CHECK(d.time(later) / d.time(spills) < 1.001);
}

TEST_CASE("a product that leaves the device empty is cut along k") {
  const tiled d{h100_sxm};
  const duration whole = d.time(gemm("", 128, 128, 65536, dtype::bf16));
  // One tile on one multiprocessor would take a share 1/132 of the device's rate.
  const kernel alone = gemm("", 128, 128, 65536, dtype::bf16);
  CHECK(whole < alone.work / ((1.0 / 132) * h100_sxm.bf16));
}

TEST_CASE("formats that the part lacks take forever, and nothing to do takes no time") {
  CHECK(tiled{a100_sxm_80}.time(gemm("", 64, 64, 64, dtype::fp8)) == forever);
  CHECK(tiled{v100_32}.time(gemm("", 64, 64, 64, dtype::bf16)) == forever);
  CHECK(tiled{v100_32}.time(fused(128, 128, 64, 1, true, false, attention_backend::flash2)) == forever);
  CHECK(tiled{h100_sxm}.time(kernel{}) == duration{});
  kernel wait;
  wait.kind = kernel_kind::host, wait.moved = {1 << 20};
  CHECK(tiled{h100_sxm}.time(wait) == duration{});
}

TEST_CASE("a lower sustained clock stretches large products by its inverse and leaves memory-bound kernels alone") {
  const tiled d{a100_sxm_80};
  const tiled hot = sustained(d, 0.8);
  const kernel large = gemm("", 16384, 16384, 16384, dtype::bf16),
               norm = streaming("", kernel_kind::norm, 8192, 8192, 4, dtype::bf16);
  CHECK(hot.time(large) / d.time(large) == Approx(1.25).epsilon(0.02));
  CHECK(hot.time(norm) == d.time(norm));
  CHECK(sustained(d).at().products == sustained_clock);
}

TEST_CASE("inside a long run attention finds the clock that products leave, alone the boost clock") {
  const tiled d{h100_sxm};
  const kernel a = fused(8192, 8192, 128, 64, false, false, attention_backend::flash3);
  CHECK(sustained(d, 1.0).time(a) / d.time(a) == Approx(1 / power_clock(h100_sxm, d.rates().gemm)).epsilon(0.01));
}

TEST_CASE("the power limit lowers the clock of parts whose peak outgrew it, and no other") {
  CHECK(power_clock(a100_sxm_80, gemm_rates_of(architecture::ampere)) == Approx(1));
  CHECK(power_clock(h100_sxm, gemm_rates_of(architecture::hopper)) < 0.95);
  CHECK(power_clock(b200, gemm_rates_of(architecture::blackwell)) <
        power_clock(h100_sxm, gemm_rates_of(architecture::hopper)));
  CHECK(power_clock(h20, gemm_rates_of(architecture::hopper)) == Approx(1));
}
