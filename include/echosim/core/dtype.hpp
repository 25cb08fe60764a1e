// SPDX-License-Identifier: MIT
// Number formats that kernels compute in.
#pragma once
#include "quantities.hpp"

namespace echosim::inline v0 {

enum class dtype : u8 { fp32, tf32, fp16, bf16, fp8, mxfp8, nvfp4 };

/// Bits that one element occupies in memory, block scales left out (mxfp8: one 8-bit scale for 32, nvfp4: one for 16).
[[nodiscard]] constexpr i64 bits(dtype t) {
  switch (t) {
    case dtype::fp32: case dtype::tf32: return 32;
    case dtype::fp16: case dtype::bf16: return 16;
    case dtype::fp8: case dtype::mxfp8: return 8;
    case dtype::nvfp4: return 4;
  }
  return 0;
}
/// Memory of `elements` numbers of format `t`, rounded up to whole bytes.
[[nodiscard]] constexpr bytes size_of(i64 elements, dtype t) { return {(elements * bits(t) + 7) / 8}; }

[[nodiscard]] constexpr const char* name(dtype t) {
  switch (t) {
    case dtype::fp32: return "fp32";
    case dtype::tf32: return "tf32";
    case dtype::fp16: return "fp16";
    case dtype::bf16: return "bf16";
    case dtype::fp8: return "fp8";
    case dtype::mxfp8: return "mxfp8";
    case dtype::nvfp4: return "nvfp4";
  }
  return "?";
}

}  // namespace echosim::inline v0
