// SPDX-License-Identifier: MIT
// The numbers with which NCCL chooses an algorithm and a protocol, as data to replace: a version of the library, and a
// generation of the GPU. Source: NVIDIA/nccl src/graph/tuning.cc, src/graph/topo.h and src/transport/nvls.cc, tag v2.30.7
// unless a line says otherwise.
#pragma once
#include <array>

#include "../core/quantities.hpp"

namespace echosim::inline v0 {

enum class nccl_protocol : u8 { ll, ll128, simple };
enum class nccl_algorithm : u8 { ring, tree, nvls, nvls_tree };

/// Microseconds by protocol: LL, LL128, Simple.
using nccl_row = std::array<double, 3>;

/// Latencies of one release: a call's base, then one hop over NVLink and over the network.
struct nccl_latencies {
  const char* version = "";
  nccl_row base_ring{}, base_tree{};
  nccl_row nvlink_ring{}, nvlink_tree{};
  nccl_row net_ring{}, net_tree{};
  double nvls = 25, nvls_net = 18, nvls_tree_net = 20.9;
};
inline constexpr nccl_latencies nccl_2_16{"2.10-2.16", {3.6, 10, 8.4}, {4.4, 4.4, 0}, {0.47, 1.9, 3.4}, {0.52, 1.25, 28}, {2.7, 4, 9.6}, {5, 8.5, 28}, 0, 0, 0};
inline constexpr nccl_latencies nccl_2_18{"2.18", {6.6, 14, 8.4}, {6.8, 14, 0}, {0.6, 1.9, 3.4}, {0.6, 1.25, 4}, {2.7, 4, 14}, {5, 8.5, 14}, 23, 18, 19};
inline constexpr nccl_latencies nccl_2_20{"2.19-2.22", {6.6, 14, 8.4}, {6.8, 14, 0}, {0.6, 1.9, 3.4}, {0.6, 1.25, 28}, {2.7, 4, 14}, {5, 8.5, 28}, 25, 18, 14};
inline constexpr nccl_latencies nccl_2_30{"2.23-2.30", {6.6, 14, 8.4}, {6.8, 14, 8.4}, {0.6, 1.9, 3.4}, {0.6, 1.25, 4}, {2.7, 4, 14}, {5, 8.5, 14}, 25, 18, 20.9};

/// Rates of one GPU generation, GB/s; triples are for 1, 2, and 4 or more nodes.
struct nccl_generation {
  u32 sm = 90;            ///< compute capability × 10
  u32 sms = 132;          ///< multiprocessors of the part that the generation is known by
  u32 channels = 24;      ///< CTAs of a ring or tree after the search doubled them
  u32 nvls_channels = 16; ///< 0: no NVLink SHARP
  double nvls_efficiency = 0.85;
  nccl_row ll_most{141, 45, 35};
  nccl_row tree_channel{38.7, 41.4, 36};
  nccl_row nvls_tree_channel{0, 57.7, 45.5};
  double ring_ll128_channel = 36.7;
  nccl_row tree_ll128_channel{36.7, 36.7, 29};
};
inline constexpr nccl_generation nccl_volta{70, 80, 24, 0, 0, {39, 39, 20.4}, {26.5, 18.5, 10}, {}, 20, {20, 20, 20}};
inline constexpr nccl_generation nccl_ampere{80, 108, 24, 0, 0, {87.7, 22.5, 19}, {24, 23.6, 17.8}, {}, 20, {20, 20, 20}};
inline constexpr nccl_generation nccl_hopper{};
inline constexpr nccl_generation nccl_blackwell{100, 148, 32, 24, 0.74, {282, 90, 70}, {70, 42.8, 24}, {0, 96, 80}, 40, {55.6, 31.67, 20}};

/// Factor on the bandwidth of a tree by size, 64 B · 2^i, i = 0 … 23, for LL, LL128 and Simple.
inline constexpr std::array<std::array<double, 24>, 3> nccl_tree_correction{{
    {1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1, 1},
    {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1, 1},
    {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9, .9},
}};

}  // namespace echosim::inline v0
