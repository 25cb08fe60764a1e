// SPDX-License-Identifier: MIT
#include "echosim/io/chakra_reader.hpp"

#include <string>

#include "catch.hpp"
#include "echosim/io/chakra_check.hpp"
#include "echosim/io/chakra_write.hpp"
#include "mutated.hpp"
#include "public_files.hpp"

using namespace echosim;
using namespace std::string_literals;

namespace {

chakra::node make(u64 id, chakra::node_type type, std::vector<u64> data = {}) {
  chakra::node n;
  n.id = id, n.type = type, n.name = "n" + std::to_string(id), n.data = std::move(data);
  return n;
}
chakra::node send(u64 id, std::int32_t to, i64 size, bool receives = false) {
  chakra::node n = make(id, receives ? chakra::node_type::receive : chakra::node_type::send);
  n.attributes = {chakra::int32_attribute(receives ? "comm_src" : "comm_dst", to),
                  chakra::integer_attribute("comm_size", size), chakra::int32_attribute("comm_tag", 3)};
  return n;
}
chakra::trace of(std::vector<chakra::node> nodes) {
  chakra::trace t;
  t.version = "0.0.4";
  t.nodes = std::move(nodes);
  return t;
}
std::string why(const chakra::trace& t) {
  const auto r = chakra::read_trace(chakra::bytes_of(t));
  REQUIRE_FALSE(r);
  return r.why().what;
}

}  // namespace

TEST_CASE("every node, dependency and attribute survives writing and reading") {
  chakra::trace t = of(
      {make(0, chakra::node_type::compute), make(300, chakra::node_type::collective, {0}), send(7, 1, 6'236'471'296)});
  t.attributes = {chakra::text_attribute("schema", "symbolic")};
  t.nodes[1].control = {0, 7};
  t.nodes[1].start = 5, t.nodes[1].duration = u64{1} << 40;
  t.nodes[1].has_inputs = true, t.nodes[1].inputs.values = "[1]";
  chakra::attribute list;
  list.name = "involved_dim", list.field = 28, list.text = "\x0a\x02\x01\x00"s, list.doc = "dims";
  chakra::attribute real, fixed, wide;
  real.name = "runtime", real.field = 3, real.bits = 0x3ff0000000000000;
  fixed.name = "f32", fixed.field = 19, fixed.bits = 0xffffffff;
  wide.name = "u64", wide.field = 13, wide.bits = ~u64{0};
  t.nodes[1].attributes = {
      list, real, fixed, wide, chakra::flag_attribute("is_cpu_op", false), chakra::integer_attribute("comm_type", -1)};
  const auto r = chakra::read_trace(chakra::bytes_of(t));
  if (!r) UNSCOPED_INFO(r.why().what);
  REQUIRE(r);
  CHECK(r->version == "0.0.4");
  CHECK(r->nodes == t.nodes);
  CHECK(r->attributes == t.attributes);
  CHECK(r->nodes[1].integer("f32") == 0xffffffff);
  CHECK(r->nodes[1].integer("comm_type") == -1);
  CHECK_FALSE(r->nodes[1].integer("u64"));
  CHECK_FALSE(r->nodes[1].integer("involved_dim"));
  CHECK(r->nodes[2].integer("comm_size") == 6'236'471'296);
  CHECK(r->nodes[1].find("is_cpu_op")->flag() == false);
}

TEST_CASE("dependencies are read packed and one by one, and zeros may be written out") {
  // metadata of no bytes; node {id: 0 written, name a}; node {id 1, data_deps 0 unpacked}; node {id 2, ctrl_deps [0, 1]
  // packed}
  const auto r = chakra::read_trace("\x00\x05\x08\x00\x12\x01\x61\x04\x08\x01\x28\x00\x06\x08\x02\x22\x02\x00\x01"s);
  REQUIRE(r);
  REQUIRE(r->nodes.size() == 3);
  CHECK(r->nodes[0].id == 0);
  CHECK(r->nodes[1].data == std::vector<u64>{0});
  CHECK(r->nodes[2].control == std::vector<u64>{0, 1});
}

TEST_CASE("fields of a later schema are passed over and counted") {
  std::string bytes = chakra::bytes_of(of({make(1, chakra::node_type::compute)}));
  std::string node;
  protobuf::append(node, 1, u64{2});
  protobuf::append(node, 11, std::string_view{"storage"});
  protobuf::append_varint(bytes, node.size());
  const auto r = chakra::read_trace(bytes + node);
  REQUIRE(r);
  CHECK(r->nodes.size() == 2);
  CHECK(r->unknown_fields == 1);
  CHECK(r.notes().size() == 2);  // and no communication
}

TEST_CASE("a value in another wire type than its field's is a broken node") {
  std::string attribute, node, file;
  protobuf::append(attribute, 1, std::string_view{"comm_size"});
  protobuf::append(attribute, 9, std::string_view{"8"});
  protobuf::append(node, 10, std::string_view{attribute});
  protobuf::append_varint(file, 0);
  protobuf::append_varint(file, node.size());
  CHECK(chakra::read_trace(file + node).why().what.find("a broken node (the 1. of the file)") != std::string::npos);
}

TEST_CASE("broken files are refused with the byte and the reason") {
  const std::string good = chakra::bytes_of(of({make(1, chakra::node_type::collective)}));
  CHECK(chakra::read_trace(good));
  for (std::size_t cut = 1; cut < good.size(); ++cut)
    if (cut != 8) CHECK_FALSE(chakra::read_trace(good.substr(0, cut)));  // 8: the metadata alone is a trace of no nodes
  CHECK(chakra::read_trace(good.substr(0, 8)).notes().size() == 1);
  CHECK(chakra::read_trace("").why().what.find("an empty file") != std::string::npos);
  CHECK(chakra::read_trace("{\"schema\": 1}").why().what.find("byte 0: found a message of 123 bytes") == 0);
  CHECK(chakra::read_trace(std::string(12, '\xff')).why().what.find("no length") != std::string::npos);
  CHECK(why(of({make(1, chakra::node_type::compute), make(1, chakra::node_type::compute)}))
            .find("node id 1 is given to two nodes") == 0);
  CHECK(why(of({make(1, chakra::node_type::compute, {9})})).find("depends on node 9, which the file does not hold") !=
        std::string::npos);
}

TEST_CASE("a circle of dependencies is named") {
  CHECK(chakra::cycle_of(of({make(0, chakra::node_type::compute, {1}), make(1, chakra::node_type::compute)})).empty());
  CHECK(chakra::cycle_of(of({make(0, chakra::node_type::compute, {0})})) == std::vector<u64>{0});
  const auto c =
      chakra::check({of({make(0, chakra::node_type::compute), make(5, chakra::node_type::compute, {7}),
                         make(6, chakra::node_type::compute, {5}), make(7, chakra::node_type::compute, {6, 0})})});
  REQUIRE_FALSE(c);
  CHECK(c.why().what.find("rank 0: nodes depend on each other in a circle (") == 0);
}

TEST_CASE("sends and receives must pair up by tag and size") {
  CHECK(chakra::check({of({send(0, 1, 8)}), of({send(0, 0, 8, true)})}));
  CHECK(chakra::check({of({send(0, 1, 8)}), of({})})
            .why()
            .what.find("rank 0 to 1, tag 3, 8 bytes: 1 sends without a receive") == 0);
  CHECK(chakra::check({of({send(0, 1, 8)}), of({send(0, 0, 9, true)})}).why().what.find("without") !=
        std::string::npos);
  CHECK(chakra::check({of({send(0, 2, 8)}), of({})}).why().what.find("names rank 2 of 2") != std::string::npos);
}

TEST_CASE("all ranks make the same collectives of the world") {
  chakra::node a = make(0, chakra::node_type::collective), b = a;
  a.attributes = {chakra::integer_attribute("comm_size", 8)};
  b.attributes = {chakra::integer_attribute("comm_size", 9)};
  CHECK(chakra::check({of({a}), of({a})})->collectives == 2);
  CHECK(chakra::check({of({a}), of({b})})
            .why()
            .what.find("ALL_REDUCE of 8 bytes over the world: rank 0 makes 1 and rank 1 makes 0") == 0);
  CHECK_FALSE(chakra::check({of({a}), of({})}));
  a.attributes.push_back(chakra::integer_attribute("comm_type", 10));
  CHECK(chakra::check({of({a})}).why().what.find("comm_type 10; 0 to 9") != std::string::npos);
}

TEST_CASE("changed bytes give a trace that can be written again, or an error") {
  const std::string seed = chakra::bytes_of(
      of({make(0, chakra::node_type::compute), make(1, chakra::node_type::collective, {0}), send(7, 1, 1 << 20)}));
  mutations damaged{seed, "\x08\x12\x0a\x01\x02"};
  for (int round = 0; round < 20'000; ++round) {
    const auto t = chakra::read_trace(damaged.next());
    if (!t) continue;
    const auto again = chakra::read_trace(chakra::bytes_of(*t));
    REQUIRE(again);
    CHECK(again->nodes == t->nodes);
    (void)chakra::cycle_of(*t);
  }
}

TEST_CASE("public traces are read, pair up, and come out byte for byte") {
  const std::string folder = public_folder("chakra_et");
  if (folder.empty()) return;
  std::vector<chakra::trace> ring, gather;
  for (const std::string& file : files_in(folder)) {
    if (file.substr(file.size() - 3) != ".et") continue;
    CAPTURE(file);
    const auto bytes = read_file(file.c_str());
    REQUIRE(bytes);
    auto t = chakra::read_trace(*bytes);
    REQUIRE(t);
    CHECK(chakra::bytes_of(*t) == *bytes);
    if (file.find("custom_allreduce.") != std::string::npos) ring.push_back(*t);
    if (file.find("all_gather.") != std::string::npos) gather.push_back(*t);
  }
  REQUIRE(ring.size() == 8);
  for (const chakra::trace& t : ring) {
    const chakra::summary s = chakra::summary_of(t);
    CHECK(s.nodes == 35);
    CHECK(s.sends == 14);
    CHECK(s.receives == 14);
    CHECK(s.compute == 7);
    CHECK(s.dependencies == 34);
    for (const chakra::node& n : t.nodes)
      if (n.type == chakra::node_type::send) CHECK(n.integer("comm_size") == 131'072);
  }
  CHECK(chakra::check(ring));
  ring.pop_back();
  CHECK_FALSE(chakra::check(ring));
  CHECK(chakra::check(gather)->collectives == 8);
}
