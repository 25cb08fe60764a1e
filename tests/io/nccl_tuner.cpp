// SPDX-License-Identifier: MIT
#include "echosim/io/nccl_tuner.hpp"

#include <string>

#include "catch.hpp"
#include "mutated.hpp"

using namespace echosim;
using nccl_tuner::algorithm;
using nccl_tuner::call_kind;

namespace {
const char* const rules =
    "# collective_type,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks,numPipeOps,regBuff\n\n"
    "allreduce,0,65536,tree,simple,2,1,-1,-1,1\n"
    "allreduce,0,65536,nvls,ll128,2,1,8\n"
    " allreduce , 65537 , 4294967295 , ring , ll128 , -1 , -1 , -1 , 4\n";
}

TEST_CASE("comments, blank lines and missing optional columns are read") {
  const auto r = nccl_tuner::read_rules(rules);
  REQUIRE(r);
  REQUIRE(r->size() == 3);
  CHECK((*r)[0].registered == 1);
  CHECK((*r)[1].registered == -1);
  CHECK((*r)[1].operations == -1);
  CHECK((*r)[2].operations == 4);
  CHECK((*r)[2].line == 5);
}

TEST_CASE("the first rule that matches decides, up to the last byte of its range and with 4294967295 as no limit") {
  const auto r = nccl_tuner::read_rules(rules);
  REQUIRE(r);
  const auto at = [&](i64 bytes, i64 ranks, i64 operations, bool registered) {
    const nccl_tuner::rule* c =
        nccl_tuner::choice(*r, {call_kind::all_reduce, bytes, 1, ranks, operations, registered});
    return c != nullptr ? static_cast<i64>(c->line) : 0;
  };
  CHECK(at(65536, 4, 1, true) == 3);
  CHECK(at(65536, 8, 1, false) == 4);
  CHECK(at(65536, 4, 1, false) == 0);
  CHECK(at(65537, 8, 1, true) == 0);
  CHECK(at(65537, 8, 4, true) == 5);
  CHECK(at(i64{1} << 40, 8, 4, true) == 5);
  CHECK(nccl_tuner::choice(*r, {call_kind::broadcast, 1, 1, 8, 4, false}) == nullptr);
}

TEST_CASE("unknown names and impossible numbers are refused with their line") {
  const auto why = [](const char* text) {
    const auto r = nccl_tuner::read_rules(text);
    REQUIRE_FALSE(r);
    return r.why().what;
  };
  CHECK(why("\nallscatter,0,1,tree,simple,2,1,-1").find("line 2: found 'allscatter'; expected broadcast") == 0);
  CHECK(why("allreduce,0,1,star,simple,2,1,-1").find("'star'") != std::string::npos);
  CHECK(why("allreduce,0,1,tree,ll64,2,1,-1").find("'ll64'") != std::string::npos);
  CHECK(why("allreduce,-1,1,tree,ll,2,1,-1").find("expected bytes") != std::string::npos);
  CHECK(why("allreduce,2,1,tree,ll,2,1,-1").find("at least as many bytes") != std::string::npos);
  CHECK(why("allreduce,0,1,tree,ll,2,1").find("8 to 10 columns") != std::string::npos);
  CHECK(why("allreduce,0,1,tree,ll,2,1,-1,-1,-1,-1").find("8 to 10 columns") != std::string::npos);
  CHECK(nccl_tuner::read_rules("# nothing\n").notes().size() == 1);
}

TEST_CASE("changed bytes give rules or an error") {
  mutations damaged{rules, ",-0123\n#"};
  for (int round = 0; round < 10'000; ++round) {
    const auto r = nccl_tuner::read_rules(damaged.next());
    if (!r) CHECK(r.why().what.find("line ") == 0);
  }
}
