// SPDX-License-Identifier: MIT
// What a training framework does with a layer: which kernels it fuses, what it overlaps, what its host pays. Values are
// named behaviours with a source, switched by the framework's name and release, never by a measured row.
#pragma once
#include "../core/kernel.hpp"

namespace echosim::inline v0 {

struct framework {
  const char* name = "";
  attention_backend attention = attention_backend::flash2;
  bool fused_softmax = true;          ///< unfused attention: scale, mask and softmax are one kernel
  bool fused_activation = true;       ///< bias and activation (or gate) are one kernel
  bool fused_dropout_add = true;      ///< bias, dropout and residual are one kernel
  bool fused_loss = false;            ///< cross-entropy is one kernel instead of Megatron's sequence of small ones
  bool dropout = true;                ///< masks are kept and applied
  bool accumulates_in_fp32 = true;    ///< weight gradients are added to an fp32 buffer (bytes 4 per parameter)
  bool fused_accumulation = true;     ///< the weight-gradient GEMM adds to that buffer itself
  bool overlaps_tp_backward = true;   ///< the input gradient's reduction runs beside the weight gradient's GEMM
  bool sends_block = true;            ///< the next pass waits for the end of the previous send
  bool sends_slices = true;           ///< a stage's tp ranks each send 1/tp of the activation, then all-gather it
  dtype gradient_sync = dtype::fp32;  ///< number format of the data-parallel gradient reduction
  duration kernel_issue{5'000'000};   ///< host time to launch one kernel
  duration call_issue{10'000'000};    ///< host time to launch one collective or send
};

}  // namespace echosim::inline v0
