// SPDX-License-Identifier: MIT
// The nanoseconds are those that ASTRA-sim prints (astra-sim/astra-sim commit 518bd513, astra-network-analytical
// 599a047).
#include "echosim/io/astra_run.hpp"

#include <string>

#include "catch.hpp"
#include "echosim/io/byte_source.hpp"
#include "echosim/io/chakra_reader.hpp"
#include "echosim/io/chakra_write.hpp"
#include "public_files.hpp"

using namespace echosim;
using astra::backend;
using astra::topology;
using chakra::node_type;

namespace {

chakra::node call_node(u64 id, i64 type, i64 size, const std::string& group = "") {
  chakra::node n;
  n.id = id, n.name = "call", n.type = node_type::collective;
  n.attributes = {chakra::integer_attribute("comm_type", type), chakra::integer_attribute("comm_size", size)};
  if (!group.empty()) n.attributes.push_back(chakra::text_attribute("pg_name", group));
  return n;
}
std::vector<chakra::trace> everybody(std::size_t npus, const chakra::node& n) {
  chakra::trace t;
  t.nodes = {n};
  return std::vector<chakra::trace>(npus, t);
}
astra::system system_of(const std::string& algorithm, double memory = 1600) {
  astra::system s;
  s.splits = 4;
  s.all_reduce = s.all_gather = s.reduce_scatter = s.all_to_all = {algorithm};
  s.local_memory = memory;
  return s;
}
astra::network one_dimension(topology kind, i64 npus) { return {{kind, npus, 50, 500}}; }

i64 finish(const std::vector<chakra::trace>& traces, const astra::network& net, const astra::system& sys,
           backend b = backend::unaware) {
  const auto r = astra::run(traces, net, sys, {}, b);
  if (!r) UNSCOPED_INFO(r.why().what);
  REQUIRE(r);
  return r->finish;
}
std::string why(const std::vector<chakra::trace>& traces, const astra::network& net, const astra::system& sys,
                backend b = backend::unaware) {
  const auto r = astra::run(traces, net, sys, {}, b);
  REQUIRE_FALSE(r);
  return r.why().what;
}
constexpr i64 MiB = 1 << 20;

}  // namespace

TEST_CASE("ring collectives of 1 MiB take ASTRA-sim's nanoseconds on 4, 8 and 16 NPUs, in both backends") {
  struct row {
    i64 type;
    i64 four, eight, sixteen;
  };
  for (const row r : {row{0, 43'000, 64'440, 99'640},
                      {2, 64'744, 151'016, 323'560},
                      {7, 22'240, 33'080, 50'740},
                      {6, 41'560, 125'480, 391'240}})
    for (const backend b : {backend::unaware, backend::aware}) {
      CHECK(finish(everybody(4, call_node(0, r.type, MiB)), one_dimension(topology::ring, 4), system_of("ring"), b) ==
            r.four);
      CHECK(finish(everybody(8, call_node(0, r.type, MiB)), one_dimension(topology::ring, 8), system_of("ring"), b) ==
            r.eight);
      CHECK(finish(everybody(16, call_node(0, r.type, MiB)), one_dimension(topology::ring, 16), system_of("ring"), b) ==
            r.sixteen);
    }
}

TEST_CASE("a ring all-reduce scales as ASTRA-sim's up to 1024 NPUs") {
  const auto time = [](std::size_t npus, i64 size) {
    return finish(everybody(npus, call_node(0, 0, size)), one_dimension(topology::ring, static_cast<i64>(npus)),
                  system_of("ring"));
  };
  CHECK(time(8, 64 * MiB) == 2'326'112);
  CHECK(time(64, MiB) == 296'896);
  CHECK(time(64, 64 * MiB) == 2'840'836);
  CHECK(time(256, MiB) == 1'079'200);
  CHECK(time(256, 64 * MiB) == 3'651'640);
  CHECK(time(1024, MiB) == 4'206'616);
  CHECK(time(1024, 64 * MiB) == 6'792'760);
}

TEST_CASE("direct and halving-doubling all-reduces take ASTRA-sim's nanoseconds on three topologies") {
  const auto time = [](const char* algorithm, topology t, backend b = backend::unaware) {
    return finish(everybody(8, call_node(0, 0, MiB)), one_dimension(t, 8), system_of(algorithm), b);
  };
  CHECK(time("direct", topology::ring) == 21'240);
  CHECK(time("direct", topology::wired_switch) == 13'240);
  CHECK(time("direct", topology::fully_connected) == 9'240);
  CHECK(time("direct", topology::fully_connected, backend::aware) == 9'240);
  CHECK(time("halvingDoubling", topology::ring) == 63'168);
  CHECK(time("halvingDoubling", topology::wired_switch) == 59'168);
  CHECK(time("halvingDoubling", topology::fully_connected) == 47'168);
  CHECK(time("halvingDoubling", topology::fully_connected, backend::aware) == 47'168);
  CHECK(time("ring", topology::wired_switch) == 92'440);
  CHECK(time("ring", topology::wired_switch, backend::aware) == 126'600);
  CHECK(time("ring", topology::fully_connected) == 64'440);
}

TEST_CASE("compute follows the roofline, or its duration, or takes 1 ns") {
  chakra::node n;
  n.name = "gemm", n.type = node_type::compute;
  n.attributes = {chakra::integer_attribute("num_ops", 1'000'000'000), chakra::integer_attribute("tensor_size", 1'000)};
  chakra::trace t;
  t.nodes = {n};
  astra::system s = system_of("ring", 3350);
  s.peak = 989;
  s.roofline = true;
  const std::vector<chakra::trace> two(2, t);
  CHECK(finish(two, one_dimension(topology::ring, 2), s) == 1'011);  // 1e9 / 989e12
  s.roofline = false;
  CHECK(finish(two, one_dimension(topology::ring, 2), s) == 1);
  t.nodes[0].duration = 7;
  CHECK(finish({t, t}, one_dimension(topology::ring, 2), s) == 7'000);
  t.nodes[0].attributes[1] = chakra::integer_attribute("tensor_size", 0);
  s.roofline = true;
  CHECK(why({t, t}, one_dimension(topology::ring, 2), s).find("ends such a run without a word") != std::string::npos);
}

TEST_CASE("what ASTRA-sim gets wrong without a word is refused by name") {
  const auto net = one_dimension(topology::ring, 2);
  CHECK(why(everybody(2, call_node(0, 5, MiB)), net, system_of("ring")).find("a broadcast of any size takes 1 ns") !=
        std::string::npos);
  std::vector<chakra::trace> missing = everybody(2, call_node(0, 0, MiB));
  missing[1].nodes.clear();
  CHECK(why(missing, net, system_of("ring")).find("NPU 0, node 0 'call' never ends") == 0);
  std::vector<chakra::trace> circle = everybody(2, call_node(0, 0, MiB));
  circle[0].nodes[0].data = circle[1].nodes[0].data = {0};
  CHECK(why(circle, net, system_of("ring")).find("never ends") != std::string::npos);
  astra::system two_chunks = system_of("ring");
  two_chunks.active_chunks = 2;
  CHECK(why(everybody(2, call_node(0, 0, MiB)), net, two_chunks).find("gives bandwidth away") != std::string::npos);
  CHECK(why(everybody(2, call_node(0, 0, MiB)), net, system_of("doubleBinaryTree")).find("'doubleBinaryTree'") !=
        std::string::npos);
  CHECK(why(everybody(3, call_node(0, 0, MiB)), net, system_of("ring")).find("2 NPUs and 3 traces") !=
        std::string::npos);
  CHECK(why(everybody(2, call_node(0, 0, MiB, "4")), net, system_of("ring"))
            .find("process group '4', which the group file does not hold") != std::string::npos);
  CHECK(why(everybody(8, call_node(0, 0, MiB)), one_dimension(topology::wired_switch, 8), system_of("direct"),
            backend::aware)
            .find("links that its messages share") != std::string::npos);
  CHECK(why(everybody(6, call_node(0, 0, MiB)), one_dimension(topology::ring, 6), system_of("halvingDoubling"))
            .find("a power of two") != std::string::npos);
  chakra::node metadata;
  metadata.name = "m", metadata.type = node_type::metadata;
  CHECK(why(everybody(2, metadata), net, system_of("ring")).find("METADATA_NODE") != std::string::npos);
}

TEST_CASE("members that arrive apart are noted") {
  std::vector<chakra::trace> traces = everybody(2, call_node(1, 0, MiB));
  chakra::node n;
  n.name = "gemm", n.type = node_type::compute, n.duration = 5;
  traces[0].nodes[0].data = {0};
  traces[0].nodes.push_back(n);
  const auto r = astra::run(traces, one_dimension(topology::ring, 2), system_of("ring"), {}, backend::unaware);
  REQUIRE(r);
  CHECK(r->apart == 1);
  CHECK(r.notes().size() == 1);
  CHECK(r->npus[0].compute == 5'000);
}

TEST_CASE("the public ring of sends and receives takes ASTRA-sim's nanoseconds") {
  const std::string folder = public_folder("chakra_et");
  if (folder.empty()) return;
  std::vector<chakra::trace> ring;
  for (const std::string& file : files_in(folder))
    if (file.find("custom_allreduce.") != std::string::npos && file.substr(file.size() - 3) == ".et")
      ring.push_back(*chakra::read_trace(*read_file(file.c_str())));
  REQUIRE(ring.size() == 8);
  CHECK(finish(ring, one_dimension(topology::ring, 8), system_of("ring"), backend::aware) == 90'174);
}
