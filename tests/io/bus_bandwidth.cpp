// SPDX-License-Identifier: MIT
#include "echosim/io/bus_bandwidth.hpp"

#include "catch.hpp"

using namespace echosim;

TEST_CASE("sections, keys with a comma and null are read") {
  const auto t = simai::read_bus_bandwidths("test\nTP:\nallreduce,: 300\nEP:\nalltoall,: null\nPP:\nbusbw: 47.5");
  REQUIRE(t);
  REQUIRE(t->size() == 3);
  CHECK((*t)[0].group == "TP");
  CHECK((*t)[0].call == "allreduce");
  CHECK((*t)[0].gbps == 300);
  CHECK_FALSE((*t)[1].gbps);
  CHECK((*t)[2].gbps == 47.5);
}

TEST_CASE("lines that are no bandwidth are refused with their number") {
  CHECK(simai::read_bus_bandwidths("test\nTP:\nallreduce,: fast\n").why().what.find("line 3: found 'fast'") == 0);
  CHECK(simai::read_bus_bandwidths("test\nXP:\n").why().what.find("the section 'XP'") != std::string::npos);
  CHECK_FALSE(simai::read_bus_bandwidths("test\nTP:\nallreduce,: 0\n"));
  CHECK_FALSE(simai::read_bus_bandwidths("allreduce,: 3\n"));
  CHECK_FALSE(simai::read_bus_bandwidths("test\n"));
  CHECK_FALSE(simai::read_bus_bandwidths(""));
  CHECK_FALSE(simai::read_bus_bandwidths("TP:\nx\n"));
}
