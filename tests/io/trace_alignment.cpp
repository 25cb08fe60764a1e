// SPDX-License-Identifier: MIT
#include "echosim/io/trace_alignment.hpp"

#include <string>

#include "catch.hpp"
#include "echosim/io/kineto_reader.hpp"

using namespace echosim;
using kineto::trace;

namespace {

struct launch {
  const char* name;
  int start, length;  // µs
  int sequence = -1;
};
trace of(std::initializer_list<launch> launches, int clock = 0) {
  std::string text = "[";
  for (const launch& l : launches) {
    text += (text.size() > 1 ? "," : "") +
            std::string{"{\"ph\":\"X\",\"cat\":\"kernel\",\"pid\":0,\"tid\":7,\"name\":\""} + l.name +
            "\",\"ts\":" + std::to_string(l.start + clock) + ",\"dur\":" + std::to_string(l.length);
    if (l.sequence >= 0)
      text += ",\"args\":{\"Collective name\":\"allreduce\",\"Process Group Name\":\"0\",\"Seq\":" +
              std::to_string(l.sequence) + "}";
    text += "}";
  }
  auto t = kineto::read_trace(text_source{text + "]"});
  REQUIRE(t);
  return std::move(*t);
}

}  // namespace

TEST_CASE("clocks are compared by the ends of collectives, and waiting ends with the last arrival") {
  // rank 1 arrives 30 µs late at both; its clock is 1000 µs ahead
  const std::vector<trace> ranks = [] {
    std::vector<trace> all;
    all.push_back(of({{"ncclAllReduce", 10, 50, 1}, {"ncclAllReduce", 100, 60, 2}}));
    all.push_back(of({{"ncclAllReduce", 40, 20, 1}, {"ncclAllReduce", 130, 30, 2}}, 1000));
    return all;
  }();
  const auto a = kineto::align(ranks);
  REQUIRE(a);
  CHECK(a->ranks[1].offset == 1'000'000);
  REQUIRE(a->calls.size() == 2);
  CHECK(a->calls[0].arrival == 40'000);
  CHECK(a->calls[0].end == 60'000);
  CHECK(a->ranks[0].waiting == 60'000);
  CHECK(a->ranks[0].transfer == 50'000);
  CHECK(a->ranks[1].waiting == 0);
  CHECK(a->ranks[1].transfer == 50'000);
  CHECK(a->ranks[1].arrives_last == 2);
  CHECK(a->ranks[1].makes_wait == 60'000);
  CHECK(a->straggler == 1);
}

TEST_CASE("waiting and transfer add up to the time in collectives, rank by rank") {
  std::vector<trace> ranks;
  ranks.push_back(of({{"ncclA", 0, 9}, {"ncclB", 20, 7}, {"ncclA", 50, 4}}));
  ranks.push_back(of({{"ncclA", 3, 6}, {"ncclB", 18, 9}, {"ncclA", 51, 3}}, -400));
  ranks.push_back(of({{"ncclA", 1, 8}, {"ncclB", 22, 5}, {"ncclA", 45, 9}}, 77));
  const auto a = kineto::align(ranks);
  REQUIRE(a);
  const i64 in_calls[] = {20'000, 18'000, 22'000};
  i64 waited = 0, caused = 0;
  for (u32 r = 0; r < 3; ++r) {
    CHECK(a->ranks[r].waiting + a->ranks[r].transfer == in_calls[r]);
    waited += a->ranks[r].waiting;
    caused += a->ranks[r].makes_wait;
  }
  CHECK(waited == caused);
  CHECK(a->calls.size() == 3);
}

TEST_CASE("without sequence numbers launches match by name and order, and the rest is counted") {
  std::vector<trace> ranks;
  ranks.push_back(of({{"ncclA", 0, 9}, {"ncclOnly", 20, 7}}));
  ranks.push_back(of({{"ncclA", 0, 9}}));
  const auto a = kineto::align(ranks);
  REQUIRE(a);
  CHECK(a->calls.size() == 1);
  CHECK(a->unmatched == 1);
  CHECK(a.notes().size() == 1);
  CHECK(a->straggler == invalid);
}

TEST_CASE("one trace, or traces of different runs, are refused") {
  std::vector<trace> ranks;
  ranks.push_back(of({{"ncclA", 0, 9}}));
  CHECK(kineto::align(ranks).why().what.find("1 traces; at least two") == 0);
  ranks.push_back(of({{"gemm", 0, 9}}));
  CHECK(kineto::align(ranks).why().what.find("trace 1 shares no collective with the first") == 0);
}
