// SPDX-License-Identifier: MIT
// What published benchmarks time besides the kernel: casts of operands, writes to a key/value cache, a host that cannot
// keep up. Each constant belongs to a wrapper's release, not to a row; bench/calibrate.cpp prints them.
#pragma once
#include "echosim/device/tiled.hpp"

namespace bench {
using namespace echosim;

enum class wrapper : u8 { bare, vllm_fp8, vllm_fp8_block, vllm_attention, sglang_attention, trtllm_attention };
inline constexpr std::size_t wrappers = 6;

struct wrapper_cost {
  double cast = 0;     ///< elements of the left operand cast per cycle and multiprocessor; 0: nothing is cast
  double launch = 0;   ///< s, further kernels
  double queries = 0;  ///< passes of the queries' bytes through memory in other kernels
  double keys = 0;     ///< passes of the keys' and values' bytes
  double odd = 1;      ///< slowdown of a product whose rows are no multiple of 4
  double host = 0;     ///< s, the host's own time on Hopper machines; a call takes at least that
  double host_blackwell = 0;
  double host_odd = 1;  ///< slowdown of the host where rows are no multiple of 4 (padding)
};

/// vLLM 0.24 linear layers that cast activations to fp8 per token (Cutlass) or per block (DeepGEMM); attention of vLLM,
/// SGLang and TensorRT-LLM, which write keys and values to a paged cache. Calibrated on aiconfigurator @095f58a51c.
inline constexpr wrapper_cost wrapper_costs[wrappers] = {
    {},
    {1.48, 8.31e-6, 0, 0, 1.13, 0, 0, 1},
    {1.88, 8.72e-6, 0, 0, 1.11, 8.36e-5, 1.96e-4, 1.2},
    {0, 6.59e-6, 0.784, 2.9, 1, 0, 0, 1},
    {0, 1e-5, 0.758, 1.47, 1, 0, 0, 1},
    {0, 1.34e-5, 4.03, 1.05, 1, 0, 0, 1},
};

/// Seconds of a call of `first` inside the wrapper, on a device.
inline double seconds_within(const wrapper_cost& w, const kernel& first, const tiled& d) {
  const gpu& g = d.part();
  double t = seconds(d.time(first));
  const bool odd = first.kind == kernel_kind::gemm && first.m % 4 != 0;
  if (odd) t *= w.odd;
  if (w.cast > 0) t += static_cast<double>(first.m) * static_cast<double>(first.k) / (w.cast * g.sms * g.clock);
  if (first.kind == kernel_kind::attention) {
    const double head = static_cast<double>(first.m * first.k * first.batch * bits(first.type) / 8);
    const double passes = w.queries * head + w.keys * 2 * head / static_cast<double>(first.shared);
    t += passes / (d.rates().stream.elementwise * g.hbm.per_second);
  }
  const double host = (g.arch >= architecture::blackwell && g.arch < architecture::cdna2 ? w.host_blackwell : w.host) *
                      (odd ? w.host_odd : 1);
  return (t + w.launch) > host ? t + w.launch : host;
}

}  // namespace bench
