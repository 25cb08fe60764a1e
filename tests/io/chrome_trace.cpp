// SPDX-License-Identifier: MIT
#include "echosim/io/chrome_trace.hpp"

#include <cstdio>
#include <string>

#include "catch.hpp"
#include "echosim/io/json.hpp"

using namespace echosim;
using namespace echosim::literals;

namespace {
std::string microseconds(duration t) {
  std::string out;
  trace_writer::append_microseconds(out, t);
  return out;
}
}  // namespace

TEST_CASE("a time has six decimals of a microsecond and loses no picosecond") {
  CHECK(microseconds(0_ps) == "0.000000");
  CHECK(microseconds(1_ps) == "0.000001");
  CHECK(microseconds(duration{-1}) == "-0.000001");
  CHECK(microseconds(999'999_ps) == "0.999999");
  CHECK(microseconds(duration{4'611'686'018'427'387'904}) == "4611686018427.387904");
  for (i64 ps : {i64{1}, i64{1'000'000}, i64{123'456'789'012'345'678}}) {
    const auto back = scale(*to_decimal(microseconds({ps})), 6);
    CHECK((back && back->exact && back->value == ps));
  }
}

TEST_CASE("a trace of slices and arrows is JSON with every event in it") {
  std::string text;
  {
    trace_writer w{text};
    w.process(0, "rank 0");
    w.thread(0, 1, "tp \"comm\"", 5);
    w.slice(0, 1, "all_reduce", "comm", 1_us, 2'500_ns,
            {{"bytes", i64{6'467'616'768}}, {"algorithm", "ring"}, {"share", 0.5}});
    w.arrow(7, "send", "p2p", {0, 1, 1_us}, {1, 2, 3_us});
    w.counter(0, "memory", 2_us, "bytes", 1e9);
    CHECK(w.close());
  }
  const auto trace = parse_json(text);
  REQUIRE(trace);
  const json::array& events = *trace->find("traceEvents")->items();
  REQUIRE(events.size() == 8);
  const json& x = events[4];
  CHECK(*x.find("ph")->string() == "X");
  CHECK(scale(x.find("ts")->number()->digits, 6)->value == 1'000'000);
  CHECK(scale(x.find("dur")->number()->digits, 6)->value == 2'500'000);
  CHECK(x.find("args")->find("bytes")->integer() == 6'467'616'768);
  CHECK(*events[5].find("ph")->string() == "s");
  CHECK(*events[6].find("ph")->string() == "f");
  CHECK(*events[6].find("bp")->string() == "e");
  CHECK(events[5].find("id")->integer() == events[6].find("id")->integer());
}

TEST_CASE("an empty trace is still a trace") {
  std::string text;
  trace_writer{text}.close();
  const auto trace = parse_json(text);
  REQUIRE(trace);
  CHECK(trace->find("traceEvents")->items()->empty());
}

TEST_CASE("a file that takes no bytes is reported") {
  std::FILE* full = std::fopen("/dev/full", "w");
  if (full == nullptr) return;
  trace_writer w{full};
  w.slice(0, 0, "x", "y", 0_ps, 1_ps);
  CHECK_FALSE(w.close());
  std::fclose(full);
}
