// SPDX-License-Identifier: MIT
// Replay against a loop written by hand over the same arrays, with host clocks and rendezvous; building a program; whole
// steps. Items are operations.
#include <benchmark/benchmark.h>

#include "echosim/device/catalog.hpp"
#include "echosim/device/tiled.hpp"
#include "echosim/interconnect/catalog.hpp"
#include "echosim/model/catalog.hpp"
#include "echosim/schedule/interleaved.hpp"
#include "echosim/sim/simulator.hpp"

using namespace echosim;

namespace {

const simulator sim{sustained(tiled{h800_sxm}), find_node("h800")->net, nccl{}, interleaved{}};

plan main_job(i64 micros) {
  plan p;
  p.tp = 8, p.pp = 12, p.global_batch = micros;
  p.sequence_parallel = true, p.recomputes = recompute::selective, p.shards = sharding::optimizer;
  return p;
}

/// What one would write without the library for this job: calls of one rank or two, no blocks.
void by_hand(const program& p, const std::vector<duration>& time, const std::vector<duration>& issue, std::vector<i64>& free, std::vector<i64>& end) {
  const u32 calls = p.first_call();
  std::fill(free.begin(), free.end(), 0);
  for (u32 i = 0; i != p.size();) {
    const u32 x = p.what[i], s = p.stream[i];
    i64& h = free[s / lanes * lanes + host];
    h += issue[x].ps;
    i64 t = std::max(free[s], h);
    for (u32 e = p.first[i]; e != p.first[i + 1]; ++e) t = std::max(t, end[p.preds[e]]);
    const u32 k = x < calls ? 1 : p.calls[x - calls].members;
    for (u32 j = i + 1; j != i + k; ++j) {
      t = std::max(t, free[p.stream[j]]);
      if (p.calls[x - calls].what.kind != call::send) {
        i64& h2 = free[p.stream[j] / lanes * lanes + host];
        t = std::max(t, h2 += issue[x].ps);
      }
      for (u32 e = p.first[j]; e != p.first[j + 1]; ++e) t = std::max(t, end[p.preds[e]]);
    }
    t += time[x].ps;
    for (const u32 last = i + k; i != last; ++i) free[p.stream[i]] = end[i] = t;
  }
}

void replays(benchmark::State& state, bool library) {
  workspace w;
  const auto p = sim.lowered(find_model("gpt-175b")->is, main_job(state.range(0)), w, resolution::classes);
  if (!p || !sim.price(p->get(), w)) return state.SkipWithError("the plan does not lower");
  std::vector<i64> free(std::size_t{p->get().ranks} * lanes), end(p->get().size());
  replay(*p, w);  // touches the memory pages of its results, as `end` above has
  for (auto _ : state) {
    if (library) {
      replay(*p, w);
      benchmark::DoNotOptimize(w.makespan);
    } else {
      by_hand(p->get(), w.time, w.issue, free, end);
      benchmark::DoNotOptimize(end.back());
    }
  }
  state.SetItemsProcessed(state.iterations() * p->get().size());
}
void replay_library(benchmark::State& s) { replays(s, true); }
void replay_by_hand(benchmark::State& s) { replays(s, false); }

void build_program(benchmark::State& state) {
  workspace w;
  const transformer m = find_model("gpt-175b")->is;
  i64 operations = 0;
  if (auto first = sim.lowered(m, main_job(state.range(0)), w, resolution::classes)) w.spare = std::move(*first).release();
  for (auto _ : state) {
    auto p = sim.lowered(m, main_job(state.range(0)), w, resolution::classes);
    operations = p->get().size();
    w.spare = std::move(*p).release();
  }
  state.SetItemsProcessed(state.iterations() * operations);
}

void whole_step(benchmark::State& state) {
  workspace w;
  const transformer m = find_model("gpt-175b")->is;
  plan p = main_job(96);
  p.dp = static_cast<u32>(state.range(0));
  p.global_batch = 96 * state.range(0);
  for (auto _ : state) benchmark::DoNotOptimize(sim.run(m, p, w)->step);
}

/// A thousand plans of the same model and batch on 1,024 GPUs, those that check() refuses included.
void sweep_of_plans(benchmark::State& state) {
  workspace w;
  const transformer m = find_model("gpt-175b")->is;
  for (auto _ : state) {
    u32 tried = 0;
    for (const u32 tp : {1u, 2u, 4u, 8u})
      for (const u32 pp : {1u, 2u, 4u, 8u, 16u})
        for (const i64 micro : {1, 2, 4})
          for (const bool sp : {false, true})
            for (const recompute r : {recompute::none, recompute::selective, recompute::full})
              for (const sharding z : {sharding::none, sharding::optimizer})
                for (const u32 vpp : {1u, 2u}) {
                  if (tried++ >= 1000) continue;
                  plan p;
                  p.tp = tp, p.pp = pp, p.vpp = vpp, p.dp = 1024 / (tp * pp), p.micro_batch = micro, p.global_batch = 1536;
                  p.sequence_parallel = sp, p.recomputes = r, p.shards = z;
                  benchmark::DoNotOptimize(sim.run(m, p, w));
                }
  }
  state.SetItemsProcessed(state.iterations() * 1000);
}

}  // namespace

// Micro-batches: 8·10³, 10⁵, 4·10⁵ and 10⁷ operations.
BENCHMARK(replay_library)->Arg(2)->Arg(24)->Arg(96)->Arg(2400);
BENCHMARK(replay_by_hand)->Arg(2)->Arg(24)->Arg(96)->Arg(2400);
BENCHMARK(build_program)->Arg(2)->Arg(24)->Arg(96)->Arg(2400);
BENCHMARK(whole_step)->Arg(1)->Arg(1024);
BENCHMARK(sweep_of_plans)->Unit(benchmark::kMillisecond)->Iterations(1);
