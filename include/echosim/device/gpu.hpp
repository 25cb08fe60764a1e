// SPDX-License-Identifier: MIT
// One accelerator as its data sheet describes it. Peaks are dense (no sparsity); zero means "the part has no such
// unit".
#pragma once
#include "../core/dtype.hpp"

namespace echosim::inline v0 {

/// A family of parts that run the same kernels. NVIDIA parts carry their compute capability ×10, AMD parts their gfx
/// number.
enum class architecture : u16 {
  volta = 70,
  ampere = 80,
  ada = 89,
  hopper = 90,
  blackwell = 100,
  blackwell_ultra = 103,
  blackwell_workstation = 120,
  cdna2 = 0x90a,
  cdna3 = 0x942,
  cdna4 = 0x950
};

struct gpu {
  architecture arch = architecture::hopper;
  flop_rate fp32{};  ///< vector units
  flop_rate tf32{};  ///< matrix units, also below
  flop_rate fp16{};
  flop_rate bf16{};
  flop_rate fp8{};
  flop_rate fp4{};
  bandwidth hbm{};   ///< device memory, reads and writes together
  bytes memory{};    ///< what the driver reports as total
  bytes l2{};        ///< last cache in front of the memory
  u32 sms = 0;       ///< streaming multiprocessors or compute units
  double clock = 0;  ///< Hz, boost; the matrix peaks may assume another
  double watts = 0;  ///< board or module power limit
  constexpr bool operator==(const gpu&) const = default;
};

/// Dense peak of GEMMs in format `t`: matrix units, for fp32 the vector units. Zero where the part lacks the format.
[[nodiscard]] constexpr flop_rate peak(const gpu& g, dtype t) {
  switch (t) {
    case dtype::fp32: return g.fp32;
    case dtype::tf32: return g.tf32;
    case dtype::fp16: return g.fp16;
    case dtype::bf16: return g.bf16;
    case dtype::fp8:
    case dtype::mxfp8: return g.fp8;
    case dtype::nvfp4: return g.fp4;
  }
  return {};
}

/// Whether the part multiplies matrices of format `t`. Where it does not, device models answer `forever` for a GEMM.
[[nodiscard]] constexpr bool computes(const gpu& g, dtype t) { return peak(g, t).per_second > 0; }

/// FLOP per cycle and multiprocessor at 16 bit: the power of two that gives the dense peak at about the boost clock
/// (the peak of some parts assumes a lower one).
[[nodiscard]] constexpr double matrix_width(const gpu& g) {
  double width = 64;
  while (width * g.sms * g.clock < 0.98 * g.fp16.per_second) width *= 2;
  return width;
}

/// The rate of format `t` at boost clock: the peak of vector units, and what matrix_width gives on matrix units.
[[nodiscard]] constexpr flop_rate boost_rate(const gpu& g, dtype t) {
  if (t == dtype::fp32 || !computes(g, t)) return peak(g, t);
  return (peak(g, t).per_second / g.fp16.per_second) * flop_rate{matrix_width(g) * g.sms * g.clock};
}

}  // namespace echosim::inline v0
