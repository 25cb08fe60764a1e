// SPDX-License-Identifier: MIT
#include "echosim/interconnect/two_level.hpp"

#include "catch.hpp"
#include "echosim/interconnect/alpha_beta.hpp"
#include "echosim/interconnect/catalog.hpp"

using namespace echosim;

namespace {
constexpr two_level net{8, {200e9}, {400e9}, {1}, {2}, true, false};
}

TEST_CASE("arithmetic and enumeration agree on every aligned group") {
  u64 state = 1;
  const auto pick = [&](u32 below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<u32>((state >> 33) % below);
  };
  int aligned = 0, ragged = 0;
  for (int i = 0; i != 20'000; ++i) {
    const u32 odd = pick(8) == 0 ? 3 : 1, tp = odd << pick(4), a = 1u << pick(3), b = 1 + pick(6), c = 1u << pick(2);
    group g;
    g.members = {{{a, tp}, {b, tp * a * c}, {1, 1}}};
    g.siblings = {{{tp, 1}, {c, tp * a}, {1, 1}}};
    const u32 mine = pick(tp * c);
    g.own = offset(g.siblings, mine);
    g.base = pick(4) * tp * a * b * c + g.own;
    if (!net.aligned(g)) {
      ++ragged;
      continue;
    }
    ++aligned;
    REQUIRE(net.levels_of(g) == net.counted(g));
  }
  CHECK(aligned > 10'000);
  CHECK(ragged > 1'000);
}

TEST_CASE("every sibling group sees the same levels") {
  for (u32 shard = 0; shard != 8; ++shard) {
    group g;
    g.base = g.own = shard;
    g.members[0] = {4, 8};
    g.siblings[0] = {8, 1};
    const levels l = net.levels_of(g);
    CHECK(l.depth == 2);
    CHECK(l.at[0].fanout == 1);
    CHECK(l.at[1] == level{4, {50e9}, {2}, false});  // an eighth of the node's adapters
  }
}

TEST_CASE("levels do not change when a group moves by a period") {
  group g;
  g.base = 3;
  g.members[0] = {5, 2};
  const levels here = net.levels_of(g);
  g.base += net.period();
  CHECK(net.levels_of(g) == here);
}

TEST_CASE("a domain of 72 GPUs holds a group that a node of 8 cannot") {
  group g;
  g.members[0] = {64, 1};
  CHECK(find_node("gb200_nvl72")->net.levels_of(g).depth == 1);
  CHECK(find_node("dgx_h100")->net.levels_of(g).depth == 2);
  CHECK(find_node("no such node") == nullptr);
  CHECK(alpha_beta{{5}, {1e9}}.levels_of(g) == one_level(64, {1e9}, {5}));
}
