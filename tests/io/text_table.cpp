// SPDX-License-Identifier: MIT
#include "echosim/io/text_table.hpp"

#include "catch.hpp"

using namespace echosim;

TEST_CASE("numbers stand to the right, words to the left, and characters of several bytes count once") {
  text_table t{{"<part", "ms"}};
  t.row({"compute", "12.5"}).rule().row({"µ", "3"});
  CHECK(t.text() ==
        "part       ms\n"
        "-------------\n"
        "compute  12.5\n"
        "-------------\n"
        "µ           3\n");
}

TEST_CASE("no line ends in blanks") {
  text_table t{{"<a", "<b"}};
  t.row({"1", ""}).row({"", "long"});
  CHECK(t.text() == "a  b\n-------\n1\n   long\n");
}
