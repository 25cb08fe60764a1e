// SPDX-License-Identifier: MIT
#include "echosim/plan/memory.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "catch.hpp"
#include "echosim/model/catalog.hpp"
#include "echosim/schedule/gpipe.hpp"
#include "echosim/schedule/interleaved.hpp"
#include "echosim/schedule/one_f_one_b.hpp"

using namespace echosim;

namespace {

constexpr transformer gpt175 = find_model("gpt-175b")->is;

constexpr plan main_plan() {
  plan p;
  p.tp = 8, p.pp = 12, p.sequence = 2048, p.micro_batch = 1, p.global_batch = 96;
  p.sequence_parallel = true, p.recomputes = recompute::selective, p.shards = sharding::optimizer;
  return p;
}

/// A schedule without a closed form: memory_of walks it.
template <class S>
struct walked {
  S order{};
  constexpr slot at(shape p, u32 stage, u32 i) const { return order.at(p, stage, i); }
};
static_assert(orders_slots<walked<one_f_one_b>> && !counts_in_flight<walked<one_f_one_b>>);

bool same(const stage_memory& a, const stage_memory& b) {
  return a.parameters == b.parameters && a.gradients == b.gradients && a.optimizer == b.optimizer &&
         a.activations == b.activations && a.buffers == b.buffers && a.peak_slot == b.peak_slot;
}

template <class S>
u32 peak_in_flight(const S& order, shape p, u32 stage) {
  u32 live = 0, most = 0;
  for (u32 i = 0; i != 2 * p.micros * p.chunks; ++i) {
    live += order.at(p, stage, i).what == pass::forward ? 1u : ~0u;
    most = std::max(most, live);
  }
  return most;
}

constexpr i64 bytes_for(sharding by, u32 dp, bool wide_gradients, i64 elements = 1'000'000) {
  plan p;
  p.dp = dp, p.shards = by, p.behaves.accumulates_in_fp32 = wide_gradients;
  return state_memory(elements, p).total().count;
}

}  // namespace

// 18P with fp32 gradients, 16P with 16-bit ones; 6P + 12P/d with the distributed optimizer (NVIDIA/Megatron-LM issue
// 654).
static_assert(bytes_for(sharding::none, 1, true) == 18'000'000 && bytes_for(sharding::none, 64, true) == 18'000'000);
static_assert(bytes_for(sharding::none, 8, false) == 16'000'000);
static_assert(bytes_for(sharding::optimizer, 8, true) == 6'000'000 + 12'000'000 / 8);
// ZeRO 1, 2, 3 with 16-bit gradients: 4P + 12P/g, 2P + 14P/g, 16P/g (Rajbhandari et al. 2020, figure 1).
static_assert(bytes_for(sharding::optimizer, 8, false) == 4'000'000 + 12'000'000 / 8);
static_assert(bytes_for(sharding::gradients, 8, false) == 2'000'000 + 14'000'000 / 8);
static_assert(bytes_for(sharding::parameters, 8, false) == 16'000'000 / 8);
// A shard is rounded up.
static_assert(bytes_for(sharding::parameters, 3, false, 10) == 4 * 16);
// The same figures for 7.5B parameters and 64 ranks: 120, 31.4, 16.6 and 1.9 GB.
static_assert(bytes_for(sharding::none, 64, false, 7'500'000'000) == 120'000'000'000);
static_assert(bytes_for(sharding::optimizer, 64, false, 7'500'000'000) == 31'406'250'000);
static_assert(bytes_for(sharding::gradients, 64, false, 7'500'000'000) == 16'640'625'000);
static_assert(bytes_for(sharding::parameters, 64, false, 7'500'000'000) == 1'875'000'000);
static_assert(memory_of(gpt175, main_plan(), one_f_one_b{}, 0).peak_slot == 11);

TEST_CASE("fp32 training keeps no master copy") {
  plan p;
  p.type = dtype::fp32;
  CHECK(state_memory(1000, p).total() == bytes{16'000});
  CHECK(state_memory(1000, p).optimizer == bytes{8'000});
}

TEST_CASE("a schedule's own count of micro-batches in flight is what walking it finds") {
  for (u32 stages : {1u, 2u, 3u, 4u, 8u})
    for (u32 micros : {1u, 2u, 3u, 4u, 5u, 8u, 16u, 24u})
      for (u32 stage = 0; stage != stages; ++stage) {
        const shape p{stages, micros, 1};
        CHECK(one_f_one_b{}.in_flight(p, stage) == peak_in_flight(one_f_one_b{}, p, stage));
        CHECK(one_f_one_b{}.in_flight(p, stage) == std::min(micros, stages - stage));
        CHECK(gpipe{}.in_flight(p, stage) == peak_in_flight(gpipe{}, p, stage));
        CHECK(gpipe{}.in_flight(p, stage) == micros);
        CHECK(interleaved{}.in_flight(p, stage) == std::min(micros, stages - stage));
        for (u32 chunks : {2u, 3u, 4u}) {
          const shape v{stages, micros, chunks};
          if (interleaved{}.refuses(v) != nullptr) continue;
          CHECK(interleaved{}.in_flight(v, stage) == peak_in_flight(interleaved{}, v, stage));
          const u32 formula = 2 * (stages - stage - 1) + (chunks - 1) * stages + 1;
          CHECK(interleaved{}.in_flight(v, stage) == std::min(micros * chunks, formula));
        }
      }
}

TEST_CASE("the first slots up to the peak are forward passes, as the concept asks") {
  for (u32 stage = 0; stage != 4; ++stage) {
    const shape p{4, 8, 2};
    for (u32 i = 0; i != interleaved{}.in_flight(p, stage); ++i)
      CHECK(interleaved{}.at(p, stage, i).what == pass::forward);
    CHECK(interleaved{}.at(p, stage, interleaved{}.in_flight(p, stage)).what == pass::backward);
  }
}

TEST_CASE("the closed form and the walk give the same memory and the same slot") {
  plan p = main_plan();
  for (u32 s = 0; s != p.pp; ++s) {
    CHECK(same(memory_of(gpt175, p, one_f_one_b{}, s), memory_of(gpt175, p, walked<one_f_one_b>{}, s)));
    CHECK(same(memory_of(gpt175, p, gpipe{}, s), memory_of(gpt175, p, walked<gpipe>{}, s)));
  }
  p.vpp = 4;
  for (u32 s = 0; s != p.pp; ++s)
    CHECK(same(memory_of(gpt175, p, interleaved{}, s), memory_of(gpt175, p, walked<interleaved>{}, s)));
}

TEST_CASE("1F1B does not keep more when micro-batches are added, GPipe does") {
  plan p = main_plan(), more = main_plan();
  more.global_batch = 192;
  for (u32 s = 0; s != p.pp; ++s) {
    CHECK(same(memory_of(gpt175, p, one_f_one_b{}, s), memory_of(gpt175, more, one_f_one_b{}, s)));
    CHECK(memory_of(gpt175, more, gpipe{}, s).activations == 2 * memory_of(gpt175, p, gpipe{}, s).activations);
  }
}

TEST_CASE("activations fall by one micro-batch a stage under 1F1B") {
  const plan p = main_plan();
  const bytes one =
      memory_of(gpt175, p, one_f_one_b{}, 10).activations - memory_of(gpt175, p, one_f_one_b{}, 11).activations;
  for (u32 s = 1; s != 10; ++s) {
    const i64 in_flight = p.pp - s;
    CHECK(memory_of(gpt175, p, one_f_one_b{}, s).activations.count ==
          in_flight * 8 * layer_activations(gpt175, shard_of(p), p.behaves, p.recomputes).count);
  }
  // The last stage keeps one micro-batch and the head's; the stage before it two without.
  CHECK(one == 8 * layer_activations(gpt175, shard_of(p), p.behaves, p.recomputes) -
                   head_activations(gpt175, shard_of(p), p.behaves));
}

TEST_CASE("the first stage of GPT-175B holds 12 micro-batches of 8 layers at 34·s·b·h/t") {
  // Korthikanti et al. 2022, §4.3, with dropout's mask of the embedding, and the log-sums of a fused kernel.
  const stage_memory first = memory_of(gpt175, main_plan(), one_f_one_b{}, 0);
  const i64 slice = i64{2048} * 12288 / 8, log_sums = i64{4} * 96 * 2048 / 8;
  CHECK(first.activations.count == 12 * (8 * 34 * slice + slice));
  CHECK(memory_of(
            gpt175,
            [] {
              plan p = main_plan();
              p.recomputes = recompute::none;
              return p;
            }(),
            one_f_one_b{}, 0)
            .activations.count == 12 * (8 * (34 * slice + log_sums) + slice));
}

TEST_CASE("uneven chunks are walked: the peak is that of the bytes, not of the count") {
  const std::array<u32, 4> layout{1, 1, 1, 93};
  plan p = main_plan();
  p.pp = 2, p.vpp = 2, p.layout = layout, p.global_batch = 4;
  const stage_memory last = memory_of(gpt175, p, interleaved{}, 1);
  const i64 layer = layer_activations(gpt175, shard_of(p), p.behaves, p.recomputes).count;
  const i64 head = head_activations(gpt175, shard_of(p), p.behaves).count;
  i64 live = 0, most = 0;
  for (u32 i = 0; i != 16; ++i) {
    const slot k = interleaved{}.at(pipeline(p), 1, i);
    const i64 weight = k.chunk == 0 ? layer : 93 * layer + head;
    live += k.what == pass::forward ? weight : -weight;
    most = std::max(most, live);
  }
  CHECK(last.activations.count == most);
  CHECK(most < interleaved{}.in_flight(pipeline(p), 1) * (93 * layer + head));
}

TEST_CASE("split backward passes free their activations with the weight gradient") {
  struct split {
    constexpr slot at(shape p, u32, u32 i) const {
      constexpr pass order[] = {pass::forward, pass::backward_input, pass::forward, pass::backward_weight};
      return {order[i % 4], i / 4 % p.micros, 0};
    }
  };
  plan p = main_plan();
  p.pp = 1, p.global_batch = 2;
  CHECK(memory_of(gpt175, p, split{}, 0).activations == memory_of(gpt175, p, gpipe{}, 0).activations);
  CHECK(memory_of(gpt175, p, split{}, 0).peak_slot == 2);
}

TEST_CASE("more sharding, more recomputation, more sequence parallelism never need more") {
  plan p = main_plan();
  p.dp = 4, p.global_batch = 4 * 96;
  i64 before = std::numeric_limits<i64>::max();
  for (const sharding z : {sharding::none, sharding::optimizer}) {
    p.shards = z;
    const i64 now = memory_of(gpt175, p, one_f_one_b{}, 0).total().count;
    CHECK(now < before);
    before = now;
  }
  before = std::numeric_limits<i64>::max();
  for (const recompute r : {recompute::none, recompute::selective, recompute::full}) {
    p.recomputes = r;
    const i64 now = memory_of(gpt175, p, one_f_one_b{}, 0).activations.count;
    CHECK(now < before);
    before = now;
  }
  const i64 cut = memory_of(gpt175, p, one_f_one_b{}, 0).activations.count;
  p.sequence_parallel = false;
  CHECK(memory_of(gpt175, p, one_f_one_b{}, 0).activations.count == 8 * cut);  // full: one input a layer, and the mask
}

TEST_CASE("sharded parameters are gathered by layers, and the ends of the model for the whole step") {
  const transformer m = find_model("llama-2-7b")->is;
  plan p;
  p.dp = 8, p.global_batch = 8, p.sequence = 4096, p.shards = sharding::parameters;
  p.behaves.accumulates_in_fp32 = false;
  const i64 whole = memory_of(m, p, one_f_one_b{}, 0).buffers.count;
  p.shards = sharding::none;
  const i64 none = memory_of(m, p, one_f_one_b{}, 0).buffers.count;
  const i64 ends = embedding_parameters(m, p) + head_parameters(m, p);
  CHECK(whole - none == 2 * (2 * layer_parameters(m, 1) + ends) + 2 * ends);
}

TEST_CASE("the parts add up, and no part is negative") {
  for (const named_model& n : models)
    for (const recompute r : {recompute::none, recompute::selective, recompute::full})
      for (const attention_backend b : {attention_backend::flash2, attention_backend::unfused}) {
        plan p;
        p.sequence = n.sequence, p.global_batch = 8, p.recomputes = r, p.behaves.attention = b;
        const stage_memory s = memory_of(n.is, p, one_f_one_b{}, 0);
        const std::array parts{s.parameters, s.gradients, s.optimizer, s.activations, s.buffers};
        bytes sum{};
        for (const bytes part : parts) {
          CHECK(part >= bytes{});
          sum += part;
        }
        CHECK(sum == s.total());
      }
}
