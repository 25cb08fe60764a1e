// SPDX-License-Identifier: MIT
// Nodes by name: GPU, scale-up domain and adapters. Rates are one direction, as data sheets write them; a collective model
// applies its own efficiency. Sources: stas00/ml-engineering @744d01e (network/README.md), NVIDIA/deepops docs (DGX A100).
#pragma once
#include <string_view>

#include "two_level.hpp"

namespace echosim::inline v0 {

struct named_node {
  std::string_view name, gpu;  ///< gpu: name in device/catalog.hpp
  u32 gpus;                    ///< of one node: what a node count multiplies
  two_level net;
};

namespace detail {
/// Latency of a hop, as NCCL's tuner counts a ring step of its Simple protocol (NVIDIA/nccl src/graph/tuning.cc
/// v2.30.7): NVLink 3.4 µs of which the first byte's flight is 0.6 (LL); network 14 µs, 2.7.
[[nodiscard]] constexpr two_level node_net(u32 domain, double nvlink, double nics_gbps, bool adds) {
  return {domain, {nvlink * 1e9}, {nics_gbps * 0.125e9}, {600'000}, {2'700'000}, adds, false};
}
}  // namespace detail

inline constexpr named_node nodes[] = {
    {"dgx_v100", "v100_16", 8, detail::node_net(8, 150, 400, false)},     // DGX-1: 6 NVLink2, 4 × 100 Gb/s
    {"dgx2", "v100_32", 16, detail::node_net(16, 150, 800, false)},       // DGX-2: NVSwitch, 8 × 100 Gb/s
    {"dgx_a100", "a100_sxm_80", 8, detail::node_net(8, 300, 1600, false)},   // 8 × HDR 200 Gb/s
    {"dgx_a100_40", "a100_sxm_40", 8, detail::node_net(8, 300, 1600, false)},
    {"a800", "a800_sxm", 8, detail::node_net(8, 200, 1600, false)},          // NVLink 400 GB/s in both directions
    {"p4d", "a100_sxm_40", 8, detail::node_net(8, 300, 400, false)},         // AWS, 4 × 100 Gb/s EFA
    {"p4de", "a100_sxm_80", 8, detail::node_net(8, 300, 400, false)},
    {"dgx_h100", "h100_sxm", 8, detail::node_net(8, 450, 3200, true)},       // 8 × NDR 400 Gb/s, NVLink SHARP
    {"h800", "h800_sxm", 8, detail::node_net(8, 200, 3200, true)},           // NVLink 400 GB/s in both directions, 8 × 400 Gb/s
    {"p5", "h100_sxm", 8, detail::node_net(8, 450, 3200, true)},             // AWS, 32 × 100 Gb/s EFA
    {"dgx_h200", "h200_sxm", 8, detail::node_net(8, 450, 3200, true)},
    {"h20", "h20", 8, detail::node_net(8, 450, 3200, true)},
    {"dgx_b200", "b200", 8, detail::node_net(8, 900, 3200, true)},           // 8 × 400 Gb/s
    {"dgx_b300", "b300", 8, detail::node_net(8, 900, 6400, true)},           // 8 × 800 Gb/s
    {"gb200_nvl72", "gb200", 4, detail::node_net(72, 900, 28800, true)},     // 18 trays of 4 GPUs and 4 × 400 Gb/s each
    {"gb300_nvl72", "gb300", 4, detail::node_net(72, 900, 57600, true)},     // 4 × 800 Gb/s a tray
    {"mi300x", "mi300x", 8, detail::node_net(8, 448, 3200, false)},          // 7 xGMI links of 64 GB/s, full mesh
    {"mi355x", "mi355x", 8, detail::node_net(8, 535.5, 3200, false)},
};

/// Null: no such name.
[[nodiscard]] constexpr const named_node* find_node(std::string_view name) {
  for (const named_node& n : nodes)
    if (n.name == name) return &n;
  return nullptr;
}

}  // namespace echosim::inline v0
