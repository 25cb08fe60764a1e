// SPDX-License-Identifier: MIT
#include "catch.hpp"
#include "echosim/core/archetypes.hpp"
#include "echosim/sim/simulator.hpp"

using namespace echosim;

TEST_CASE("a plan that lowering cannot express is refused, not run as another") {
  const simulator sim{archetype::a_device{}, archetype::an_interconnect{}, archetype::a_collective{}};
  workspace w;
  transformer m{4, 256, 1024, 4, 4, 64, 512, 128};
  plan p;
  p.dp = 2, p.global_batch = 2, p.sequence = 128;
  p.shards = sharding::parameters;
  const auto sharded = sim.run(m, p, w);
  REQUIRE_FALSE(sharded);
  CHECK(sharded.why().what.find("ZeRO-3") != std::string::npos);
  p.shards = sharding::gradients;
  CHECK(sim.run(m, p, w));
  p.pp = 3, p.global_batch = 6;
  const auto uneven = sim.run(m, p, w);
  REQUIRE_FALSE(uneven);
  CHECK(uneven.why().what.find("2,1,1") != std::string::npos);
}

TEST_CASE("a call of a kind that the collective does not offer is named") {
  struct only_reduces {
    bool offers(call k) const { return k == call::all_reduce; }
    duration time(const levels&, operation) const { return {}; }
  };
  transformer m{4, 256, 1024, 4, 4, 64, 512, 128};
  plan p;
  p.pp = 2, p.global_batch = 2, p.sequence = 128;
  workspace w;
  const auto r = simulator{archetype::a_device{}, archetype::an_interconnect{}, only_reduces{}}.run(m, p, w);
  REQUIRE_FALSE(r);
  CHECK(r.why().what.find("calls send") != std::string::npos);
}
