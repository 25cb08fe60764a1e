// SPDX-License-Identifier: MIT
#include "echosim/plan/ranks.hpp"

#include <algorithm>
#include <vector>

#include "catch.hpp"

using namespace echosim;

namespace {

constexpr plan cut(u32 tp, u32 dp, u32 pp) {
  plan p;
  p.tp = tp, p.dp = dp, p.pp = pp;
  return p;
}

constexpr bool there_and_back(const plan& p) {
  for (u32 r = 0; r != static_cast<u32>(world(p)); ++r)
    if (rank_at(p, coordinates_of(p, rank{r})) != rank{r}) return false;
  return true;
}

/// Every rank that a group and its siblings name.
std::vector<u32> covered(const group& g) {
  std::vector<u32> all;
  for (u32 s = 0; s != count(g.siblings); ++s)
    for (u32 i = 0; i != size(g); ++i) all.push_back(member(g, i) + offset(g.siblings, s));
  std::sort(all.begin(), all.end());
  return all;
}
std::vector<u32> ranks_of_stages(const plan& p, std::vector<u32> stages) {
  std::vector<u32> all;
  for (u32 r = 0; r != static_cast<u32>(world(p)); ++r)
    if (std::count(stages.begin(), stages.end(), coordinates_of(p, rank{r}).stage) != 0) all.push_back(r);
  return all;
}

const std::vector<plan> plans{cut(1, 1, 1), cut(8, 1, 12), cut(2, 3, 4), cut(1, 8, 1), cut(4, 2, 2), cut(3, 5, 7)};

}  // namespace

static_assert(there_and_back(cut(8, 1, 12)) && there_and_back(cut(2, 3, 4)) && there_and_back(cut(1, 1, 1)));
// Megatron-LM's example of 16 GPUs, tp 2, pp 4 (megatron/core/parallel_state.py, initialize_model_parallel,
// core_r0.9.0): tensor groups [g0, g1], data groups [g0, g2], pipeline groups [g0, g4, g8, g12].
static_assert(member(tp_group(cut(2, 2, 4), 0, 0), 1) == 1);
static_assert(member(dp_group(cut(2, 2, 4), 0, 0), 1) == 2);
static_assert(rank_at(cut(2, 2, 4), {0, 0, 1}) == rank{4} && rank_at(cut(2, 2, 4), {0, 0, 3}) == rank{12});
static_assert(member(embedding_group(cut(2, 2, 4), 0, 1), 0) == 1 &&
              member(embedding_group(cut(2, 2, 4), 0, 1), 1) == 13);
static_assert(coordinates_of(cut(2, 2, 4), rank{15}) == coordinates{1, 1, 3});

TEST_CASE("a tensor group is one replica of one stage, and with its siblings the whole stage once") {
  for (const plan& p : plans)
    for (u32 s = 0; s != p.pp; ++s) {
      const group g = tp_group(p, s, 0);
      for (u32 i = 0; i != size(g); ++i) CHECK(coordinates_of(p, rank{member(g, i)}) == coordinates{i, 0, s});
      CHECK(covered(g) == ranks_of_stages(p, {s}));
      for (u32 d = 0; d != p.dp; ++d) CHECK(tp_group(p, s, d).base == g.base + offset(g.siblings, d));
    }
}

TEST_CASE("a data group is one shard of one stage, and with its siblings the whole stage once") {
  for (const plan& p : plans)
    for (u32 s = 0; s != p.pp; ++s) {
      const group g = dp_group(p, s, 0);
      for (u32 i = 0; i != size(g); ++i) CHECK(coordinates_of(p, rank{member(g, i)}) == coordinates{0, i, s});
      CHECK(covered(g) == ranks_of_stages(p, {s}));
      for (u32 t = 0; t != p.tp; ++t) CHECK(dp_group(p, s, t).base == g.base + offset(g.siblings, t));
    }
}

TEST_CASE("a pair of stages sends at all shards and replicas at once, whichever way") {
  for (const plan& p : plans)
    for (u32 s = 0; s + 1 < p.pp; ++s) {
      const group g = pp_pair(p, s, s + 1, 0, 0);
      CHECK(size(g) == 2);
      CHECK(g == pp_pair(p, s + 1, s, 0, 0));
      CHECK(coordinates_of(p, rank{member(g, 0)}) == coordinates{0, 0, s});
      CHECK(coordinates_of(p, rank{member(g, 1)}) == coordinates{0, 0, s + 1});
      CHECK(covered(g) == ranks_of_stages(p, {s, s + 1}));
      const group last = pp_pair(p, s, s + 1, p.dp - 1, p.tp - 1);
      CHECK(last.base == g.base + offset(g.siblings, p.tp * p.dp - 1));
    }
}

TEST_CASE("the copies of a tied embedding stand on the first and the last stage") {
  for (const plan& p : plans) {
    if (p.pp == 1) continue;
    const group g = embedding_group(p, 0, 0);
    CHECK(coordinates_of(p, rank{member(g, 1)}) == coordinates{0, 0, p.pp - 1});
    CHECK(covered(g) == ranks_of_stages(p, {0, p.pp - 1}));
  }
}

TEST_CASE("the ranks of one replica, and with the other replicas the whole job once") {
  for (const plan& p : plans) {
    const group g = model_group(p, 0);
    CHECK(size(g) == p.tp * p.pp);
    for (u32 i = 0; i != size(g); ++i) CHECK(coordinates_of(p, rank{member(g, i)}).replica == 0);
    const std::vector<u32> all = covered(g);
    for (u32 r = 0; r != all.size(); ++r) CHECK(all[r] == r);
    CHECK(all.size() == static_cast<std::size_t>(world(p)));
  }
}
