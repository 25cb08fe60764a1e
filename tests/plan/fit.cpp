// SPDX-License-Identifier: MIT
#include "echosim/plan/fit.hpp"

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
  p.tp = 8, p.pp = 12, p.global_batch = 96;
  p.sequence_parallel = true, p.recomputes = recompute::selective, p.shards = sharding::optimizer;
  return p;
}
constexpr limits with_memory(i64 gib) { return {96, 8, {gib << 30}}; }

}  // namespace

static_assert(check(gpt175, main_plan(), one_f_one_b{}, with_memory(80)).count == 0);

TEST_CASE("a plan that does not fit is refused with the fullest stage and both numbers") {
  const verdict v = check(gpt175, main_plan(), one_f_one_b{}, with_memory(40));
  REQUIRE_FALSE(v.ok());
  const finding* f = v.find(rule::memory);
  REQUIRE(f != nullptr);
  CHECK(f->beside == 0);
  CHECK(f->given == memory_of(gpt175, main_plan(), one_f_one_b{}, 0).total().count);
  CHECK(f->required == i64{40} << 30);
}

TEST_CASE("memory is pinned from both sides") {
  const i64 needs = memory_of(gpt175, main_plan(), one_f_one_b{}, 0).total().count;
  const auto with = [&](i64 has) { return check(gpt175, main_plan(), one_f_one_b{}, {96, 8, {has}}); };
  CHECK_FALSE(with(needs - 1).ok());
  CHECK(with(needs).ok());
  CHECK(with(needs).find(rule::memory_tight) != nullptr);
  CHECK(with(needs * 2).count == 0);
}

TEST_CASE("a model that fits nowhere says so: GPT-175B on one device") {
  plan p;
  p.global_batch = 1;
  const verdict v = check(gpt175, p, one_f_one_b{}, {1, 8, {i64{80} << 30}});
  REQUIRE(v.find(rule::memory) != nullptr);
  CHECK(v.find(rule::memory)->given > 18 * parameters(gpt175));
}

TEST_CASE("what the schedule refuses is found with its own phrase") {
  plan p = main_plan();
  p.vpp = 2;
  const verdict v = check(gpt175, p, one_f_one_b{}, with_memory(80));
  REQUIRE(v.find(rule::schedule) != nullptr);
  CHECK(v.find(rule::schedule)->of == std::string_view{one_f_one_b{}.refuses(pipeline(p))});
  CHECK(check(gpt175, p, interleaved{}, with_memory(80)).ok());
  p.global_batch = 100;
  CHECK_FALSE(check(gpt175, p, interleaved{}, with_memory(80)).ok());
}

TEST_CASE("an impossible plan is not weighed") {
  plan p = main_plan();
  p.tp = 5;
  const verdict v = check(gpt175, p, one_f_one_b{}, with_memory(1));
  CHECK_FALSE(v.ok());
  CHECK(v.find(rule::memory) == nullptr);
}

TEST_CASE("GPipe needs more than 1F1B, and memory is not judged where it is not given") {
  CHECK(check(gpt175, main_plan(), one_f_one_b{}, with_memory(60)).ok());
  CHECK_FALSE(check(gpt175, main_plan(), gpipe{}, with_memory(60)).ok());
  CHECK(check(gpt175, main_plan(), gpipe{}).ok());
}
