// SPDX-License-Identifier: MIT
#include "echosim/io/nccl_tests.hpp"

#include <string>

#include "catch.hpp"
#include "echosim/io/byte_source.hpp"
#include "mutated.hpp"
#include "public_files.hpp"

using namespace echosim;

namespace {
const std::string log_text =
    "# nThread 1 nGpus 2 minBytes 8 maxBytes 1024 step: 2(factor) warmup iters: 5 iters: 20 validation: 0 \n"
    "#   Rank  0 Pid 112424 on alpha device  0 [0x00] NVIDIA A100-SXM4-40GB\n"
    "#  Rank  1 Group  0 Pid 112425 on beta device  1 [0x01] NVIDIA A100-SXM4-40GB\n"
    "#                                                     out-of-place                       in-place\n"
    "#       size         count    type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  "
    "#wrong\n"
    "#        (B)    (elements)                     (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n"
    "hostname:3442:3442 [0] NCCL INFO Launch mode Parallel\n"
    "           0             0   float     sum     -1    35.20    0.00    0.00    N/A    34.05    0.00    0.00    "
    "N/A\n"
    "  6467616768    1616904192   float     sum     -1    32334    200.02   200.02  0    32300   200.24   200.24   0\n"
    "# Out of bounds values : 0 OK\n"
    "# Avg bus bandwidth    : 51.3018 \n";
std::string prefixed() {
  std::string out = "[1,0]<stdout>:";
  for (char c : log_text) {
    out += c;
    if (c == '\n') out += "[1,0]<stdout>:";
  }
  return out;
}
}  // namespace

TEST_CASE("the table, the devices and the average are read, with or without MPI's line prefix") {
  for (const std::string& text : {log_text, prefixed()}) {
    const auto l = nccl_tests::read_log(text);
    if (!l) UNSCOPED_INFO(l.why().what);
    REQUIRE(l);
    CHECK(l->iterations == 20);
    REQUIRE(l->devices.size() == 2);
    CHECK(l->devices[1].host == "beta");
    CHECK(l->devices[1].name == "NVIDIA A100-SXM4-40GB");
    REQUIRE(l->rows.size() == 2);
    CHECK(l->rows[0].bytes == 0);
    CHECK_FALSE(l->rows[0].out_of_place.wrong);
    CHECK(l->rows[1].bytes == 6'467'616'768);
    CHECK(l->rows[1].out_of_place.microseconds == 32334);
    CHECK(l->rows[1].in_place->busbw == 200.24);
    CHECK(l->rows[1].root == -1);
    CHECK(l->average_busbw == 51.3018);
  }
}

TEST_CASE("the ratio of the bandwidths tells which calls the log can be of") {
  const auto l = nccl_tests::read_log(log_text);
  REQUIRE(l);
  CHECK(nccl_tests::possible_calls(*l, 2) ==
        std::vector<call>{call::all_reduce, call::broadcast, call::reduce, call::send});
  CHECK(nccl_tests::possible_calls(*l, 8) == std::vector<call>{call::broadcast, call::reduce, call::send});
}

TEST_CASE("a row that does not fit the header is refused, and so are logs without a table") {
  std::string text = log_text;
  text.replace(text.find("32334    200.02"), 5, "x    ");
  CHECK(nccl_tests::read_log(text).why().what.find("line 9: found ") == 0);
  text = log_text;
  text.replace(text.find("200.24   0"), 10, "200.24    ");
  CHECK(nccl_tests::read_log(text).why().what.find("found 12 columns; expected 13") != std::string::npos);
  CHECK(nccl_tests::read_log("hello\n").why().what.find("no line '# size count type") != std::string::npos);
  CHECK(nccl_tests::read_log(log_text.substr(0, log_text.find("           0  "))).why().what.find("no row") !=
        std::string::npos);
}

TEST_CASE("a header without bandwidths is no table") {
  CHECK(nccl_tests::read_log("# size count type time error x\n8 2 float\n").why().what.find("no line '# size") !=
        std::string::npos);
}

TEST_CASE("a run with wrong results is noted") {
  std::string text = log_text;
  text.replace(text.find("200.02  0"), 9, "200.02 16");
  CHECK(nccl_tests::read_log(text).notes().size() == 1);
}

TEST_CASE("changed bytes give a log or an error") {
  mutations damaged{log_text, "# \n0.-N/A"};
  for (int round = 0; round < 10'000; ++round) {
    const auto l = nccl_tests::read_log(damaged.next());
    if (!l) CHECK(l.why().what.find(';') != std::string::npos);
    if (l)
      for (const nccl_tests::row& r : l->rows) REQUIRE((r.bytes >= 0 && r.out_of_place.microseconds >= 0));
  }
}

TEST_CASE("public logs have their rows, and their bandwidths are those of their call") {
  const std::string folder = public_folder("nccl_tests_log");
  if (folder.empty()) return;
  std::size_t rows = 0, logs = 0;
  for (const std::string& file : files_in(folder)) {
    const auto l = nccl_tests::read_log(*read_file(file.c_str()));
    if (!l) continue;
    ++logs;
    rows += l->rows.size();
    CAPTURE(file);
    const auto calls = nccl_tests::possible_calls(*l, static_cast<u32>(l->devices.size()));
    const bool gathers = file.find("gather") != std::string::npos || file.find("scatter") != std::string::npos;
    CHECK(std::find(calls.begin(), calls.end(),
                    gathers                                       ? call::all_gather
                    : file.find("broadcast") != std::string::npos ? call::broadcast
                                                                  : call::all_reduce) != calls.end());
  }
  CHECK(logs == 10);
  CHECK(rows == 23 + 25 + 28 + 23 + 28 + 28 + 4 * 34);
}
