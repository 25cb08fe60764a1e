// SPDX-License-Identifier: MIT
#include "echosim/io/csv.hpp"

#include <string>

#include "catch.hpp"
#include "mutated.hpp"

using namespace echosim;

TEST_CASE("quotes, embedded line breaks, CRLF and a byte order mark are read as RFC 4180 says") {
  const auto t = parse_csv(
      "\xEF\xBB\xBF"
      "a,b,\"c d\"\r\n1,\"x,\"\"y\"\"\r\nz\",3\r\n\r\n,,\r\n4,5,6");
  REQUIRE(t);
  CHECK(t->header == std::vector<std::string>{"a", "b", "c d"});
  REQUIRE(t->rows.size() == 3);
  CHECK(t->rows[0].fields == std::vector<std::string>{"1", "x,\"y\"\r\nz", "3"});
  CHECK(t->rows[1].fields == std::vector<std::string>{"", "", ""});
  CHECK(t->rows[2].fields == std::vector<std::string>{"4", "5", "6"});
  CHECK(t->rows[2].line == 6);
}

TEST_CASE("a row of another length than the header is refused with both numbers") {
  const auto t = parse_csv("a,b\n1,2\n3\n");
  REQUIRE_FALSE(t);
  CHECK(t.why().what.find("line 3: found 1 fields; expected 2") == 0);
  CHECK_FALSE(parse_csv("a,b\n1,2,\n"));
}

TEST_CASE("broken quotes are refused where they break") {
  CHECK(parse_csv("a\n\"x").why().what.find("line 2: found the end of the text") == 0);
  CHECK(parse_csv("a\n\"x\"y\n").why().what.find("after a closing quote") != std::string::npos);
  CHECK(parse_csv("a\nx\"y\n").why().what.find("inside a bare field") != std::string::npos);
  CHECK_FALSE(parse_csv(""));
  CHECK_FALSE(parse_csv("\n \n"));
}

TEST_CASE("columns are found by name and a missing one is an error that lists the others") {
  const auto t = parse_csv("size, time \n1,2\n");
  REQUIRE(t);
  CHECK(t->column("time") == 1);
  CHECK_FALSE(t->column("busbw"));
  CHECK(t->required("busbw").why().what.find("no column 'busbw' among 'size', 'time'") != std::string::npos);
}

TEST_CASE("numeric fields are whole, finite and 64-bit, or an error that names line and column") {
  const auto t = parse_csv("n,x\n6467616768, 2.5\n1.5,inf\nNone,1e999\n,2x\n1e3,-0.5\n");
  REQUIRE(t);
  CHECK(*t->integer(0, 0) == 6'467'616'768);
  CHECK(*t->real(0, 1) == 2.5);
  CHECK(t->integer(1, 0).why().what.find("line 3, column 'n': found '1.5'; expected a whole number") == 0);
  CHECK_FALSE(t->real(1, 1));
  CHECK_FALSE(t->integer(2, 0));
  CHECK_FALSE(t->real(2, 1));
  CHECK_FALSE(t->integer(3, 0));
  CHECK_FALSE(t->real(3, 1));
  CHECK(*t->integer(4, 0) == 1000);
  CHECK(t->given(0, 0) == std::optional<std::string_view>{"6467616768"});
  CHECK_FALSE(t->given(2, 0));
  CHECK_FALSE(t->given(3, 0));
}

TEST_CASE("comments and leading lines are passed over when the style says so") {
  csv_style style;
  style.comment = '#';
  style.skipped_lines = 1;
  const auto t = parse_csv("[rank0 ~ rank127]\n# note, with, commas\na,b\n\n  # more\n1,2\n", style);
  REQUIRE(t);
  CHECK(t->rows.size() == 1);
  CHECK(t->rows[0].line == 6);
}

TEST_CASE("changed bytes give a table or an error with a line") {
  mutations damaged{"a,\"b\"\"\",c\r\n1,\"x\ny\",3\n# z\n,,\n", ",\"\n\r#"};
  csv_style style;
  style.comment = '#';
  for (int round = 0; round < 20'000; ++round) {
    const std::string text = damaged.next();
    const auto t = parse_csv(text, style);
    if (!t) {
      CHECK(t.why().what.find("line ") == 0);
      continue;
    }
    for (const csv_row& r : t->rows) REQUIRE(r.fields.size() == t->header.size());
  }
}
