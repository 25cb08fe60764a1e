// SPDX-License-Identifier: MIT
// The roofline (Williams, Waterman, Patterson 2009): the slower of arithmetic and memory, each at a share of its peak.
#pragma once
#include "../core/archetypes.hpp"
#include "gpu.hpp"

namespace echosim::inline v0 {

/// Time max(work / (compute·peak), bytes / (traffic·hbm)). Only GEMM and attention use the matrix units; the work of
/// other kernels runs on the vector units. `forever` for a format that the part does not compute in.
struct roofline {
  gpu part{};
  double compute = 1;  ///< share of the dense peak, 0 … 1
  double traffic = 1;  ///< share of the memory bandwidth, 0 … 1

  [[nodiscard]] constexpr duration time(const kernel& k) const {
    const bool matrix = k.kind == kernel_kind::gemm || k.kind == kernel_kind::attention;
    return max(k.work / (compute * (matrix ? peak(part, k.type) : part.fp32)), k.moved / (traffic * part.hbm));
  }
  [[nodiscard]] constexpr bytes memory() const { return part.memory; }
};

static_assert(device<roofline> && has_memory<roofline>);

}  // namespace echosim::inline v0
