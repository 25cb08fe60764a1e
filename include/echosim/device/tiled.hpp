// SPDX-License-Identifier: MIT
// A white-box device: GEMMs run as waves of output tiles over the SMs, other kernels at a fraction of HBM bandwidth, and
// no kernel under a floor. Few constants, each of an architecture, from measurements of kernels and never of steps.
#pragma once
#include <algorithm>
#include <array>

#include "../core/concepts.hpp"
#include "gpu.hpp"

namespace echosim::inline v0 {

/// What an architecture's libraries reach.
struct kernel_efficiency {
  double matmul = 0.85;          ///< of peak, in the main loop of a large tile
  double attention = 0.60;       ///< of peak, fused forward
  double attention_backward = 0.50;
  double stream = 0.85;          ///< of HBM bandwidth, fused elementwise
  double norm = 0.72;            ///< of HBM bandwidth
  double sustained = 1;          ///< clock under power in a long run, over the clock of a short one
  duration floor{2'500'000};     ///< a dependent kernel on one stream takes at least this
  duration ramp{3'000'000};      ///< prologue and epilogue of a wave of GEMM tiles
};

/// matmul: largest measured share of dense peak (stas00/ml-engineering @744d01e, mamf-finder: A100 271, H100 795, B200 1745,
/// MI300X 668 TFLOP/s). sustained: the same kernels in power-limited runs (H200 702 of 795, B200 1451 of 1745 TFLOP/s; A100
/// 257 of 295 TFLOP/s between zero and random operands): 0.87, the mean of the three. attention: FlashAttention-2 on A100,
/// FlashAttention-3 on H100, cuDNN on B200, long causal sequences; backward/forward 0.84 (cuDNN H200 583/692).
[[nodiscard]] constexpr kernel_efficiency efficiency_of(architecture a) {
  kernel_efficiency e;
  switch (a) {
    case architecture::volta: e.matmul = 0.75, e.attention = 0.35, e.stream = 0.80; break;
    case architecture::ampere: case architecture::ada: e.matmul = 0.87, e.attention = 0.60; break;
    case architecture::hopper: e.matmul = 0.80, e.attention = 0.59; break;
    case architecture::blackwell: case architecture::blackwell_ultra: e.matmul = 0.78, e.attention = 0.53; break;
    case architecture::cdna2: e.matmul = 0.55, e.attention = 0.30, e.stream = 0.75; break;
    case architecture::cdna3: case architecture::cdna4: e.matmul = 0.51, e.attention = 0.35, e.stream = 0.75; break;
  }
  e.attention_backward = 0.84 * e.attention;
  return e;
}

struct tiled {
  gpu on{};
  kernel_efficiency reaches{};

  constexpr tiled() = default;
  constexpr tiled(const gpu& g) : on{g}, reaches{efficiency_of(g.arch)} {}

  [[nodiscard]] constexpr bytes memory() const { return on.memory; }

  [[nodiscard]] constexpr duration time(const kernel& k) const {
    const duration moved = k.moved / ((k.kind == kernel_kind::norm ? reaches.norm : reaches.stream) * on.hbm);
    if (k.kind == kernel_kind::gemm) return max(max(matmul(k), moved), reaches.floor);
    if (k.kind == kernel_kind::attention) {
      const double share = k.backward ? reaches.attention_backward : reaches.attention;
      return max(max(k.work / (reaches.sustained * share * peak(on, k.type)), moved), reaches.floor);
    }
    return max(max(moved, k.work / on.fp32), reaches.floor);
  }

 private:
  struct tile {
    i64 m, n;
  };
  /// Waves of the cheapest tile shape. A tile of mt×nt loads (mt + nt)·k operands for 2·mt·nt·k operations: small tiles lose
  /// by their traffic through L2, counted as 128·128 / (128·128 + 32·(mt + nt)²/4·…) relative to the 256×128 tile.
  [[nodiscard]] constexpr duration matmul(const kernel& k) const {
    constexpr std::array<tile, 6> shapes{{{256, 128}, {128, 256}, {128, 128}, {128, 64}, {64, 128}, {64, 64}}};
    const double rate = reaches.sustained * reaches.matmul * peak(on, k.type).per_second / on.sms;
    double best = -1;
    for (const tile t : shapes) {
      const double tiles = static_cast<double>((k.m + t.m - 1) / t.m * ((k.n + t.n - 1) / t.n)) * static_cast<double>(k.batch);
      const auto waves = static_cast<double>((static_cast<i64>(tiles) + on.sms - 1) / on.sms);
      const double area = static_cast<double>(t.m * t.n), reuse = area / (area + 24.0 * static_cast<double>(t.m + t.n)) / (32768.0 / (32768.0 + 24.0 * 384.0));
      const double each = 2 * area * static_cast<double>(k.k) / (rate * std::min(1.0, reuse));
      // The last wave's tail overlaps the one before it where there are several: whole waves, then the ramp once.
      const double time = waves * each;
      if (best < 0 || time < best) best = time;
    }
    return from_seconds(best) + reaches.ramp;
  }
};
static_assert(device<tiled> && has_memory<tiled>);

/// The device in a long run: clocks settle under power.
[[nodiscard]] constexpr tiled sustained(tiled d) {
  d.reaches.sustained = 0.87;
  return d;
}

}  // namespace echosim::inline v0
