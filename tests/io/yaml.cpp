// SPDX-License-Identifier: MIT
#include "echosim/io/yaml.hpp"

#include <string>

#include "catch.hpp"
#include "mutated.hpp"

using namespace echosim;

namespace {
const std::string nemo =
    "defaults:\n  - _self_\n  - optional tp@model: ub  # note\ntrainer:\n  num_nodes: 64\n  max_time: \"06:23:30:00\"\n"
    "model:\n  ffn_hidden_size: ${multiply:4, ${.hidden_size}}  # 4x\n  lr: 1.4e-4\n  kv_channels: null # default\n  "
    "bf16: True\n"
    "  betas:\n  - 0.9\n  - 0.95\n  trace: [nvtx,cuda]\n  empty:\n  nested:\n    - a: 1\n      b: 'it''s'\n    - - 1\n "
    "     - 2\n";
std::string why(std::string_view text) {
  const auto r = parse_yaml(text);
  REQUIRE_FALSE(r);
  return r.why().what;
}
}  // namespace

TEST_CASE("mappings, lists, comments and quotes of a block document are read") {
  const auto r = parse_yaml(nemo);
  if (!r) UNSCOPED_INFO(r.why().what);
  REQUIRE(r);
  CHECK(*r->find("defaults")->items()->at(0).string() == "_self_");
  CHECK(*r->find("defaults")->items()->at(1).find("optional tp@model")->string() == "ub");
  CHECK(r->find("trainer")->find("num_nodes")->integer() == 64);
  CHECK(*r->find("trainer")->find("max_time")->string() == "06:23:30:00");
  const json& m = *r->find("model");
  CHECK(*m.find("ffn_hidden_size")->string() == "${multiply:4, ${.hidden_size}}");
  CHECK(m.find("lr")->real() == 1.4e-4);
  CHECK(m.find("kv_channels")->null());
  CHECK(m.find("bf16")->boolean() == true);
  CHECK(m.find("betas")->items()->at(1).real() == 0.95);
  CHECK(*m.find("trace")->items()->at(1).string() == "cuda");
  CHECK(m.find("empty")->null());
  CHECK(*m.find("nested")->items()->at(0).find("b")->string() == "it's");
  CHECK(m.find("nested")->items()->at(1).items()->at(1).integer() == 2);
  CHECK(m.find("lr")->line == 9);
}

TEST_CASE("brackets may span lines, hold comments, and end in a comma") {
  const auto r = parse_yaml(
      "# GPT\n{\n  # degrees\n  \"pipe-parallel-size\": 4, # four\n  overlap: True,\n  \"a\": [[[\"flash\"], "
      "80]],\n}\n");
  REQUIRE(r);
  CHECK(r->find("pipe-parallel-size")->integer() == 4);
  CHECK(r->find("overlap")->boolean() == true);
  CHECK(r->find("a")->items()->at(0).items()->at(1).integer() == 80);
}

TEST_CASE("a JSON text and its YAML reading are the same") {
  const auto r = parse_yaml("{\"a\": [1, 2.5, null, true, \"x, y\"], \"b\": {}}");
  REQUIRE(r);
  CHECK(r->find("a")->items()->size() == 5);
  CHECK(*r->find("a")->items()->at(4).string() == "x, y");
  CHECK(r->find("b")->members()->empty());
}

TEST_CASE("what is not read is refused by name") {
  CHECK(why("a: &x 1\n").find("anchors, tags and block texts are not read") != std::string::npos);
  CHECK(why("a: |\n  text\n").find("block texts") != std::string::npos);
  CHECK(why("a: 1\na: 2\n").find("the name 'a' twice") != std::string::npos);
  CHECK(why("a: 1\n---\nb: 2\n").find("a second document") != std::string::npos);
  CHECK(why("a: [1, 2\n").find("the end of the text") != std::string::npos);
  CHECK(why("a: \"x\n").find("line 1: found a line end inside quotes") == 0);
  CHECK(why("a:\n  b: 1\n   c: 2\n").find("line 3") == 0);
  CHECK(why("a: 1\n  b: 2\n").find("line 2") == 0);
  CHECK(why("- 1\n - 2\n").find("line 2") == 0);
  CHECK(why("a: {b 1}\n").find("name: value") != std::string::npos);
  CHECK(why("x\ny\n").find("the end of the document") != std::string::npos);
  CHECK(why("a: " + std::string(200, '[') + std::string(200, ']')).find("100 levels") != std::string::npos);
}

TEST_CASE("an empty document is null and a document of comments too") {
  CHECK(parse_yaml("")->null());
  CHECK(parse_yaml("# only\n\n")->null());
  CHECK(parse_yaml("---\na: 1\n")->find("a")->integer() == 1);
}

TEST_CASE("changed bytes give a tree or an error with a line") {
  mutations damaged{nemo, ":-[]{},#'\" \n$"};
  for (int round = 0; round < 20'000; ++round) {
    const auto r = parse_yaml(damaged.next());
    if (!r) CHECK(r.why().what.find("line ") == 0);
  }
}
