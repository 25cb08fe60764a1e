// SPDX-License-Identifier: MIT
#include "echosim/io/goal.hpp"

#include "catch.hpp"
#include "echosim/io/byte_source.hpp"
#include "mutated.hpp"
#include "public_files.hpp"

using namespace echosim;

namespace {
const std::string pair =
    "num_ranks 2\n\nrank 0 {\nl1: calc 100 cpu 1\nl2: send 8b to 1 tag 3 // note\nl2 requires l1\n}\nrank 1 { r1: recv "
    "8b from 0 tag 3; r2: calc 5; r2 irequires r1; }\n";
std::string why(std::string_view from, std::string_view to) {
  std::string t = pair;
  const auto r = goal::read_schedule(t.replace(t.find(from), from.size(), to));
  REQUIRE_FALSE(r);
  return r.why().what;
}
}  // namespace

TEST_CASE("tasks, requirements and both layouts of a line are read") {
  const auto s = goal::read_schedule(pair);
  if (!s) UNSCOPED_INFO(s.why().what);
  REQUIRE(s);
  REQUIRE((*s)[0].size() == 2);
  CHECK((*s)[0][0].amount == 100);
  CHECK((*s)[0][0].cpu == 1);
  CHECK((*s)[0][1].tag == 3);
  CHECK((*s)[0][1].requires_end == std::vector<u32>{0});
  REQUIRE((*s)[1].size() == 2);
  CHECK((*s)[1][1].requires_start == std::vector<u32>{0});
}

TEST_CASE("what cannot run is refused") {
  CHECK(why("tag 3 //", "tag 4 //").find("rank 0 to 1, tag 3: 1 receives without a send") == 0);
  CHECK(why("to 1", "to 2").find("line 5: found the rank '2'; expected one below num_ranks") == 0);
  CHECK(why("8b to", "8 to").find("the size '8'; expected bytes such as 8b") != std::string::npos);
  CHECK(why("requires l1", "requires l9").find("'l9'") != std::string::npos);
  CHECK(why("l2: send", "l1: send").find("the label 'l1' again") != std::string::npos);
  CHECK(why("rank 1 {", "rank 0 {").find("rank 0 again") != std::string::npos);
  CHECK(why("num_ranks 2", "num_ranks 0").find("num_ranks and a number from 1") != std::string::npos);
  CHECK(why("calc 5", "calc -5").find("at least 0") != std::string::npos);
  CHECK(why("calc 5", "wait 5").find("send, recv or calc") != std::string::npos);
  CHECK(why("irequires r1; }", "irequires r1;").find("expected '}'") != std::string::npos);
  CHECK_FALSE(goal::read_schedule(""));
  CHECK_FALSE(goal::read_schedule("rank 0 {\n}\n"));
}

TEST_CASE("changed bytes give a schedule or an error") {
  mutations damaged{pair, "{};:b0 \n"};
  for (int round = 0; round < 10'000; ++round) {
    std::string t = damaged.next();
    if (t.find("num_ranks 2") != 0) continue;  // a schedule of a hundred million empty ranks is legal and slow
    const auto r = goal::read_schedule(t);
    if (!r) CHECK(r.why().what.find(';') != std::string::npos);
  }
}

TEST_CASE("a public binomial tree of 32 ranks has 31 messages") {
  const std::string folder = public_folder("goal");
  if (folder.empty()) return;
  for (const std::string& file : files_in(folder)) {
    const auto s = goal::read_schedule(*read_file(file.c_str()));
    if (!s) UNSCOPED_INFO(s.why().what);
    REQUIRE(s);
    std::size_t sends = 0;
    for (const auto& rank : *s)
      for (const goal::task& t : rank) sends += t.kind == goal::task_kind::send ? 1 : 0;
    CHECK(s->size() == 32);
    CHECK(sends == 31);
  }
}
