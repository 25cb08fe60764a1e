// SPDX-License-Identifier: MIT
#include "echosim/io/astra.hpp"

#include "configurations.hpp"
#include "echosim/io/byte_source.hpp"
#include "public_files.hpp"

using namespace echosim;

namespace {
const std::string net =
    "# two levels\ntopology: [ Switch, Ring ]\nnpus_count: [ 8, 2 ]\nbandwidth: [400, 50.5 ]  # GB/s\nlatency: [ "
    "936.25, 1000 ]\n";
const std::string sys =
    R"({"scheduling-policy": "FIFO", "endpoint-delay": 1, "active-chunks-per-dimension": 2, "preferred-dataset-splits": 4, "all-reduce-implementation": ["ring", "direct4"],
  "collective-optimization": "localBWAware", "local-mem-bw": 3350, "boost-mode": 0, "roofline-enabled": 1, "peak-perf": 700})";
}  // namespace

TEST_CASE("a network is lists of one length") {
  const json root = tree(net);
  REQUIRE(astra::is_network(root));
  const auto n = astra::read_network(root);
  REQUIRE(n);
  REQUIRE(n->size() == 2);
  CHECK((*n)[0].kind == astra::topology::wired_switch);
  CHECK((*n)[0].latency == 936.25);
  CHECK((*n)[1].npus == 2);
  CHECK((*n)[1].bandwidth == 50.5);
  CHECK(why(astra::read_network(tree(changed(net, "[ 8, 2 ]", "[ 8 ]"))))
            .find("found 1 entries of npus_count; expected 2 as in topology") != std::string::npos);
  CHECK(why(astra::read_network(tree(changed(net, "[ 8, 2 ]", "8")))).find("ASTRA-sim reads a bare value as nothing") !=
        std::string::npos);
  CHECK(why(astra::read_network(tree(changed(net, "Ring", "Torus2D")))).find("line 2: found the topology 'Torus2D'") ==
        0);
  CHECK_FALSE(astra::read_network(tree(changed(net, "[ 8, 2 ]", "[ 8, 1 ]"))));
  CHECK_FALSE(astra::read_network(tree(changed(net, "[400,", "[0,"))));
  CHECK(why(astra::read_network(tree(changed(net, "latency", "delay")))).find("found no 'latency'") !=
        std::string::npos);
}

TEST_CASE("a system is read, and what nobody reads is noted") {
  const auto s = astra::read_system(tree(sys));
  REQUIRE(s);
  CHECK(s->policy == astra::scheduling::fifo);
  CHECK(s->splits == 4);
  CHECK(s->all_reduce == std::vector<std::string>{"ring", "direct4"});
  CHECK(s->local_bandwidth_aware);
  CHECK(s->peak == 700);
  REQUIRE(s.notes().size() == 1);
  CHECK(s.notes()[0] == "'boost-mode' is not read");
}

TEST_CASE("what ASTRA-sim would crash on or ignore is refused") {
  CHECK(
      why(astra::read_system(tree(changed(sys, "\"preferred-dataset-splits\": 4", "\"preferred-dataset-splits\": 0"))))
          .find("from 1 to") != std::string::npos);
  CHECK(why(astra::read_system(tree(changed(sys, "\"preferred-dataset-splits\": 4, ", ""))))
            .find("found no 'preferred-dataset-splits'") != std::string::npos);
  CHECK(why(astra::read_system(tree(changed(sys, "direct4", "directly"))))
            .find("'directly' in all-reduce-implementation") != std::string::npos);
  CHECK(why(astra::read_system(tree(changed(sys, "FIFO", "RANDOM")))).find("'RANDOM'") != std::string::npos);
}

TEST_CASE("groups and dimensions are numbers") {
  CHECK(astra::read_groups(tree("{\"1\": [0, 1], \"2\": [2, 3]}"))->at(2) == std::vector<i64>{2, 3});
  CHECK_FALSE(astra::read_groups(tree("{\"0\": [0, 1]}")));
  CHECK_FALSE(astra::read_groups(tree("{\"1\": [0, 0]}")));
  CHECK_FALSE(astra::read_groups(tree("{\"1\": []}")));
  CHECK_FALSE(astra::read_groups(tree("[1]")));
  CHECK(*astra::read_dimensions(tree("{\"logical-dims\": [\"8\", \"2\"]}")) == std::vector<i64>{8, 2});
  CHECK_FALSE(astra::read_dimensions(tree("{\"logical-dims\": [\"x\"]}")));
}

TEST_CASE("public ASTRA-sim inputs are read") {
  const std::string folder = public_folder("astra_system_network");
  if (folder.empty()) return;
  for (const std::string& file : files_in(folder)) {
    CAPTURE(file);
    const json root = tree(*read_file(file.c_str()));
    if (astra::is_network(root))
      CHECK(static_cast<bool>(astra::read_network(root)) ==
            (file.find("dgx_v100_8gpu") == std::string::npos));  // that one says "tbd"
    else if (astra::is_system(root))
      CHECK(astra::read_system(root));
    else
      CHECK(astra::read_dimensions(root));
  }
}
