// SPDX-License-Identifier: MIT
#include "catch.hpp"
#include "echosim/collective/direct.hpp"
#include "echosim/collective/fastest.hpp"
#include "echosim/collective/in_network.hpp"
#include "echosim/collective/nccl.hpp"
#include "echosim/collective/point_to_point.hpp"
#include "echosim/collective/tree.hpp"

using namespace echosim;

namespace {
constexpr call kinds[] = {call::all_reduce, call::all_gather, call::reduce_scatter, call::all_to_all, call::broadcast, call::reduce, call::send};

levels nodes_of_8(u32 nodes) {
  levels l;
  l.ranks = 8 * nodes;
  l.depth = nodes > 1 ? 2 : 1;
  l.at[0] = {8, {450e9}, {600'000}, true};
  if (nodes > 1) l.at[1] = {nodes, {400e9}, {2'700'000}, false};
  return l;
}

template <class C>
void obeys_the_contract(const C& c) {
  for (const u32 nodes : {1u, 2u, 4u, 16u})
    for (const call k : kinds) {
      if (!c.offers(k)) continue;
      const levels l = k == call::send ? one_level(2, {400e9}, {600'000}) : nodes_of_8(nodes);
      duration before{};
      for (i64 size = 1; size < i64{1} << 36; size *= 4) {
        const cost t = c.time(l, {k, {size}, dimension::dp});
        CHECK(t.total() == t.startup + t.latency + t.wire + t.reduction);
        CHECK(t.total() >= before);
        before = t.total();
      }
      CHECK(before < forever);
      CHECK(c.time(one_level(1, {1e9}, {1}), {k, {1 << 20}, dimension::dp}).total() == duration{});
    }
}
}  // namespace

TEST_CASE("every collective is the sum of its terms, monotone in the size, beyond 2^32 bytes, and free for one rank") {
  obeys_the_contract(ring{});
  obeys_the_contract(tree{});
  obeys_the_contract(direct{});
  obeys_the_contract(point_to_point{});
  obeys_the_contract(nccl{});
  obeys_the_contract(fastest<ring, tree, direct>{});
}

TEST_CASE("closed forms: ring 2(N-1)(a + S/NB), direct 2(a + (N-1)S/NB), in-network a + S/B, double tree 2 S/B") {
  const i64 n = 8, a = 500'000, s = 800'000'000;
  const levels l = one_level(8, {50e9}, {a});
  const duration step = bytes{s / n} / bandwidth{50e9};
  CHECK(ring{}.time(l, {call::all_reduce, {s}, {}}).total() == 2 * (n - 1) * (duration{a} + step));
  CHECK(ring{}.time(l, {call::all_gather, {s}, {}}).total() == (n - 1) * (duration{a} + step));
  CHECK(direct{}.time(l, {call::all_reduce, {s}, {}}).total() == 2 * (duration{a} + (bytes{(n - 1) * (s / n)} / bandwidth{50e9})));
  levels adds = l;
  adds.at[0].reduces = true;
  CHECK(in_network{}.time(adds, {call::all_reduce, {s}, {}}).total() == duration{a} + bytes{s} / bandwidth{50e9});
  CHECK(in_network{}.time(l, {call::all_reduce, {s}, {}}).wire == forever);
  CHECK(tree{}.time(l, {call::all_reduce, {s}, {}}).wire == 2 * (bytes{s} / bandwidth{50e9}));
}

TEST_CASE("ring and direct all-reduce move the same bytes: 100 MB over 8 ranks of 50 GB/s take 3.5 ms of wire each") {
  const levels l = one_level(8, {50e9}, {0});
  const operation o{call::all_reduce, {100'000'000}, {}};
  CHECK(seconds(ring{}.time(l, o).wire) == Approx(3.5e-3).epsilon(1e-6));
  CHECK(seconds(direct{}.time(l, o).wire) == Approx(3.5e-3).epsilon(1e-6));
}

TEST_CASE("each rank of a ring all-reduce of 100 MB over 4 ranks sends 150 MB") {
  group g;
  g.members[0] = {4, 1};
  std::vector<flow> flows;
  flow_sink sink{&flows};
  ring{}.expand(g, {call::all_reduce, {100'000'000}, {}}, sink);
  i64 sent = 0;
  for (const flow& f : flows) sent += f.from == rank{0} ? f.size.count : 0;
  CHECK(sent == 150'000'000);
}

TEST_CASE("busbw is algbw times 2(n-1)/n, (n-1)/n or 1; a DGX H100's 263.8 GB/s of all-reduce are 461.7") {
  CHECK(263.8 * busbw_factor(call::all_reduce, 8) == Approx(461.65).epsilon(1e-4));
  CHECK(busbw_factor(call::all_to_all, 8) == Approx(0.875));
  CHECK(busbw_factor(call::broadcast, 8) == 1);
}

TEST_CASE("NCCL's choice: low latency protocols for small messages, Simple for large, NVLS on one H100 node, tree on many for small") {
  const nccl c;
  CHECK(std::string{c.time(nodes_of_8(1), {call::all_reduce, {1024}, {}}).protocol} == "LL");
  CHECK(std::string{c.time(nodes_of_8(1), {call::all_reduce, {1 << 30}, {}}).algorithm} == "nvls");
  CHECK(std::string{c.time(nodes_of_8(16), {call::all_reduce, {8192}, {}}).algorithm} == "tree");
  CHECK(std::string{c.time(nodes_of_8(16), {call::all_gather, {1 << 30}, {}}).algorithm} == "ring");
  nccl without = c;
  without.allow_nvls = false;
  CHECK(std::string{without.time(nodes_of_8(1), {call::all_reduce, {1 << 30}, {}}).algorithm} == "ring");
}

TEST_CASE("ring all-reduce pays 2(N-1) latencies: its bandwidth at a fixed size falls as nodes are added") {
  double before = 1e30;
  for (const u32 nodes : {2u, 4u, 8u, 16u, 32u}) {
    const double rate = 16e6 / seconds(nccl{}.of(nccl_algorithm::ring, nccl_protocol::simple, nodes_of_8(nodes), {call::all_reduce, {16'000'000}, {}}).total());
    CHECK(rate < before);
    before = rate;
  }
}
