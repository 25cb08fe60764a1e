// SPDX-License-Identifier: MIT
// What the libraries of an architecture reach: the calibrated constants of the tiled device, and nothing else. Remade
// by bench/calibrate.cpp, which prints this file's numbers from the measurements that it names. Facts of a part stay in
// gpu.hpp.
#pragma once
#include "../core/kernel.hpp"
#include "gpu.hpp"

namespace echosim::inline v0 {

/// Matrix products of a cuBLAS-class library.
struct gemm_rates {
  double pipe = 0;          ///< share of the matrix rate at boost clock that a main loop reaches
  double narrow = 1;        ///< the same for formats below 16 bit, over that of 16-bit formats
  double per_joule = 0;     ///< FLOP/J at 16 bit where the power limit begins to lower the clock; 0: it never does
  double quantisation = 1;  ///< how much of a last, partial wave is lost: 1 all of it, 0 nothing
  double tile_cycles = 0;   ///< start and end of a tile that no other tile hides
  double epilogue = 0;      ///< cost of writing a tile, in passes of its bytes through the operand path
  double operand_path = 0;  ///< bytes per cycle that a multiprocessor takes from the L2 cache, multicast counted once
  double traffic = 0;       ///< share of the memory bandwidth
  double launch = 0;        ///< s, a dependent kernel on its stream
  double split = 0;         ///< s, the reduction that follows a product cut along k
};

/// Fused attention: cycles of one multiprocessor at boost clock.
struct attention_rates {
  double products = 0;           ///< share of the matrix rate in the products
  double score = 0;              ///< cycles for a score's exponential and sums that the products do not hide
  double block = 0;              ///< cycles to start and end 128 queries
  double products_backward = 0;  ///< the same three, backward
  double score_backward = 0;
  double block_backward = 0;
  double tail = 0;    ///< share of the longest block's time in which other multiprocessors idle
  double launch = 0;  ///< s
};

/// Kernels that only move data.
struct stream_rates {
  double elementwise = 0;  ///< share of the memory bandwidth; also copies, optimizers and losses
  double rows = 0;         ///< share where a kernel reduces along rows: norms and softmax
  double rows_backward = 0;
  double columns = 0;  ///< s, the kernel that adds up a norm's parameter gradients over rows
  double gather = 0;   ///< share of embedding look-ups and their scattered sums
  double launch = 0;   ///< s
};

/// A100, H100 and B200 calibrated together on bench/data/gemm.csv (ai-dynamo/aiconfigurator @095f58a51c): what they
/// share stands first. operand_path = 47.7·(matrix_width / 2048)^0.687 for parts with all their units. Others as noted.
[[nodiscard]] constexpr gemm_rates gemm_rates_of(architecture a) {
  constexpr double older_cycles = 5540, older_epilogue = 1.05, older_traffic = 0.739;
  gemm_rates r{.pipe = 0.949,
               .narrow = 1,
               .per_joule = 9.46e11,
               .quantisation = 0.0275,
               .tile_cycles = 403,
               .epilogue = 2.51,
               .operand_path = 76.9,
               .traffic = 0.846,
               .launch = 2.25e-6,
               .split = 2.83e-6};
  switch (a) {
    case architecture::volta:  // as Ampere; pipe: 83 of 112 TFLOP/s (Jia et al. 2018, "Dissecting the NVIDIA Volta
                               // GPU")
      r.pipe = 0.74, r.operand_path = 29.6;
      r.quantisation = 1, r.tile_cycles = older_cycles, r.epilogue = older_epilogue, r.traffic = older_traffic;
      break;
    case architecture::ada:
    case architecture::blackwell_workstation:  // as Ampere: the same instructions; not calibrated
      r.operand_path = 29.6;
      r.quantisation = 1, r.tile_cycles = older_cycles, r.epilogue = older_epilogue, r.traffic = older_traffic;
      break;
    case architecture::ampere:
      r.operand_path = 47.7;
      r.quantisation = 1, r.tile_cycles = older_cycles, r.epilogue = older_epilogue, r.traffic = older_traffic;
      break;
    case architecture::hopper: r.narrow = 0.802; break;
    case architecture::blackwell:
    case architecture::blackwell_ultra: r.operand_path = 124, r.traffic = 0.788; break;
    case architecture::cdna2:
    case architecture::cdna3:
    case architecture::cdna4:
      // pipe: mean of MI300X 668, MI325X 785, MI355X 1565 TFLOP/s over peak (stas00/ml-engineering @744d01e18b); the
      // rest as Ampere, not calibrated.
      r.pipe = 0.58, r.per_joule = 0,
      r.operand_path = a == architecture::cdna2   ? 29.6
                       : a == architecture::cdna3 ? 47.7
                                                  : 76.9;
      r.quantisation = 1, r.tile_cycles = older_cycles, r.epilogue = older_epilogue, r.traffic = older_traffic;
      break;
  }
  return r;
}

namespace detail {
/// What all fused kernels share, calibrated with the numbers below on bench/data/attention*.csv.
[[nodiscard]] constexpr attention_rates fused(double products, double block, double products_backward = 0.6,
                                              double block_backward = 20000) {
  return {.products = products,
          .score = 0.0523,
          .block = block,
          .products_backward = products_backward,
          .score_backward = 0.038,
          .block_backward = block_backward,
          .tail = 0.409,
          .launch = 3.66e-6};
}
}  // namespace detail

/// TensorRT-LLM's kernels (1.0 on Ampere, 1.3 on Hopper and Blackwell; also SGLang's and FlashInfer's on Blackwell),
/// forward (ai-dynamo/aiconfigurator @095f58a51c).
[[nodiscard]] constexpr attention_rates tensorrt_llm(architecture a) {
  if (a >= architecture::blackwell && a < architecture::cdna2) return detail::fused(0.884, 7230);
  return a == architecture::hopper ? detail::fused(0.679, 3040) : detail::fused(0.556, 2170);
}
/// cuDNN on Hopper as measured in 2024 (Shah et al. 2024, figures 5 and 6), for frameworks of that time.
[[nodiscard]] constexpr attention_rates cudnn_2024() { return detail::fused(0.679, 3040, 0.537, 22600); }

/// Cycles at boost clock: attention draws less power than matrix products (H200: 480 W of 700; NVIDIA/cudnn-frontend).
/// FlashAttention: Dao-AILab/flash-attention assets @0251105a2f, and vLLM's and SGLang's (aiconfigurator @095f58a51c).
/// cuDNN: 9.19 on H200 (NVIDIA/cudnn-frontend @3929da2ef4).
[[nodiscard]] constexpr attention_rates attention_rates_of(architecture a, attention_backend b) {
  constexpr attention_rates flash2_hopper = detail::fused(0.417, 3580, 0.312, 21000);
  switch (a) {
    case architecture::hopper:
      if (b == attention_backend::flash2) return flash2_hopper;
      return b == attention_backend::flash3 ? detail::fused(0.801, 4280, 0.599, 23900)
                                            : detail::fused(0.923, 4800, 0.608, 26600);
    case architecture::blackwell:
    case architecture::blackwell_ultra: {
      // FlashAttention-2 has Hopper's instructions at half the share of a twice as wide part; FlashAttention-3 counts
      // as cuDNN.
      attention_rates r = flash2_hopper;
      r.products /= 2, r.products_backward /= 2;
      if (b == attention_backend::flash2) return r;
      // cuDNN-frontend's results for long sequences, head size 128, forward and backward: GB200 1625 and 1190 TFLOP/s,
      // GB300 1900 and 1340 TFLOP/s. GB300 has twice the exponential units: half the cycles a score. Two parts and two
      // passes give the four numbers.
      r = detail::fused(0.95, 4800, 0.615, 26600);
      const double units = a == architecture::blackwell_ultra ? 2 : 1;
      r.score = 0.031 / units, r.score_backward = 0.074 / units;
      return r;
    }
    case architecture::cdna2:
    case architecture::cdna3:
    case architecture::cdna4: return detail::fused(0.45, 2170, 0.45);  // not calibrated
    default:  // calibrated on A100; Volta and Ada take its shares
      return b == attention_backend::cudnn ? tensorrt_llm(a) : detail::fused(0.75, 5220, 0.659, 16800);
  }
}

/// elementwise: BabelStream's copy and triad, mean of A100 1.65 of 2.04, H100 2.94 of 3.35, H200 4.08 of 4.80 TB/s
/// (Azure/AI-benchmarking-guide @8fd0c6e1bd). rows, rows_backward, columns, launch: cuDNN's norms on H200, calibrated
/// on bench/data/norms.csv (NVIDIA/cudnn-frontend @3929da2ef4). gather: PyTorch's embedding of 16,384 rows of 16 KB on
/// A100, 0.86 ms (linkedin/Liger-Kernel benchmark/data @ead96b618e). One set for all architectures.
[[nodiscard]] constexpr stream_rates stream_rates_of(architecture) {
  return {
      .elementwise = 0.85, .rows = 0.791, .rows_backward = 0.829, .columns = 5.08e-6, .gather = 0.31, .launch = 1.9e-6};
}

}  // namespace echosim::inline v0
