// SPDX-License-Identifier: MIT
#include "catch.hpp"
#include "echosim/core/archetypes.hpp"
#include "echosim/schedule/gpipe.hpp"
#include "echosim/schedule/interleaved.hpp"
#include "echosim/sim/simulator.hpp"

using namespace echosim;

namespace {

/// Kernels of a layer take their FLOPs; all else, calls included, is free.
struct only_layers {
  duration time(const kernel& k) const {
    const std::string_view n = k.name;
    if (k.kind != kernel_kind::gemm || n.find("logits") != n.npos) return {};
    return {static_cast<i64>(k.work.count / 1e3)};
  }
};
struct free_calls {
  bool offers(call) const { return true; }
  duration time(const levels&, operation) const { return {}; }
};

struct outcome {
  double bubble;
  report whole;
};
template <class S>
outcome run(const S& schedule, u32 stages, u32 micros, u32 chunks) {
  transformer m{i64{stages} * chunks, 256, 1024, 4, 4, 64, 512, 128};
  plan p;
  p.pp = stages, p.vpp = chunks, p.global_batch = micros, p.sequence = 128;
  p.behaves.kernel_issue = p.behaves.call_issue = {};
  workspace w;
  auto r = simulator{only_layers{}, archetype::an_interconnect{}, free_calls{}, schedule}.run(m, p, w);
  REQUIRE(r);
  for (const class_report& c : r->classes) CHECK(c.time.bubble == r->classes[0].time.bubble);
  return {r->time().bubble / r->step, *r};
}

}  // namespace

TEST_CASE("the bubble of 1F1B and of GPipe is (p-1)/(m+p-1) of the step when communication is free") {
  for (const u32 p : {1u, 2u, 4u, 8u})
    for (const u32 m : {1u, 4u, 8u, 32u}) {
      const double bubble = (p - 1.0) / (m + p - 1.0);
      CHECK(run(one_f_one_b{}, p, m, 1).bubble == Approx(bubble).epsilon(1e-9));
      CHECK(run(gpipe{}, p, m, 1).bubble == Approx(bubble).epsilon(1e-9));
    }
  CHECK(run(one_f_one_b{}, 4, 8, 1).bubble == Approx(0.2727).epsilon(1e-3));
}

TEST_CASE("the bubble of interleaved 1F1B is (p-1)/(v m+p-1)") {
  for (const u32 p : {2u, 4u, 8u})
    for (const u32 v : {2u, 3u, 4u})
      for (const u32 rounds : {1u, 2u, 4u}) {
        const double m = p * rounds;
        INFO(p << " stages, " << v << " chunks, " << m << " micro-batches");
        CHECK(run(interleaved{}, p, p * rounds, v).bubble == Approx((p - 1.0) / (v * m + p - 1.0)).epsilon(1e-9));
      }
  CHECK(run(interleaved{}, 4, 8, 2).bubble == Approx(0.158).epsilon(1e-2));
}

TEST_CASE("the step is at least the work of the busiest stage, and its parts are the whole") {
  const outcome o = run(interleaved{}, 4, 8, 2);
  for (const class_report& c : o.whole.classes) {
    CHECK(o.whole.step >= c.time.compute + c.time.optimizer);
    CHECK(c.time.total() == o.whole.step);
  }
}

TEST_CASE("a schedule that starves a stage, repeats a slot or leaves its shape is refused by name") {
  struct backwards {
    slot at(shape p, u32, u32 i) const { return i < p.micros ? slot{pass::backward, i, 0} : slot{pass::forward, i - p.micros, 0}; }
  };
  struct repeats_first {
    slot at(shape, u32, u32) const { return {}; }
  };
  struct outside {
    slot at(shape p, u32, u32 i) const { return {pass::forward, p.micros + i, 0}; }
  };
  transformer m{4, 256, 1024, 4, 4, 64, 512, 128};
  plan p;
  p.pp = 2, p.global_batch = 4, p.sequence = 128;
  workspace w;
  const auto why = [&](auto schedule) {
    const auto r = simulator{only_layers{}, archetype::an_interconnect{}, free_calls{}, schedule}.run(m, p, w);
    REQUIRE_FALSE(r);
    return r.why().what;
  };
  CHECK(why(backwards{}).find("stage 0 waits for the backward input of micro-batch 0") != std::string::npos);
  CHECK(why(repeats_first{}).find("twice on stage 0") != std::string::npos);
  CHECK(why(outside{}).find("names micro-batch 4") != std::string::npos);
}

TEST_CASE("a run that does not fit the workspace is refused with its operations and bytes") {
  transformer m{4, 256, 1024, 4, 4, 64, 512, 128};
  plan p;
  p.pp = 2, p.global_batch = 4, p.sequence = 128;
  workspace w;
  w.memory_limit = {1000};
  const auto r = simulator{only_layers{}, archetype::an_interconnect{}, free_calls{}}.run(m, p, w);
  REQUIRE_FALSE(r);
  CHECK(r.why().what.find("operations that take") != std::string::npos);
  CHECK(r.why().what.find("1000 bytes") != std::string::npos);
}
