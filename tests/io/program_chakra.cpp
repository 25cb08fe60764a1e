// SPDX-License-Identifier: MIT
#include "echosim/io/program_chakra.hpp"

#include <string>

#include "catch.hpp"
#include "echosim/io/astra.hpp"
#include "echosim/io/chakra_program.hpp"
#include "echosim/io/chakra_reader.hpp"
#include "echosim/sim/simulator.hpp"

using namespace echosim;

namespace {

transformer small_model() {
  transformer m;
  m.layers = 4, m.hidden = 256, m.ffn = 1024, m.heads = m.kv_heads = 8, m.head_dim = 32, m.vocab = 512,
  m.max_positions = 128;
  return m;
}
plan small_plan() {
  plan p;
  p.tp = 2, p.pp = 2, p.dp = 2, p.sequence = 128, p.micro_batch = 1, p.global_batch = 8;
  p.behaves.kernel_issue = p.behaves.call_issue = {};
  return p;
}

}  // namespace

TEST_CASE("a lowered step written as Chakra traces and read again takes the same time on every rank") {
  struct fixed_device {
    duration time(const kernel& k) const {
      return {1'000 * (1 + static_cast<i64>(k.work.count / 1e6) + k.moved.count / 1'000)};
    }
  };
  struct fixed_net {
    levels levels_of(const group& g) const { return one_level(size(g), {10e9}, {2'000'000}); }
  };
  const simulator sim{fixed_device{}, fixed_net{}};
  workspace w;
  const auto program = sim.lowered(small_model(), small_plan(), w, resolution::ranks);
  if (!program) UNSCOPED_INFO(program.why().what);
  REQUIRE(program);
  const auto before = sim.run(*program, w);
  REQUIRE(before);
  const auto written = chakra::traces_of(*program, w.time, 1'000);
  if (!written) UNSCOPED_INFO(written.why().what);
  REQUIRE(written);
  CHECK(written->ranks.size() == 8);
  CHECK(written->rounded == 0);
  CHECK(chakra::check(written->ranks));

  std::vector<chakra::trace> read;
  for (const chakra::trace& t : written->ranks) read.push_back(*chakra::read_trace(chakra::bytes_of(t)));
  chakra::meaning m;
  m.duration_ps = 1'000;
  const auto groups = astra::read_groups(*parse_json(chakra::groups_text(*written)));
  REQUIRE(groups);
  for (const auto& [name, members] : *groups) m.groups[std::to_string(name)] = members;
  auto again = chakra::program_of(read, m);
  if (!again) UNSCOPED_INFO(again.why().what);
  REQUIRE(again);
  CHECK(again->operations == program->get().size());
  const auto o = order(std::move(again->made));
  REQUIRE(o);
  workspace w2;
  const auto after = sim.run(*o, w2);
  REQUIRE(after);
  CHECK(after->ps == before->ps);
}

TEST_CASE("durations that are no whole unit are rounded and counted") {
  program p;
  kernel k;
  k.name = "k";
  k.given = {1'400'000};
  p.kernels = {k};
  p.add(0, stream_of(0, compute));
  const auto o = order(std::move(p));
  REQUIRE(o);
  const auto w = chakra::traces_of(*o, {k.given});
  REQUIRE(w);
  CHECK(w->ranks[0].nodes[0].duration == 1);
  CHECK(w->rounded == 1);
  CHECK(w.notes().size() == 1);
  CHECK_FALSE(chakra::traces_of(*o, {}));
  CHECK_FALSE(chakra::traces_of(*o, {k.given}, 0));
}

TEST_CASE("a folded program is refused") {
  program p;
  kernel k;
  k.given = {1};
  p.kernels = {k};
  p.weight = {8};
  p.add(0, stream_of(0, compute));
  const auto o = order(std::move(p));
  REQUIRE(o);
  CHECK(chakra::traces_of(*o, {k.given}).why().what.find("a rank of the program stands for 8") == 0);
}
