// SPDX-License-Identifier: MIT
#include "echosim/plan/check.hpp"

#include <array>
#include <limits>

#include "catch.hpp"
#include "echosim/model/catalog.hpp"

using namespace echosim;

namespace {

constexpr transformer gpt175 = find_model("gpt-175b")->is;

/// GPT-175B on 12 nodes of 8.
constexpr plan main_plan() {
  plan p;
  p.tp = 8, p.pp = 12, p.sequence = 2048, p.micro_batch = 1, p.global_batch = 96;
  p.sequence_parallel = true, p.recomputes = recompute::selective, p.shards = sharding::optimizer;
  return p;
}
constexpr limits cluster{96, 8, {i64{80} << 30}};

/// The findings of a plan that differs in what `change` does.
template <class F>
constexpr verdict changed(F&& change) {
  transformer m = gpt175;
  plan p = main_plan();
  change(m, p);
  return check(m, p, cluster);
}
constexpr bool only(const verdict& v, rule r, severity level) {
  return v.count == 1 && v.found[0].what == r && v.found[0].level == level;
}
constexpr bool refused(const verdict& v, rule r) {
  return !v.ok() && v.find(r) != nullptr && v.find(r)->level == severity::error;
}

}  // namespace

static_assert(check(gpt175, main_plan(), cluster).count == 0);
static_assert(check(gpt175, main_plan()).count == 0);

TEST_CASE("a zero or negative number is named and nothing is computed from it") {
  CHECK(only(changed([](auto&, plan& p) { p.tp = 0; }), rule::positive, severity::error));
  CHECK(only(changed([](auto&, plan& p) { p.pp = 0; }), rule::positive, severity::error));
  CHECK(only(changed([](auto&, plan& p) { p.dp = 0; }), rule::positive, severity::error));
  CHECK(only(changed([](auto&, plan& p) { p.vpp = 0; }), rule::positive, severity::error));
  CHECK(only(changed([](auto&, plan& p) { p.sequence = -1; }), rule::positive, severity::error));
  CHECK(only(changed([](transformer& m, auto&) { m.kv_heads = 0; }), rule::positive, severity::error));
  const verdict v = changed([](transformer& m, plan& p) { m.hidden = 0, p.micro_batch = 0, p.global_batch = -5; });
  CHECK(v.count == 3);
  CHECK(v.found[1].of == std::string_view{"global_batch"});
  CHECK(v.found[1].given == -5);
  CHECK(refused(check(transformer{}, plan{}), rule::positive));
}

TEST_CASE("zero GPUs and the wrong number of GPUs are refused with both numbers") {
  verdict v = check(gpt175, main_plan(), {0, 8, {}});
  REQUIRE(refused(v, rule::world));
  CHECK(v.find(rule::world)->given == 96);
  CHECK(v.find(rule::world)->required == 0);
  CHECK(refused(check(gpt175, main_plan(), {95, 8, {}}), rule::world));
  CHECK(refused(check(gpt175, main_plan(), {97, 8, {}}), rule::world));
}

TEST_CASE("2^40 tokens in a sequence or a step are refused by name, without overflow") {
  verdict v = changed([](transformer& m, plan& p) { p.sequence = m.max_positions = i64{1} << 40; });
  REQUIRE(refused(v, rule::too_large));
  CHECK(v.find(rule::too_large)->beside == i64{1} << 40);
  v = changed([](auto&, plan& p) { p.global_batch = i64{1} << 29; });  // of 2048 tokens
  REQUIRE(refused(v, rule::too_large));
  v = changed([](auto&, plan& p) { p.global_batch = i64{1} << 62; });
  REQUIRE(refused(v, rule::too_large));
}

TEST_CASE("no number, however large, overflows the check") {
  constexpr i64 most = std::numeric_limits<i64>::max();
  constexpr u32 all = std::numeric_limits<u32>::max();
  i64 transformer::*of_model[] = {&transformer::layers, &transformer::hidden,   &transformer::ffn,
                                  &transformer::heads,  &transformer::kv_heads, &transformer::head_dim,
                                  &transformer::vocab};
  i64 plan::*of_plan[] = {&plan::sequence, &plan::micro_batch, &plan::global_batch};
  u32 plan::*degrees[] = {&plan::tp, &plan::pp, &plan::vpp, &plan::dp};
  for (const attention_backend b : {attention_backend::flash2, attention_backend::unfused}) {
    for (auto field : of_model)
      CHECK_FALSE(changed([&](transformer& m, plan& p) { m.*field = most, p.behaves.attention = b; }).ok());
    for (auto field : of_plan)
      CHECK_FALSE(changed([&](auto&, plan& p) { p.*field = most, p.behaves.attention = b; }).ok());
    for (auto field : degrees)
      CHECK_FALSE(changed([&](auto&, plan& p) { p.*field = all, p.behaves.attention = b; }).ok());
  }
  CHECK_FALSE(changed([&](transformer& m, plan& p) {
                for (auto field : of_model) m.*field = most;
                for (auto field : of_plan) p.*field = most;
                for (auto field : degrees) p.*field = all;
              }).ok());
}
static_assert(!changed([](transformer& m, plan& p) {
                 m.heads = m.kv_heads = m.head_dim = p.sequence = p.global_batch = std::numeric_limits<i64>::max();
                 p.tp = p.pp = p.dp = p.vpp = std::numeric_limits<u32>::max();
               }).ok());

TEST_CASE("ranks and passes are numbered with 32 bits: refused beyond, accepted up to there") {
  plan p;
  p.tp = 1, p.pp = 1 << 16, p.dp = 1 << 16, p.micro_batch = 1, p.global_batch = p.dp;
  CHECK(refused(check(gpt175, p), rule::too_large));
  p.dp = (1 << 16) - 1, p.global_batch = p.dp;
  CHECK(check(gpt175, p).find(rule::too_large) == nullptr);
}

TEST_CASE("tp must divide the heads and the MLP") {
  CHECK(refused(changed([](auto&, plan& p) { p.tp = 5; }), rule::heads_by_tp));
  CHECK(refused(changed([](transformer& m, auto&) { m.ffn = 49156; }), rule::ffn_by_tp));
  CHECK(refused(changed([](transformer& m, auto&) { m.kv_heads = 36; }), rule::heads_by_kv_heads));
}

TEST_CASE("TP 3 divides GPT-175B's heads; its sequence and the NVLink domain say no") {
  plan p = main_plan();
  p.tp = 3;
  const verdict v = check(gpt175, p, {36, 8, {}});
  CHECK(v.find(rule::heads_by_tp) == nullptr);
  CHECK(refused(v, rule::sequence_by_tp));
  CHECK(v.find(rule::tp_across_domains)->level == severity::warning);
  p.sequence_parallel = false;
  CHECK(only(check(gpt175, p, {36, 8, {}}), rule::tp_across_domains, severity::warning));
}

TEST_CASE("key/value heads are cut, or copied with a warning, or refused") {
  const auto with = [](i64 kv_heads) {
    transformer m = gpt175;
    m.kv_heads = kv_heads;
    return check(m, main_plan(), cluster);
  };
  CHECK(with(8).count == 0);
  CHECK(only(with(4), rule::kv_heads_replicated, severity::warning));
  CHECK(only(with(1), rule::kv_heads_replicated, severity::warning));
  CHECK(refused(with(12), rule::kv_heads_by_tp));
  CHECK(refused(with(3), rule::kv_heads_by_tp));
}

TEST_CASE("30 layers on 4 stages are refused without a layout and accepted with one") {
  transformer m = gpt175;
  m.layers = 30;
  plan p = main_plan();
  p.pp = 4;
  verdict v = check(m, p);
  REQUIRE(only(v, rule::layers_by_stages, severity::error));
  CHECK((v.found[0].given == 30 && v.found[0].required == 4 && v.found[0].beside == 1));

  const std::array<u32, 4> uneven{8, 8, 7, 7}, short_of_one{8, 7, 7, 7};
  p.layout = uneven;
  CHECK(check(m, p).count == 0);
  p.layout = short_of_one;
  CHECK(only(check(m, p), rule::layout_layers, severity::error));
  p.layout = std::span{uneven}.first(3);
  CHECK(refused(check(m, p), rule::layout_entries));
}

TEST_CASE("chunks multiply the stages that layers divide over, and need stages to interleave") {
  CHECK(changed([](auto&, plan& p) { p.vpp = 2; }).count == 0);
  CHECK(refused(changed([](auto&, plan& p) { p.vpp = 3; }), rule::layers_by_stages));
  CHECK(refused(changed([](auto&, plan& p) { p.pp = 1, p.vpp = 2; }), rule::chunks_without_stages));
  CHECK(only(changed([](auto&, plan& p) { p.vpp = 2, p.global_batch = 97; }), rule::micro_batches_by_stages,
             severity::warning));
}

TEST_CASE("a global batch below one micro-batch a replica, or not a multiple, is refused") {
  const auto with = [](u32 dp, i64 global) {
    plan p = main_plan();
    p.dp = dp, p.global_batch = global;
    return check(gpt175, p);
  };
  const verdict v = with(128, 96);
  REQUIRE(only(v, rule::dp_beyond_batch, severity::error));
  CHECK((v.found[0].given == 128 && v.found[0].required == 96 && v.found[0].beside == 128));
  CHECK(only(with(23, 32 * 12), rule::batch_by_replicas, severity::error));  // aliyun/SimAI issue 202
  CHECK(with(24, 24 * 12).count == 0);
}

TEST_CASE("fewer micro-batches than stages run, with a warning") {
  CHECK(only(changed([](auto&, plan& p) { p.global_batch = 11; }), rule::few_micro_batches, severity::warning));
  CHECK(changed([](auto&, plan& p) { p.global_batch = 12; }).count == 0);
}

TEST_CASE("sequence parallelism cuts the sequence and is idle with one rank") {
  CHECK(refused(changed([](auto&, plan& p) { p.sequence = 2044; }), rule::sequence_by_tp));
  plan p = main_plan();
  p.tp = 1;
  CHECK(only(check(gpt175, p), rule::sequence_parallel_without_tp, severity::warning));
}

TEST_CASE("a sequence beyond the learned positions is refused; rotary models have none") {
  CHECK(refused(changed([](auto&, plan& p) { p.sequence = 4096; }), rule::positions));
  CHECK(changed([](transformer& m, plan& p) { p.sequence = 4096, m.position = positions::rotary; }).count == 0);
}

TEST_CASE("slices of an activation must be whole") {
  transformer m = gpt175;
  m.hidden = 12288, m.heads = m.kv_heads = 96;
  plan p = main_plan();
  p.sequence_parallel = false, p.tp = 32, p.sequence = 1;
  m.hidden = 12304;
  CHECK(refused(check(m, p), rule::slices_by_tp));
  p.behaves.sends_slices = false;
  CHECK(check(m, p).find(rule::slices_by_tp) == nullptr);
}

TEST_CASE("tp beyond the NVLink domain runs, with a warning") {
  plan p = main_plan();
  p.tp = 16;
  CHECK(only(check(gpt175, p, {192, 8, {}}), rule::tp_beyond_domain, severity::warning));
  CHECK(check(gpt175, p, {192, 72, {}}).find(rule::tp_across_domains) != nullptr);
  CHECK(check(gpt175, p, {192, 0, {}}).count == 0);
  CHECK(check(gpt175, p, {192, 16, {}}).count == 0);
}

TEST_CASE("gathering parameters that nothing shards is idle") {
  CHECK(only(changed([](auto&, plan& p) { p.overlap_parameters = true, p.shards = sharding::none; }),
             rule::gather_without_sharding, severity::warning));
}

TEST_CASE("every catalog model passes on one rank") {
  for (const named_model& m : models) {
    plan p;
    p.sequence = m.sequence, p.global_batch = 8;
    INFO(m.name);
    CHECK(check(m.is, p).count == 0);
  }
}
