// SPDX-License-Identifier: MIT
// The white-box device: matrix products in waves of tiles, fused attention in blocks, all else at a share of the memory
// bandwidth. Its constants belong to an architecture's libraries (rates.hpp), its facts to a part (gpu.hpp).
#pragma once
#include "../core/archetypes.hpp"
#include "attention_blocks.hpp"
#include "tiles.hpp"

namespace echosim::inline v0 {

/// All calibrated constants that one architecture needs.
struct kernel_rates {
  gemm_rates gemm{};
  std::array<attention_rates, 4> attention{};  ///< by attention_backend; `unfused` has no fused kernel and is not asked
  stream_rates stream{};
};

[[nodiscard]] constexpr kernel_rates kernel_rates_of(architecture a) {
  kernel_rates r;
  r.gemm = gemm_rates_of(a);
  for (u32 b = 0; b != r.attention.size(); ++b) r.attention[b] = attention_rates_of(a, static_cast<attention_backend>(b));
  r.stream = stream_rates_of(a);
  return r;
}

/// A part at the clocks of short, isolated kernels. `sustained(tiled{part})` is the same part inside a long run.
/// A format that the part does not compute in takes `forever`; a kernel without work and bytes takes no time.
class tiled {
 public:
  tiled() : tiled{gpu{}} {}
  tiled(const gpu& part) : tiled{part, kernel_rates_of(part.arch)} {}
  tiled(const gpu& part, const kernel_rates& rates, double clock = 1) : part_{part}, rates_{rates}, clock_{clock} {
    ECHOSIM_EXPECTS(clock > 0 && clock <= 1, "a clock is a share of the boost clock; give 0 < clock <= 1");
    for (u32 t = 0; t != tiles_.size(); ++t)
      tiles_[t] = cost_of_tiles(part, rates.gemm, static_cast<dtype>(t), clock * power_clock(part, rates.gemm));
  }

  [[nodiscard]] duration time(const kernel& k) const {
    if (k.kind == kernel_kind::host || (k.work.count <= 0 && k.moved.count <= 0)) return {};
    switch (k.kind) {
      case kernel_kind::gemm: {
        const tile_costs& costs = tiles_[static_cast<u32>(k.type)];
        return costs.computes ? from_seconds(seconds_of_gemm(part_, rates_.gemm, costs, k)) : forever;
      }
      case kernel_kind::attention: {
        if (!computes(part_, k.type)) return forever;
        const attention_rates& r = rates_.attention[static_cast<u32>(k.backend)];
        return from_seconds(seconds_of_attention(part_, r, rates_.stream.elementwise, clock_, k));
      }
      case kernel_kind::norm: case kernel_kind::softmax: {
        const stream_rates& r = rates_.stream;
        const bool gradients = k.backward && k.kind == kernel_kind::norm;
        return streamed(k, k.backward ? r.rows_backward : r.rows) + from_seconds(gradients ? r.columns : 0);
      }
      case kernel_kind::embedding: return streamed(k, rates_.stream.gather);
      default: return streamed(k, rates_.stream.elementwise);
    }
  }
  [[nodiscard]] bytes memory() const { return part_.memory; }
  [[nodiscard]] const gpu& part() const { return part_; }
  [[nodiscard]] const kernel_rates& rates() const { return rates_; }
  [[nodiscard]] double clock() const { return clock_; }

 private:
  [[nodiscard]] duration streamed(const kernel& k, double share) const {
    return max(k.moved / (share * part_.hbm), k.work / (clock_ * part_.fp32)) + from_seconds(rates_.stream.launch);
  }

  gpu part_;
  kernel_rates rates_;
  double clock_;
  std::array<tile_costs, 7> tiles_{};
};

static_assert(device<tiled> && has_memory<tiled>);

/// Clock of a run of minutes over that of a benchmark of milliseconds, by architecture. Ampere: cuBLASLt after 10,000
/// iterations 254–257 TFLOP/s (Azure/AI-benchmarking-guide @8fd0c6e1bd) of 295. Hopper: 702 TFLOP/s at the power limit of 795
/// (H200; mamf-finder's best, stas00/ml-engineering @744d01e18b). Blackwell: 1451 of 1745, the same two. Others: their mean.
[[nodiscard]] constexpr double sustained_clock(architecture a) {
  switch (a) {
    case architecture::ampere: return 0.87;
    case architecture::hopper: return 0.88;
    case architecture::blackwell: case architecture::blackwell_ultra: return 0.83;
    default: return 0.86;
  }
}
[[nodiscard]] inline tiled sustained(const tiled& d, double clock) { return {d.part(), d.rates(), clock}; }
[[nodiscard]] inline tiled sustained(const tiled& d) { return sustained(d, sustained_clock(d.part().arch)); }

}  // namespace echosim::inline v0
