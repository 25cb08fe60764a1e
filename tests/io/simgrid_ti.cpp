// SPDX-License-Identifier: MIT
#include "echosim/io/simgrid_ti.hpp"

#include "catch.hpp"
#include "mutated.hpp"

using namespace echosim;

namespace {
const std::string two =
    "0 init\n1 init\n# note\n0 compute 1e9\n0 send 1 3 1e6\n1 recv 0 3 1000000 6\n0 allReduce 5e4 5e8\n1 allreduce 5e4 "
    "5e8\n0 finalize\n1 finalize\n";
std::string why(std::string_view from, std::string_view to) {
  std::string t = two;
  const auto r = simgrid_ti::read_trace(t.replace(t.find(from), from.size(), to));
  REQUIRE_FALSE(r);
  return r.why().what;
}
}  // namespace

TEST_CASE("several ranks in one file, counts as floats and actions without case are read") {
  const auto t = simgrid_ti::read_trace(two);
  REQUIRE(t);
  REQUIRE(t->ranks.size() == 2);
  REQUIRE(t->ranks[0].second.size() == 5);
  CHECK(t->ranks[0].second[1].amounts[0] == 1e9);
  CHECK(t->ranks[0].second[2].peer == 1);
  CHECK(t->ranks[0].second[2].tag == 3);
  CHECK(t->ranks[0].second[2].amounts[0] == 1e6);
  CHECK(t->ranks[1].second[1].type == 6);
  CHECK(t->ranks[0].second[3].kind == simgrid_ti::action_kind::all_reduce);
  CHECK(t.notes().empty());
}

TEST_CASE("fractions of elements, unknown actions and lists of files are refused") {
  CHECK(why("1e6", "1e-6").find("line 5: found the size '1e-6'; expected a whole number of elements") == 0);
  CHECK(why("allReduce 5e4", "allReduce 5.5").find("a whole number of elements") != std::string::npos);
  CHECK(why("compute 1e9", "compute -1").find("at least 0") != std::string::npos);
  CHECK(why("compute 1e9", "think 1e9").find("the action 'think'") != std::string::npos);
  CHECK(why("send 1 3 1e6", "send 1 3").find("2 arguments of 'send'; expected at least 3") != std::string::npos);
  CHECK(simgrid_ti::read_trace("actions0.txt\nactions1.txt\n").why().what.find("give the files it names") !=
        std::string::npos);
  CHECK_FALSE(simgrid_ti::read_trace(""));
  CHECK(simgrid_ti::read_trace("0 compute 5\n").notes().size() == 1);
}

TEST_CASE("changed bytes of a SimGrid trace give a trace or an error") {
  mutations damaged{two, "0123 e.-\nr"};
  for (int round = 0; round < 10'000; ++round) {
    const auto t = simgrid_ti::read_trace(damaged.next());
    if (!t) CHECK(t.why().what.find(';') != std::string::npos);
  }
}
