// SPDX-License-Identifier: MIT
// What one question to a model costs.
#include <benchmark/benchmark.h>

#include "echosim/collective/nccl.hpp"
#include "echosim/device/catalog.hpp"
#include "echosim/device/roofline.hpp"
#include "echosim/device/tiled.hpp"
#include "echosim/interconnect/catalog.hpp"

using namespace echosim;

namespace {

void price_gemm_tiled(benchmark::State& state) {
  const tiled d{h100_sxm};
  kernel k = gemm("gemm", 4096, state.range(0), 4096, dtype::bf16);
  for (auto _ : state) {
    benchmark::DoNotOptimize(k);
    benchmark::DoNotOptimize(d.time(k));
  }
}
void price_gemm_roofline(benchmark::State& state) {
  const roofline d{h100_sxm};
  kernel k = gemm("gemm", 4096, 4096, 4096, dtype::bf16);
  for (auto _ : state) {
    benchmark::DoNotOptimize(k);
    benchmark::DoNotOptimize(d.time(k));
  }
}
void price_all_reduce_nccl(benchmark::State& state) {
  group g;
  g.members[0] = {static_cast<u32>(state.range(0)), 1};
  const levels l = find_node("dgx_h100")->net.levels_of(g);
  const nccl c;
  operation o{call::all_reduce, {1 << 26}, dimension::dp};
  for (auto _ : state) {
    benchmark::DoNotOptimize(o);
    benchmark::DoNotOptimize(c.time(l, o));
  }
}
void find_levels_two_level(benchmark::State& state) {
  group g;
  g.members[0] = {64, 8};
  g.siblings[0] = {8, 1};
  const two_level net = find_node("dgx_h100")->net;
  for (auto _ : state) {
    benchmark::DoNotOptimize(g);
    benchmark::DoNotOptimize(net.levels_of(g));
  }
}

}  // namespace

BENCHMARK(price_gemm_tiled)->Arg(64)->Arg(4096);
BENCHMARK(price_gemm_roofline);
BENCHMARK(price_all_reduce_nccl)->Arg(8)->Arg(64)->Arg(1024);
BENCHMARK(find_levels_two_level);
