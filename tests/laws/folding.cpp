// SPDX-License-Identifier: MIT
#include "catch.hpp"
#include "echosim/device/catalog.hpp"
#include "echosim/device/roofline.hpp"
#include "echosim/interconnect/two_level.hpp"
#include "echosim/schedule/gpipe.hpp"
#include "echosim/schedule/interleaved.hpp"
#include "echosim/sim/simulator.hpp"

using namespace echosim;

namespace {

constexpr two_level network(u32 per_domain) { return {per_domain, {200e9}, {400e9}, {600'000}, {2'700'000}, true, false}; }

/// Every number that a report gives by class, from the run of each rank, each class and each block.
template <class S>
void agree(const transformer& m, const plan& p, const S& schedule, u32 per_domain) {
  const simulator sim{roofline{h800_sxm, 0.7, 0.8}, network(per_domain), nccl{}, schedule};
  workspace w;
  const auto ranks = sim.run(m, p, w, resolution::ranks);
  INFO("tp " << p.tp << " pp " << p.pp << " vpp " << p.vpp << " dp " << p.dp << " hidden " << m.hidden << " domain " << per_domain);
  REQUIRE(ranks);
  CHECK(ranks->operations == ranks->operations_simulated);
  for (const resolution fine : {resolution::classes, resolution::blocks}) {
    const auto folded = sim.run(m, p, w, fine);
    REQUIRE(folded);
    CHECK(folded->step == ranks->step);
    CHECK(folded->operations == ranks->operations);
    u64 stands_for = 0;
    for (const class_report& c : folded->classes) {
      CHECK(c.time.total() == folded->step);
      stands_for += c.ranks;
      u64 alike = 0;  // ranks of the unfolded run with this very breakdown
      for (const class_report& r : ranks->classes) alike += r.stage == c.stage && r.time == c.time;
      CHECK(alike >= c.ranks);
    }
    CHECK(stands_for == static_cast<u64>(world(p)));
    REQUIRE(folded->calls.size() == ranks->calls.size());
    for (std::size_t i = 0; i != folded->calls.size(); ++i) {
      CHECK(folded->calls[i].calls == Approx(ranks->calls[i].calls));
      CHECK(folded->calls[i].takes.total() == ranks->calls[i].takes.total());
    }
  }
}

}  // namespace

TEST_CASE("unfolded, folded by rank class and folded in blocks agree to the picosecond") {
  for (const i64 hidden : {256, 4096})  // bound by the host, and by the device
    for (const u32 tp : {1u, 2u, 4u})
      for (const u32 pp : {1u, 2u, 4u})
        for (const u32 dp : {1u, 3u})
          for (const u32 vpp : {1u, 2u}) {
            if (vpp > 1 && pp == 1) continue;
            transformer m{8, hidden, 4 * hidden, 16, 16, hidden / 16, 1000, 512};
            plan p;
            p.tp = tp, p.pp = pp, p.vpp = vpp, p.dp = dp;
            p.sequence = 512;
            p.global_batch = i64{dp} * 2 * pp;
            p.sequence_parallel = tp == 4;
            p.recomputes = pp == 2 ? recompute::full : pp == 4 ? recompute::selective : recompute::none;
            p.shards = dp == 3 ? sharding::optimizer : sharding::none;
            p.overlap_gradients = p.overlap_parameters = vpp == 1 && dp == 3;
            p.behaves.sends_block = vpp == 1;
            p.behaves.attention = tp == 2 ? attention_backend::unfused : attention_backend::flash2;
            m.tied = pp != 4;
            agree(m, p, interleaved{}, 8);
            if (vpp == 1) agree(m, p, gpipe{}, 8);
          }
}

TEST_CASE("where tensor-parallel groups straddle nodes unevenly, classes split and still agree") {
  transformer m{4, 1536, 6144, 12, 12, 128, 1000, 512};
  plan p;
  p.tp = 6, p.pp = 2, p.dp = 4;
  p.sequence = 512;
  p.global_batch = 16;
  agree(m, p, one_f_one_b{}, 8);
  p.tp = 3;
  p.dp = 5, p.global_batch = 20;
  p.overlap_gradients = true;
  agree(m, p, one_f_one_b{}, 4);
}
