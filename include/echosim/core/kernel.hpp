// SPDX-License-Identifier: MIT
// One launch on a device, described by its shape: what a device model is asked to time.
#pragma once
#include "dtype.hpp"

namespace echosim::inline v0 {

enum class kernel_kind : u8 { gemm, attention, norm, softmax, elementwise, embedding, loss, optimizer, copy, host };

/// Which operand is transposed (BLAS letters, column-major as cuBLAS sees it). Forward y = x·Wᵀ is `tn`, the gradient of
/// the input dx = dy·W is `nn`, the gradient of the weight dW = dyᵀ·x is `nt`.
enum class gemm_layout : u8 { tn, nn, nt };

/// Who computes attention. `unfused`: batched GEMMs and a softmax kernel; the others are one kernel.
enum class attention_backend : u8 { unfused, flash2, flash3, cudnn };

/// Shapes by kind:
/// * gemm: C[m×n] = A[m×k]·B[k×n], `batch` times.
/// * attention (one fused kernel): m queries by n keys, head size k, `batch` = sequences × query heads,
///   `shared` query heads read one key/value head; `causal` skips the upper triangle.
/// * all others: m rows of n elements.
struct kernel {
  const char* name = "";
  kernel_kind kind = kernel_kind::elementwise;
  dtype type = dtype::bf16;
  gemm_layout layout = gemm_layout::tn;
  attention_backend backend = attention_backend::flash2;
  bool backward = false;
  bool causal = false;
  i64 m = 0, n = 0, k = 0, batch = 1, shared = 1;
  flops work{};           ///< floating-point operations that the kernel does
  bytes moved{};          ///< bytes read from and written to device memory, each operand once
  duration issue{};       ///< host time to launch it
  duration given{-1};     ///< recorded duration; if not negative the device is not asked
  constexpr bool operator==(const kernel&) const = default;
};

/// A GEMM with operands and result of one format. Work 2·m·n·k·batch; bytes A + B + C.
[[nodiscard]] constexpr kernel gemm(const char* name, i64 m, i64 n, i64 k, dtype t, gemm_layout layout = gemm_layout::tn,
                                    i64 batch = 1) {
  kernel g;
  g.name = name;
  g.kind = kernel_kind::gemm;
  g.type = t;
  g.layout = layout;
  g.m = m, g.n = n, g.k = k, g.batch = batch;
  g.work = {2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) * static_cast<double>(batch)};
  g.moved = batch * (size_of(m * k, t) + size_of(k * n, t) + size_of(m * n, t));
  return g;
}

/// A kernel that only moves data: `rows`×`columns` elements, `bytes_per_element` in and out together.
[[nodiscard]] constexpr kernel streaming(const char* name, kernel_kind kind, i64 rows, i64 columns, i64 bytes_per_element,
                                         dtype t) {
  kernel g;
  g.name = name;
  g.kind = kind;
  g.type = t;
  g.m = rows, g.n = columns;
  g.moved = {rows * columns * bytes_per_element};
  return g;
}

}  // namespace echosim::inline v0
