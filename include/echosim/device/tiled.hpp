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
  for (u32 b = 0; b != r.attention.size(); ++b)
    r.attention[b] = attention_rates_of(a, static_cast<attention_backend>(b));
  r.stream = stream_rates_of(a);
  return r;
}

/// Clocks that kernels find, as shares: matrix products of what the power limit leaves them (power_clock), all other
/// kernels of the boost clock.
struct clocks {
  double products = 1, others = 1;
};

/// A part at the clocks of short, isolated kernels. `sustained(tiled{part})` is the same part inside a long run.
/// A format that the part does not compute in takes `forever`; a kernel without work and bytes takes no time.
class tiled {
 public:
  tiled() : tiled{gpu{}} {}
  tiled(const gpu& part) : tiled{part, kernel_rates_of(part.arch)} {}
  tiled(const gpu& part, const kernel_rates& rates, clocks at = {}) : part_{part}, rates_{rates}, at_{at} {
    ECHOSIM_EXPECTS(at.products > 0 && at.products <= 1 && at.others > 0 && at.others <= 1,
                    "a clock is a share; give 0 < clock <= 1");
    for (u32 t = 0; t != tiles_.size(); ++t)
      tiles_[t] = cost_of_tiles(part, rates.gemm, static_cast<dtype>(t), at.products * power_clock(part, rates.gemm));
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
        return from_seconds(seconds_of_attention(part_, r, rates_.stream.elementwise, at_.others, k));
      }
      case kernel_kind::norm:
      case kernel_kind::softmax: {
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
  [[nodiscard]] clocks at() const { return at_; }

 private:
  [[nodiscard]] duration streamed(const kernel& k, double share) const {
    return max(k.moved / (share * part_.hbm), k.work / (at_.others * part_.fp32)) + from_seconds(rates_.stream.launch);
  }

  gpu part_;
  kernel_rates rates_;
  clocks at_;
  std::array<tile_costs, 7> tiles_{};
};

static_assert(device<tiled> && has_memory<tiled>);

/// Matrix products in runs of seconds and more, over isolated ones: 0.85, the mean of A100 0.87 (cuBLASLt after 10,000
/// iterations, 254–257 TFLOP/s, Azure/AI-benchmarking-guide @8fd0c6e1bd), H200 0.85 (702 TFLOP/s at 690 W), B200 0.87
/// (1451 at 989 W), GB200 0.80 (1462 at 1175 W), each over what tiled{part} says of large products.
inline constexpr double sustained_clock = 0.85;

/// Inside a long run the power limit sets one clock for all kernels, since it reacts more slowly than kernels change.
[[nodiscard]] inline tiled sustained(const tiled& d, double clock = sustained_clock) {
  return {d.part(), d.rates(), {clock, clock * power_clock(d.part(), d.rates().gemm)}};
}

}  // namespace echosim::inline v0
