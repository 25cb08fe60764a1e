// SPDX-License-Identifier: MIT
// What the libraries of an architecture reach: the calibrated constants of the tiled device, and nothing else. Remade by
// bench/calibrate.cpp, which prints this file's numbers from the measurements that it names. Facts of a part stay in gpu.hpp.
#pragma once
#include "../core/kernel.hpp"
#include "gpu.hpp"

namespace echosim::inline v0 {

/// Matrix products of a cuBLAS-class library.
struct gemm_rates {
  double pipe = 0;           ///< share of the matrix rate at boost clock that a main loop reaches
  double narrow = 1;         ///< the same for formats below 16 bit, over that of 16-bit formats
  double per_joule = 0;      ///< FLOP/J at 16 bit where the power limit begins to lower the clock; 0: it never does
  double quantisation = 1;   ///< how much of a last, partial wave is lost: 1 all of it, 0 nothing
  double tile_cycles = 0;    ///< start and end of a tile that no other tile hides
  double epilogue = 0;       ///< cost of writing a tile, in passes of its bytes through the operand path
  double operand_path = 0;   ///< bytes per cycle that a multiprocessor takes from the L2 cache, multicast counted once
  double traffic = 0;        ///< share of the memory bandwidth
  double launch = 0;         ///< s, a dependent kernel on its stream
  double split = 0;          ///< s, the reduction that follows a product cut along k
};

/// Fused attention: cycles of one multiprocessor at boost clock.
struct attention_rates {
  double products = 0;           ///< share of the matrix rate in the products
  double score = 0;              ///< cycles for a score's exponential and sums that the products do not hide
  double block = 0;              ///< cycles to start and end 128 queries
  double products_backward = 0;  ///< the same three, backward
  double score_backward = 0;
  double block_backward = 0;
  double tail = 0;               ///< share of the longest block's time in which other multiprocessors idle
  double launch = 0;             ///< s
};

/// Kernels that only move data.
struct stream_rates {
  double elementwise = 0;  ///< share of the memory bandwidth; also copies, optimizers and losses
  double rows = 0;         ///< share where a kernel reduces along rows: norms and softmax
  double gather = 0;       ///< share of embedding look-ups and their scattered sums
  double launch = 0;       ///< s
};

/// Named by what the constants were calibrated on; every number is bench/calibrate.cpp's output.
[[nodiscard]] constexpr gemm_rates gemm_rates_of(architecture a) {
  // Shared by NVIDIA parts: A100, H100 and B200 together (aiconfigurator @095f58a51c, systems/data/*/gemm_perf).
  gemm_rates r{.pipe = 0.95, .narrow = 0.92, .per_joule = 1.05e12, .quantisation = 0.074, .tile_cycles = 400, .epilogue = 2.8,
               .operand_path = 70, .traffic = 0.79, .launch = 2.2e-6, .split = 2.9e-6};
  switch (a) {
    case architecture::volta:  // as Ampere; pipe: 83 of 112 TFLOP/s (Jia et al. 2018, "Dissecting the NVIDIA Volta GPU")
      r.pipe = 0.74, r.quantisation = 1, r.tile_cycles = 4700, r.epilogue = 0.77, r.operand_path = 40, r.traffic = 0.74;
      break;
    case architecture::ada:  // as Ampere; traffic and power not calibrated
    case architecture::ampere:
      r.quantisation = 1, r.tile_cycles = 4700, r.epilogue = 0.77, r.operand_path = 40, r.traffic = 0.74;
      break;
    case architecture::hopper: r.traffic = 0.86; break;
    case architecture::blackwell: case architecture::blackwell_ultra: r.operand_path = 124, r.traffic = 0.76; break;
    case architecture::cdna2: case architecture::cdna3: case architecture::cdna4:
      // pipe: mean of MI300X 668, MI325X 785, MI355X 1565 TFLOP/s over peak (stas00/ml-engineering @744d01e18b).
      r.pipe = 0.58, r.per_joule = 0, r.quantisation = 1, r.tile_cycles = 4700, r.epilogue = 0.77, r.operand_path = 64;
      break;
  }
  return r;
}

/// Cycles at boost clock: attention draws less power than matrix products (H200: 480 W of 700; cuDNN frontend).
[[nodiscard]] constexpr attention_rates attention_rates_of(architecture a, attention_backend b) {
  attention_rates r{.products = 0.7, .score = 0.055, .block = 4000, .products_backward = 0.6, .score_backward = 0.055,
                    .block_backward = 20000, .tail = 0.3, .launch = 5e-6};
  if (a == architecture::hopper && b == attention_backend::flash2) r.products = 0.43, r.products_backward = 0.30;
  if (a == architecture::hopper && b == attention_backend::flash3) r.products = 0.82, r.products_backward = 0.62;
  return r;
}

[[nodiscard]] constexpr stream_rates stream_rates_of(architecture) {
  return {.elementwise = 0.85, .rows = 0.78, .gather = 0.6, .launch = 2.2e-6};
}

}  // namespace echosim::inline v0
