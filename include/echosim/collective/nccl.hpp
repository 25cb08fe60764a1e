// SPDX-License-Identifier: MIT
// NCCL's own choice among ring, tree and NVLink SHARP with its protocols, by the cost form of its tuner:
// latency·steps + bytes/bandwidth (NVIDIA/nccl src/graph/tuning.cc v2.30.7). Assumes GPUs joined by NVSwitch inside a
// domain and adapters with GPUDirect between domains.
#pragma once
#include <algorithm>

#include "nccl_tuning.hpp"
#include "ring.hpp"
#include "tree.hpp"

namespace echosim::inline v0 {

struct nccl {
  nccl_latencies latencies = nccl_2_30;
  nccl_generation generation = nccl_hopper;
  /// Share of the NVLink data-sheet rate that the channel search finds: 12·20 of 300 GB/s on A100, 12·30 of 450 on H100.
  double link_share = 0.8;
  /// Share of the adapters' rate that reaches the buffer: 325 and 366 of 400 GB/s on two sites of 4 H100 nodes, the mean.
  double net_share = 0.86;
  bool allow_nvls = true;  ///< NCCL_NVLS_ENABLE

  [[nodiscard]] constexpr bool offers(call) const { return true; }

  [[nodiscard]] constexpr cost time(const levels& l, operation o) const {
    if (l.ranks < 2) return {};
    if (o.kind == call::send || o.kind == call::all_to_all) return exchange(l, o);
    cost best{forever};
    for (const nccl_algorithm a : {nccl_algorithm::ring, nccl_algorithm::tree, nccl_algorithm::nvls, nccl_algorithm::nvls_tree})
      for (const nccl_protocol p : {nccl_protocol::ll, nccl_protocol::ll128, nccl_protocol::simple}) {
        if (!enabled(a, p, l, o.kind)) continue;
        const cost c = of(a, p, l, o);
        if (c.total() < best.total()) best = c;
      }
    return best;
  }

  /// Whether NCCL considers the pair for this call.
  [[nodiscard]] constexpr bool enabled(nccl_algorithm a, nccl_protocol p, const levels& l, call k) const {
    const bool reduces = k == call::all_reduce;
    const bool gathers = k == call::all_gather || k == call::reduce_scatter;
    switch (a) {
      case nccl_algorithm::ring: return true;
      case nccl_algorithm::tree: return reduces;
      case nccl_algorithm::nvls:
        return allow_nvls && p == nccl_protocol::simple && generation.nvls_channels != 0 && l.at[0].reduces &&
               nodes(l) == 1 && (reduces || gathers) && l.ranks > 2;
      case nccl_algorithm::nvls_tree:
        return allow_nvls && p == nccl_protocol::simple && generation.nvls_channels != 0 && l.at[0].reduces &&
               nodes(l) > 1 && local(l) > 1 && reduces;
    }
    return false;
  }

  /// The tuner's estimate for one algorithm and protocol.
  [[nodiscard]] constexpr cost of(nccl_algorithm a, nccl_protocol p, const levels& l, operation o) const {
    const double n = l.ranks, m = nodes(l), k = local(l);
    const bool all = o.kind == call::all_reduce;
    const auto x = static_cast<u32>(p), scale = m <= 1 ? 0u : m <= 2 ? 1u : 2u;
    const double inside = k > 1 ? link_share * l.at[0].rate.per_second * 1e-9 : 1e9;
    const double outside = m > 1 ? net_share * l.at[1].rate.per_second * 1e-9 : 1e9;
    const double graph = std::min(inside, outside);  // GB/s of all channels together
    const double channels = generation.channels;
    const double steps = o.kind == call::broadcast || o.kind == call::reduce ? n - 1 : (all ? 2 : 1) * (n - 1);
    double bus = graph, rate = 0, base = 0, hops = 0;
    u32 held = generation.channels;
    const char* called = "";
    switch (a) {
      case nccl_algorithm::ring: {
        called = "ring";
        if (p == nccl_protocol::ll) bus = std::min(0.5 * graph, generation.ll_most[scale]);
        if (p == nccl_protocol::ll128) bus = std::min(0.92 * graph, channels * generation.ring_ll128_channel);
        rate = o.kind == call::broadcast || o.kind == call::reduce ? bus : bus * n / steps;
        const double crossings = m > 1 ? steps * m / n : 0;
        base = latencies.base_ring[x];
        hops = (steps - crossings) * latencies.nvlink_ring[x] + crossings * latencies.net_ring[x];
        // Multi-node ring Simple: the plateau factor of sm80 and later; the network's overhead per inner step, Intel hosts.
        if (m > 1) hops += (steps - crossings) * std::max(0.0, (p == nccl_protocol::simple ? 3.0 : 1.0) - latencies.nvlink_ring[x]);
        if (m > 1 && all && p == nccl_protocol::simple && static_cast<double>(o.size.count) / (channels * n) >= 64)
          base *= generation.sm < 80 ? 1.9 : 1.4, hops *= generation.sm < 80 ? 1.9 : 1.4;
        break;
      }
      case nccl_algorithm::tree: {
        called = "tree";
        bus = std::min(0.92 * graph, channels * generation.tree_channel[scale]);
        if (p == nccl_protocol::ll) bus = std::min(bus / 3.8, generation.ll_most[scale]);
        if (p == nccl_protocol::ll128)
          bus = std::min(bus * (m <= 1 ? 7.0 / 9 : 120.0 / 128), channels * generation.tree_ll128_channel[scale]);
        rate = 0.5 * bus * correction(p, o.size);
        base = latencies.base_tree[x];
        hops = 2 * ((k - 1) * latencies.nvlink_tree[x] + log2_ceil(static_cast<u64>(m)) * latencies.net_tree[x]);
        break;
      }
      case nccl_algorithm::nvls: {
        called = "nvls";
        held = generation.nvls_channels;
        bus = inside * generation.nvls_efficiency * (held - 1) / held;
        bus *= all ? 2 : (k - 1) / k;
        rate = bus * n / steps;
        hops = latencies.nvls;
        break;
      }
      case nccl_algorithm::nvls_tree: {
        called = "nvls_tree";
        held = generation.nvls_channels;
        bus = std::min(std::min(inside * generation.nvls_efficiency * (held - 1) / held * 2, outside * (m <= 2 ? 2 : 1)),
                       held * generation.nvls_tree_channel[scale]);
        rate = 0.5 * bus;
        hops = latencies.nvls + 2 * log2_ceil(static_cast<u64>(m)) * latencies.nvls_tree_net;
        break;
      }
    }
    constexpr std::array names{"LL", "LL128", "Simple"};
    cost c;
    c.algorithm = called;
    c.protocol = names[x];
    c.startup = from_seconds(base * 1e-6);
    c.latency = from_seconds(hops * 1e-6);
    c.wire = o.size / bandwidth{rate * 1e9};
    hold(c, held);
    return c;
  }

 private:
  [[nodiscard]] static constexpr u32 nodes(const levels& l) { return l.depth > 1 ? l.at[1].fanout : 1; }
  [[nodiscard]] static constexpr u32 local(const levels& l) { return l.at[0].fanout; }
  constexpr void hold(cost& c, u32 held) const {
    c.channels = static_cast<u16>(held);
    c.holds.sms = std::min(1.0, static_cast<double>(held) / generation.sms);
  }
  [[nodiscard]] static constexpr double correction(nccl_protocol p, bytes size) {
    const u64 n = static_cast<u64>(std::max<i64>(size.count, 1));
    const u32 i = std::min(log2_ceil(n), 29u);
    return nccl_tree_correction[static_cast<u32>(p)][i < 6 ? 0 : i - 6];
  }
  /// Send/receive kernels: what leaves the domain shares its adapters, what stays uses NVLink, both at once.
  [[nodiscard]] constexpr cost exchange(const levels& l, operation o) const {
    cost c;
    c.algorithm = "p2p";
    c.protocol = "Simple";
    const double n = l.ranks, k = local(l), m = nodes(l), size = static_cast<double>(o.size.count);
    const bool sends = o.kind == call::send;
    const double near = sends ? (m > 1 ? 0 : 1) : (k - 1) / n, far = sends ? (m > 1 ? 1 : 0) : (n - k) / n;
    // Level 1's rate is a domain's; one rank of it has a k-th.
    const double rate_in = link_share * l.at[0].rate.per_second, rate_out = m > 1 ? net_share * l.at[1].rate.per_second / k : 1;
    c.startup = from_seconds(latencies.base_ring[2] * 1e-6);
    c.latency = from_seconds((m > 1 ? latencies.net_ring[2] : latencies.nvlink_ring[2]) * 1e-6);
    c.wire = max(bytes{static_cast<i64>(near * size)} / bandwidth{rate_in}, bytes{static_cast<i64>(far * size)} / bandwidth{rate_out});
    hold(c, sends ? 4 : generation.channels);
    return c;
  }
};
static_assert(collective<nccl>);

}  // namespace echosim::inline v0
