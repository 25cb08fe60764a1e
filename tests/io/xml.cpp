// SPDX-License-Identifier: MIT
#include "echosim/io/xml.hpp"

#include <string>

#include "catch.hpp"
#include "mutated.hpp"

using namespace echosim;

TEST_CASE("elements, attributes, comments and entities are read") {
  const auto r = parse_xml(
      "<?xml version=\"1.0\"?>\n<!-- <a> -->\n<a x='1&lt;2' y=\"\">\n text <b/><b z=\"&#x41;&amp;\"><c/></b></a>\n");
  REQUIRE(r);
  CHECK(r->name == "a");
  CHECK(r->line == 3);
  CHECK(*r->find("x") == "1<2");
  CHECK(r->find("y")->empty());
  CHECK(r->find("z") == nullptr);
  REQUIRE(r->children.size() == 2);
  CHECK(*r->children[1].find("z") == "A&");
  CHECK(r->children[1].children[0].name == "c");
}

TEST_CASE("broken documents are refused with line and byte") {
  for (const char* t : {"",
                        "x",
                        "<a",
                        "<a>",
                        "<a></b>",
                        "</a>",
                        "<a/><b/>",
                        "<a/>x",
                        "<a x/>",
                        "<a x=1/>",
                        "<a x=\"1/>",
                        "<a x=\"1\"y=\"2\"/>",
                        "<a x=\"1\" x=\"2\"/>",
                        "<a x=\"&nbsp;\"/>",
                        "<a x=\"&lt\"/>",
                        "<a x=\"<\"/>",
                        "<!-- ",
                        "<!DOCTYPE a []><a/>",
                        "<a><![CDATA[x]]></a>",
                        "<a><b></a></b>",
                        "< a/>",
                        "<a x=\"&#0;\"/>",
                        "<?xml"}) {
    CAPTURE(t);
    const auto r = parse_xml(t);
    REQUIRE_FALSE(r);
    CHECK(r.why().what.find("line ") == 0);
  }
  CHECK(parse_xml("<a>\n\n</b>").why().what.find("line 3") == 0);
}

TEST_CASE("nesting has a limit, pinned from both sides") {
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += "<a>";
    text += "<b/>";
    for (int i = 0; i < depth; ++i) text += "</a>";
    return parse_xml(text);
  };
  CHECK(nested(256));
  CHECK_FALSE(nested(257));
}

TEST_CASE("changed bytes give a document or an error with a line") {
  mutations damaged{"<a x='1&lt;2' y=\"\"><!-- c --><b/><b z=\"&#x41;\"><c/></b></a>", "<>/&;'\"= -!"};
  for (int round = 0; round < 20'000; ++round) {
    const auto r = parse_xml(damaged.next());
    if (!r) CHECK(r.why().what.find("line ") == 0);
  }
}
