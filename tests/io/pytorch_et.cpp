// SPDX-License-Identifier: MIT
#include "echosim/io/pytorch_et.hpp"

#include <cstdio>
#include <string>

#include "catch.hpp"
#include "mutated.hpp"
#include "public_files.hpp"

using namespace echosim;

namespace {
const std::string old_schema =
    R"json({"schema": "1.0.1", "pid": 7, "nodes": [{"name": "aten::mm", "id": 12, "rf_id": 4, "parent": 11, "fw_parent": 3, "seq_id": -1, "tid": 1, "op_schema": "mm",
        "inputs": [[5,6,0,4,4,"cuda:0"],"<None>"], "input_shapes": [[2,2],[]], "input_types": ["Tensor(float)","None"]}, {"name": "root", "id": 11, "parent": 11}], "finish_ts": 1})json";
const std::string new_schema =
    R"json({"schema": "1.1.0-chakra.0.0.4", "nodes": [{"id": 221, "name": "aten::view", "ctrl_deps": 220, "inputs": {"values": [[8]], "shapes": [[64],[[]]], "types": ["Tensor(float)"]},
        "attrs": [{"name": "rf_id", "type": "uint64", "value": 7}, {"name": "tid", "type": "uint64", "value": 2}, {"name": "op_schema", "type": "string", "value": "view"}]}]})json";
result<pytorch_et::trace> read(std::string_view text) { return pytorch_et::read_trace(text_source{text, 11}); }
std::string why(std::string_view text) {
  const auto t = read(text);
  REQUIRE_FALSE(t);
  return t.why().what;
}
}  // namespace

TEST_CASE("both schemas give the same fields") {
  const auto a = read(old_schema);
  if (!a) UNSCOPED_INFO(a.why().what);
  REQUIRE(a);
  CHECK(a->schema == "1.0.1");
  CHECK(a->process == 7);
  REQUIRE(a->nodes.size() == 2);
  CHECK(a->nodes[0].parent == 11);
  CHECK(a->nodes[0].forward == 3);
  CHECK(a->nodes[0].sequence == -1);
  CHECK(a->names[a->nodes[0].name] == "aten::mm");
  CHECK(a->names[a->nodes[0].input_shapes] == "[ [ 2 2 ] [ ] ]");
  CHECK(a.notes().empty());
  const auto b = read(new_schema);
  if (!b) UNSCOPED_INFO(b.why().what);
  REQUIRE(b);
  CHECK(b->nodes[0].parent == 220);
  CHECK(b->nodes[0].reference == 7);
  CHECK(b->nodes[0].thread == 2);
  CHECK(b->names[b->nodes[0].schema] == "view");
  CHECK(b.notes().size() == 1);  // its parent is not in the file
}

TEST_CASE("other files are told apart and broken ones refused") {
  CHECK(why("{\"traceEvents\": []}").find("a Kineto trace") != std::string::npos);
  CHECK(why("{\"schema\": \"1\"}").find("found no list \"nodes\"") != std::string::npos);
  CHECK(why("[1]").find("found no object") != std::string::npos);
  CHECK(why("{\"nodes\": [{\"id\": 1}]}").find("without id or name") != std::string::npos);
  CHECK(why("{\"nodes\": [{\"id\": 1, \"name\": \"a\"}, {\"id\": 1, \"name\": \"b\"}]}")
            .find("node id 1 is given to two nodes") == 0);
  CHECK(why("{\"nodes\": [7]}").find("no object") != std::string::npos);
  CHECK(why(old_schema.substr(0, 200)).find("the end of the text") != std::string::npos);
}

TEST_CASE("changed bytes of an execution trace give a trace or an error") {
  for (std::string_view seed : {std::string_view{old_schema}, std::string_view{new_schema}}) {
    mutations damaged{seed, "[]{}\",:0"};
    for (int round = 0; round < 10'000; ++round) {
      const auto t = read(damaged.next());
      if (!t) CHECK(t.why().what.find(';') != std::string::npos);
    }
  }
}

TEST_CASE("public traces are read") {
  const std::string folder = public_folder("pytorch_et");
  if (folder.empty()) return;
  std::size_t read_files = 0, nodes = 0;
  for (const std::string& file : files_in(folder)) {
    if (file.find(".tar.") != std::string::npos) continue;
    std::FILE* pipe = popen(("zcat '" + file + "'").c_str(), "r");
    REQUIRE(pipe != nullptr);
    const auto t = pytorch_et::read_trace(file_source{pipe});
    pclose(pipe);
    CAPTURE(file);
    REQUIRE(t);
    ++read_files;
    nodes += t->nodes.size();
  }
  CHECK(read_files == 3);
  CHECK(nodes > 10'000);
}
