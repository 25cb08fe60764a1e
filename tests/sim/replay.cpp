// SPDX-License-Identifier: MIT
#include "echosim/sim/replay.hpp"

#include "catch.hpp"
#include "echosim/core/archetypes.hpp"
#include "echosim/sim/breakdown.hpp"
#include "echosim/sim/price.hpp"
#include "echosim/sim/timeline.hpp"

using namespace echosim;

namespace {

kernel lasting(i64 ps, i64 issue = 0) {
  kernel k;
  k.name = "kernel";
  k.given = {ps};
  k.issue = {issue};
  return k;
}

duration run(const program& p, workspace& w) {
  const auto o = order(p);
  REQUIRE(o);
  price_kernels(archetype::a_device{}, o->get(), w);
  find_levels(archetype::an_interconnect{}, o->get(), w);
  REQUIRE(price_calls(archetype::a_collective{}, o->get(), w));
  map_blocks(o->get(), w);
  REQUIRE(check_prices(o->get(), w));
  replay(*o, w);
  for (const breakdown& b : break_down(*o, w)) CHECK(b.total() == w.makespan);
  return w.makespan;
}

// A small deterministic generator: the standard library's distributions differ between implementations.
struct generator {
  u64 state;
  u32 operator()(u32 below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<u32>((state >> 33) % below);
  }
};

program random_program(u64 seed, u32 ranks, u32 size) {
  generator r{seed};
  program p;
  p.ranks = ranks;
  for (u32 k = 0; k != 8; ++k) p.kernels.push_back(lasting(1 + r(1000), r(400)));
  p.groups = {{0, {{{ranks, 1}}}, {}}};
  p.calls = {{{call::all_reduce, {64}, dimension::tp}, 0, ranks, {30}, "all_reduce"}};
  while (p.size() < size) {
    if (r(10) == 0) {
      for (u32 k = 0; k != ranks; ++k) p.add(8, stream_of(k, tp_comm));
    } else {
      p.add(r(8), stream_of(r(ranks), compute));
      if (p.size() > 1 && r(2) == 0) {
        const u32 before = r(p.size() - 1);
        if (p.what[before] != 8) p.after(before);
      }
    }
  }
  return p;
}

}  // namespace

TEST_CASE("a kernel starts when its stream is free, its predecessor has ended and its host has issued it") {
  program p;
  p.kernels = {lasting(100, 10), lasting(50, 500)};
  p.add(0, stream_of(0, compute));
  p.add(1, stream_of(0, compute));
  workspace w;
  CHECK(run(p, w) == duration{10 + 500 + 50});
  p.kernels[1] = lasting(50, 10);
  CHECK(run(p, w) == duration{10 + 100 + 50});
}

TEST_CASE("members of a call start with the last arrival and end together") {
  program p;
  p.ranks = 3;
  p.kernels = {lasting(700), lasting(100)};
  p.groups = {{0, {{{3, 1}}}, {}}};
  p.calls = {{{call::all_reduce, {1'000}, dimension::dp}, 0, 3, {}, "all_reduce"}};
  p.add(1, stream_of(0, compute)), p.add(0, stream_of(1, compute)), p.add(1, stream_of(2, compute));
  for (u32 r = 0; r != 3; ++r) p.add(2, stream_of(r, dp_comm)), p.after(r);
  workspace w;
  run(p, w);
  CHECK(w.end[3] == duration{700} + w.time[2]);
  CHECK(w.end[3] == w.end[4]);
  CHECK(w.end[4] == w.end[5]);
}

TEST_CASE("only the sender's host pays for a send") {
  program p;
  p.ranks = 2;
  p.kernels = {lasting(1, 0)};
  p.groups = {{0, {{{2, 1}}}, {}}};
  p.calls = {{{call::send, {0}, dimension::pp}, 0, 2, {1'000}, "send"}};
  p.add(1, stream_of(0, send_forward));
  p.add(1, stream_of(1, receive_forward));
  p.add(0, stream_of(1, compute));
  workspace w;
  run(p, w);
  CHECK(w.end[2] == duration{1});
  CHECK(w.end[0] >= duration{1'000});
}

TEST_CASE("a host that waits for an operation issues later ones after it") {
  program p;
  p.kernels = {lasting(1'000, 10), lasting(0), lasting(5, 10)};
  p.kernels[1].kind = kernel_kind::host;
  p.add(0, stream_of(0, compute));
  p.add(1, stream_of(0, host)), p.after(0);
  p.add(2, stream_of(0, compute));
  workspace w;
  CHECK(run(p, w) == duration{10 + 1'000 + 10 + 5});
}

TEST_CASE("the makespan is at least the critical path and the work of the busiest stream, and removing an edge never makes it longer") {
  for (u64 seed = 1; seed != 60; ++seed) {
    const program p = random_program(seed, 1 + static_cast<u32>(seed % 4), 120);
    workspace w;
    const duration whole = run(p, w);
    std::vector<duration> busy(std::size_t{p.ranks} * lanes);
    for (u32 i = 0; i != p.size(); ++i) busy[p.stream[i]] += w.time[p.what[i]];
    for (const duration b : busy) CHECK(whole >= b);
    std::vector<duration> path(p.size());  // the longest chain of dependencies
    for (u32 i = 0; i != p.size(); ++i) {
      for (u32 e = p.first[i]; e != p.first[i + 1]; ++e) path[i] = max(path[i], path[p.preds[e]]);
      path[i] += w.time[p.what[i]];
      CHECK(whole >= path[i]);
    }
    for (u32 drop = 0; drop != p.preds.size(); ++drop) {
      program q;
      q.ranks = p.ranks, q.kernels = p.kernels, q.calls = p.calls, q.groups = p.groups;
      for (u32 i = 0; i != p.size(); ++i) {
        q.add(p.what[i], p.stream[i]);
        for (u32 e = p.first[i]; e != p.first[i + 1]; ++e)
          if (e != drop) q.after(p.preds[e]);
      }
      workspace v;
      CHECK(run(q, v) <= whole);
    }
  }
}

TEST_CASE("a block is the same as its steps, in time and in the split of time, whoever is ahead") {
  for (u64 seed = 1; seed != 300; ++seed) {
    generator r{seed};
    program plain;
    for (u32 k = 0; k != 6; ++k) plain.kernels.push_back(lasting(1 + r(300), r(2) == 0 ? r(20) : r(400)));
    plain.kernels[5].kind = kernel_kind::optimizer;
    plain.groups = {{0, {{{2, 1}}}, {}}};
    plain.calls = {{{call::all_reduce, {r(2000)}, dimension::tp}, 0, 1, {r(100)}, "all_reduce"},
                   {{call::send, {r(4000)}, dimension::dp}, 0, 1, {r(100)}, "dp"}};
    std::vector<step> steps{{r(6), false, false}};
    for (u32 k = 0; k != 12; ++k) steps.push_back(r(3) == 0 ? step{6, true, true} : step{r(6), false, r(2) == 0});
    steps.push_back({r(6), false, true});
    program folded = plain;
    folded.steps = steps;
    folded.blocks = {{0, static_cast<u32>(steps.size())}};
    for (u32 repeat = 0; repeat != 6; ++repeat) {
      folded.add(8, stream_of(0, compute));
      u32 last_compute = invalid, last_comm = invalid;
      for (const step& s : steps) {
        const u32 op = plain.add(s.what, stream_of(0, s.on_comm ? u32{tp_comm} : u32{compute}));
        const u32 other = s.on_comm ? last_compute : last_comm;
        if (s.joins && other != invalid) plain.after(other);
        (s.on_comm ? last_comm : last_compute) = op;
      }
      for (program* p : {&plain, &folded}) {  // a transfer beside the next block
        const u32 before = p->size() - 1;
        p->add(7, stream_of(0, dp_comm));
        if (repeat % 2 == 0) p->after(before);
      }
    }
    workspace a, b;
    CHECK(run(plain, a) == run(folded, b));
    const auto o = order(plain), f = order(folded);
    CHECK(break_down(*o, a) == break_down(*f, b));
    std::vector<duration> from_plain, from_folded;
    each_slice(*o, a, [&](const slice& s) { from_plain.push_back(s.start), from_plain.push_back(s.end); });
    each_slice(*f, b, [&](const slice& s) { from_folded.push_back(s.start), from_folded.push_back(s.end); });
    std::sort(from_plain.begin(), from_plain.end()), std::sort(from_folded.begin(), from_folded.end());
    CHECK(from_plain == from_folded);
  }
}

TEST_CASE("prices that would overflow a run, and negative ones, are refused") {
  program p;
  p.kernels = {lasting(i64{1} << 60)};
  for (u32 i = 0; i != 8; ++i) p.add(0, stream_of(0, compute));
  workspace w;
  price_kernels(archetype::a_device{}, p, w);
  const auto r = check_prices(p, w);
  REQUIRE_FALSE(r);
  CHECK(r.why().what.find("2.3e6 s") != std::string::npos);
  w.time[0] = {-5};
  CHECK_FALSE(check_prices(p, w));
}
