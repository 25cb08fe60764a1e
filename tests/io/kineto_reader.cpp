// SPDX-License-Identifier: MIT
#include "echosim/io/kineto_reader.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "catch.hpp"
#include "mutated.hpp"

using namespace echosim;

namespace {

std::string event(const std::string& category, const std::string& rest) {
  return "{\"ph\":\"X\",\"cat\":\"" + category + "\",\"name\":\"k\",\"pid\":0,\"tid\":7," + rest + "}";
}
result<kineto::trace> read(const std::string& events, const std::string& more = "") {
  return kineto::read_trace(text_source{"{\"traceEvents\":[" + events + "]" + more + "}"});
}
kineto::event one(const std::string& events, const std::string& more = "") {
  const auto t = kineto::read_trace(text_source{"{\"traceEvents\":[" + events + "]" + more + "}"});
  if (!t) UNSCOPED_INFO(t.why().what);
  REQUIRE(t);
  REQUIRE(t->events.size() == 1);
  return t->events[0];
}
std::string why(const std::string& text) {
  const auto t = kineto::read_trace(text_source{text});
  REQUIRE_FALSE(t);
  return t.why().what;
}

}  // namespace

TEST_CASE("microseconds become nanoseconds without passing through a double") {
  const kineto::event e = one(event("kernel", "\"ts\":1682725898237042.123,\"dur\":0.001"));
  CHECK(e.start == 1'682'725'898'237'042'123);
  CHECK(e.length == 1);
  CHECK(one(event("kernel", "\"ts\":1682725898237042,\"dur\":3")).length == 3000);
  CHECK(one(event("kernel", "\"ts\":-2.5,\"dur\":1e1")).start == -2500);
}

TEST_CASE("digits below a nanosecond are rounded and counted") {
  const auto t = read(event("kernel", "\"ts\":1.0004,\"dur\":1.0005"));
  REQUIRE(t);
  CHECK(t->events[0].start == 1000);
  CHECK(t->events[0].length == 1001);
  CHECK(t->rounded == 2);
  CHECK(t.notes().size() == 1);
}

TEST_CASE("a base makes times absolute, wherever it stands in the file") {
  CHECK(one(event("kernel", "\"ts\":4.5,\"dur\":1"), ",\"baseTimeNanoseconds\":1700000000000000000").start ==
        1'700'000'000'000'004'500);
  CHECK_FALSE(read(event("kernel", "\"ts\":4.5,\"dur\":1"), ",\"baseTimeNanoseconds\":9000000000000000000"));
}

TEST_CASE("events are sorted by start and those that start together keep the order of the file") {
  const auto t = read(
      "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"b\",\"ts\":2,\"dur\":0},{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":"
      "\"a\",\"ts\":1,\"dur\":5},"
      "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"c\",\"ts\":2,\"dur\":0}");
  REQUIRE(t);
  REQUIRE(t->events.size() == 3);
  CHECK(t->names[t->events[0].name] == "a");
  CHECK(t->names[t->events[1].name] == "b");
  CHECK(t->names[t->events[2].name] == "c");
}

TEST_CASE("sorting keeps every event and the order of equal starts") {
  mutations random{"x", "x"};
  std::string events;
  for (int i = 0; i < 3000; ++i)
    events +=
        (i == 0 ? "" : ",") + event("kernel", "\"ts\":" + std::to_string(random.draw(200)) +
                                                  ",\"dur\":0,\"args\":{\"correlation\":" + std::to_string(i) + "}");
  const auto t = read(events);
  REQUIRE(t);
  REQUIRE(t->events.size() == 3000);
  std::vector<bool> seen(3000);
  for (std::size_t i = 0; i < 3000; ++i) {
    seen[static_cast<std::size_t>(t->events[i].correlation)] = true;
    if (i == 0) continue;
    REQUIRE(t->events[i - 1].start <= t->events[i].start);
    if (t->events[i - 1].start == t->events[i].start) REQUIRE(t->events[i - 1].correlation < t->events[i].correlation);
  }
  CHECK(std::count(seen.begin(), seen.end(), true) == 3000);
}

TEST_CASE("categories are the same in every spelling") {
  for (const char* c : {"kernel", "Kernel", "KERNEL"})
    CHECK(one(event(c, "\"ts\":1,\"dur\":1")).kind == kineto::category::kernel);
  for (const char* c : {"gpu_memcpy", "Memcpy"})
    CHECK(one(event(c, "\"ts\":1,\"dur\":1")).kind == kineto::category::copy);
  for (const char* c : {"cuda_runtime", "Runtime"})
    CHECK(one(event(c, "\"ts\":1,\"dur\":1")).kind == kineto::category::runtime);
}

TEST_CASE("numbers in quotes, hexadecimal streams and unsigned minus ones are what they mean") {
  const auto e = [](const char* args) {
    return one(event("kernel", std::string{"\"ts\":1,\"dur\":1,\"args\":{"} + args + "}"));
  };
  CHECK(e("\"stream\":\"0x10\",\"correlation\":\"12\"").stream == 16);
  CHECK(e("\"stream\":\"0x10\",\"correlation\":\"12\"").correlation == 12);
  CHECK(e("\"stream\":4294967295,\"correlation\":-1").stream == 7);  // the thread of a device event is its stream
  CHECK(e("\"stream\":4294967295,\"correlation\":4294967295").correlation == -1);
  CHECK(e("\"External id\":6467616768").external == 6'467'616'768);
}

TEST_CASE("a device lane and a host lane of the same integers are two lanes, and words are lanes too") {
  const auto t = read(event("kernel", "\"ts\":1,\"dur\":1") + "," + event("cpu_op", "\"ts\":1,\"dur\":1") +
                      ",{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"x\",\"pid\":\"Spans\",\"tid\":\"PyTorch "
                      "Profiler\",\"ts\":0,\"dur\":9}");
  REQUIRE(t);
  CHECK(t->lanes.size() == 3);
  CHECK(t->events[1].lane != t->events[2].lane);
}

TEST_CASE("the record of a collective is kept as it was written") {
  const auto t = read(
      event("kernel", R"("ts":1,"dur":1,"args":{"dtype":"Float","In msg nelems":6637568,"Collective name":"allreduce",
      "Out msg nelems":6637568,"Group size":2,"Process Group Name":"0","Process Group Ranks":"[0, 1]","Seq":5,"In split size":"[]"})"));
  REQUIRE(t);
  REQUIRE(t->calls.size() == 1);
  const kineto::call_detail& c = t->calls[t->events[0].detail];
  CHECK(t->names[c.name] == "allreduce");
  CHECK(c.in_elements * kineto::element_size(t->names[c.type]) == 26'550'272);
  CHECK(c.group_size == 2);
  CHECK(c.sequence == 5);
  CHECK(t->names[c.group_ranks] == "[0, 1]");
  CHECK(c.target == -1);
}

TEST_CASE("what a synchronisation waits for is kept") {
  const auto t =
      read(event("cuda_sync", R"("ts":1,"dur":1,"args":{"wait_on_stream":20,"wait_on_cuda_event_record_corr_id":77})"));
  REQUIRE(t);
  CHECK(t->waits[t->events[0].detail].stream == 20);
  CHECK(t->waits[t->events[0].detail].recorded_by == 77);
}

TEST_CASE("events that are not kept are counted") {
  const auto t = read(
      "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"args\":{\"name\":\"x\"}},{\"ph\":\"s\",\"id\":1,\"ts\":1},{"
      "\"ph\":\"f\",\"id\":1,\"bp\":\"e\",\"ts\":2},"
      "{\"ph\":\"C\",\"ts\":1,\"args\":{}},{\"ph\":\"i\",\"ts\":1},{\"ph\":\"B\",\"ts\":1}," +
      event("python_function", "\"ts\":1,\"dur\":1"));
  REQUIRE(t);
  CHECK(t->events.empty());
  CHECK(t->skipped.metadata == 1);
  CHECK(t->skipped.flows == 2);
  CHECK(t->skipped.counters == 1);
  CHECK(t->skipped.instants == 1);
  CHECK(t->skipped.unwanted == 1);
  CHECK(t->skipped.other == 1);
  CHECK(t.notes().size() == 1);
}

TEST_CASE("headers are read before or after the events, and a bare list is a trace") {
  const auto t = kineto::read_trace(text_source{
      R"({"deviceProperties":[{"id":0,"name":"NVIDIA H100","numSms":132,"totalGlobalMem":84942979072,"x":[1]}],
      "distributedInfo":{"backend":"nccl","rank":3,"world_size":8,"pg_config":[{"pg_name":"0"}]},"traceEvents":[],"schemaVersion":1})"});
  REQUIRE(t);
  CHECK(t->rank == 3);
  CHECK(t->world == 8);
  REQUIRE(t->devices.size() == 1);
  CHECK(t->devices[0].multiprocessors == 132);
  CHECK(t->devices[0].memory == 84'942'979'072);
  const auto bare = kineto::read_trace(text_source{"[" + event("kernel", "\"ts\":1,\"dur\":1") + "]"});
  REQUIRE(bare);
  CHECK(bare->events.size() == 1);
}

TEST_CASE("broken traces are refused with the byte and the reason") {
  CHECK(why("{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"k\",\"ts\":1}]}").find("without \"dur\"") != std::string::npos);
  CHECK(why("{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"k\",\"dur\":1}]}").find("(byte 16) without \"ts\"") !=
        std::string::npos);
  CHECK(why("{\"traceEvents\":[" + event("kernel", "\"ts\":1,\"dur\":-1") + "]}").find("negative duration") !=
        std::string::npos);
  CHECK(why("{\"traceEvents\":[" + event("kernel", "\"ts\":1e30,\"dur\":1") + "]}").find("64 bits") !=
        std::string::npos);
  CHECK(why("{\"traceEvents\":[" + event("kernel", "\"ts\":\"1\",\"dur\":1") + "]}").find("a time '1'") !=
        std::string::npos);
  CHECK(why("{\"traceEvents\":[" + event("kernel", "\"ts\":NaN,\"dur\":1") + "]}").find("JSON has no NaN") !=
        std::string::npos);
  CHECK(why("{\"traceEvents\":[" + event("kernel", "\"ts\":1,\"dur\":1")).find("the end of the text") !=
        std::string::npos);
  CHECK(why("{\"traceEvents\":[{}]}").find("without \"ph\"") != std::string::npos);
  CHECK(why("{\"traceEvents\":[3]}").find("no object") != std::string::npos);
  CHECK(why("{\"traceEvents\":{}}").find("no list") != std::string::npos);
  CHECK(why("{\"schema\":\"1.0.1\",\"nodes\":[]}").find("execution trace of PyTorch") != std::string::npos);
  CHECK(why("{}").find("found no \"traceEvents\"") != std::string::npos);
  CHECK(why("7").find("found no trace") != std::string::npos);
  CHECK(why("").find("the end of the text") != std::string::npos);
}

TEST_CASE("changed bytes give a trace in order or an error with a place") {
  const std::string seed =
      "{\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":[" +
      event(
          "kernel",
          R"("ts":4.5,"dur":1,"args":{"stream":"0x1","correlation":7,"Collective name":"allreduce","In msg nelems":3})") +
      "," + event("cuda_sync", R"("ts":1,"dur":0,"args":{"wait_on_stream":20})") + "]}";
  mutations damaged{seed, "0123456789\",:{}[]e-."};
  for (int round = 0; round < 20'000; ++round) {
    const auto t = kineto::read_trace(text_source{damaged.next(), 1 + damaged.draw(50)});
    if (!t) {
      CHECK(t.why().what.find("line ") == 0);
      continue;
    }
    for (std::size_t i = 0; i + 1 < t->events.size(); ++i) REQUIRE(t->events[i].start <= t->events[i + 1].start);
  }
}
