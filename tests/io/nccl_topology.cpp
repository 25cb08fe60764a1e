// SPDX-License-Identifier: MIT
#include "echosim/io/nccl_topology.hpp"

#include <string>

#include "catch.hpp"
#include "echosim/io/byte_source.hpp"
#include "mutated.hpp"
#include "public_files.hpp"

using namespace echosim;

namespace {
const std::string node =
    R"(<system version="1"><cpu numaid="-1" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
  <pci busid="0000:0a:00.0" class="0x060400" link_speed="32.0 GT/s PCIe" link_width="16">
    <pci busid="0000:0b:00.0" class="0x030200" link_speed="16 GT/s" link_width="8"><gpu dev="0" sm="90" rank="0" gdr="1">
      <nvlink target="0000:0f:00.0" count="18" tclass="0x068000"/></gpu></pci>
    <pci busid="0000:0c:00.0" class="0x020700" link_speed="32.0 GT/s PCIe" link_width="16"><nic>
      <net name="mlx5_0" dev="0" speed="400000" port="1"/><net name="mlx5_1" dev="1" speed="400000" port="2"/></nic></pci></pci></cpu></system>)";
result<nccl_topology::system> changed(std::string_view from, std::string_view to) {
  std::string text = node;
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return nccl_topology::read_system(text.replace(at, from.size(), to));
}
bool notes(const result<nccl_topology::system>& r, std::string_view text) {
  REQUIRE(r);
  for (const std::string& n : r.notes())
    if (n.find(text) != std::string::npos) return true;
  return false;
}
}  // namespace

TEST_CASE("rates are those that NCCL takes from the file") {
  const auto s = nccl_topology::read_system(node);
  REQUIRE(s);
  CHECK(s.notes().empty());
  REQUIRE(s->gpus.size() == 1);
  CHECK(nvlink_rate(s->gpus[0]) == Approx(370.8));  // 18 links of 20.6 GB/s
  CHECK(s->gpus[0].links[0].to_switch);
  CHECK(s->devices[0].rate == Approx(48));
  CHECK(s->devices[1].rate == Approx(12));
  CHECK(s->devices[1].parent == 0);
  REQUIRE(s->nets.size() == 2);  // a card of two ports
  CHECK(s->nets[1].rate == Approx(50));
  CHECK(s->cpus[0].numa == -1);
}

TEST_CASE("link speeds are matched by prefix, and what does not match falls back with a note") {
  CHECK(nccl_topology::lane_speed("32 GT/s PCIe/s") == 240);
  CHECK(nccl_topology::lane_speed("8 GT/s") == 60);
  CHECK(nccl_topology::lane_speed("64.0 GT/s PCIe") == 480);
  CHECK_FALSE(nccl_topology::lane_speed("32.0 GT/s"));
  CHECK_FALSE(nccl_topology::lane_speed("64 GT/s"));
  CHECK_FALSE(nccl_topology::lane_speed(""));
  const auto s = changed("link_speed=\"16 GT/s\" link_width=\"8\"", "link_speed=\"\" link_width=\"0\"");
  CHECK(notes(
      s, "1 PCI devices have no usable link speed or width, the first 0000:0b:00.0 (link_speed '', link_width 0)"));
  CHECK(s->devices[1].rate == Approx(12));
}

TEST_CASE("what looks wrong and does no harm is noted") {
  CHECK(notes(changed("target=\"0000:0f:00.0\"", "target=\"0000:0b:00.0\""), "lead to the GPU that they start from"));
  CHECK(notes(changed("tclass=\"0x068000\"", "tclass=\"0x030200\""), "not in the tree"));
  CHECK(notes(changed("speed=\"400000\" port=\"1\"", "speed=\"200000000\" port=\"1\""), "speed 200000000 Mb/s"));
  CHECK(notes(changed("speed=\"400000\" port=\"1\"", "port=\"1\""), "12 GB/s"));
  CHECK(notes(
      nccl_topology::read_system(
          "<system><cpu><pci busid=\"1\" class=\"0x030200\" link_speed=\"8 GT/s\" link_width=\"16\"/></cpu></system>"),
      "names no GPU"));
}

TEST_CASE("what leaves links uncertain is refused") {
  CHECK(changed("0000:0c:00.0", "0000:0b:00.0").why().what.find("bus id '0000:0b:00.0' is given to two devices") == 0);
  CHECK(changed("count=\"18\"", "count=\"x\"")
            .why()
            .what.find("line 4, <nvlink>: found count = 'x'; expected a whole number") == 0);
  CHECK_FALSE(changed("count=\"18\"", "count=\"0\""));
  CHECK_FALSE(changed("link_width=\"16\"", "link_width=\"65\""));
  CHECK(nccl_topology::read_system("<graphs/>").why().what.find("<graphs>") != std::string::npos);
  CHECK(nccl_topology::read_system("<algo/>").why().what.find("no <system>") != std::string::npos);
  CHECK_FALSE(nccl_topology::read_system("<system><cpu><gpu dev=\"0\"/></cpu></system>"));
  CHECK_FALSE(nccl_topology::read_system("<system><cpu><pci class=\"0x03\"/></cpu></system>"));
}

TEST_CASE("changed bytes give a topology or an error") {
  mutations damaged{node, "<>/\"= 0x"};
  for (int round = 0; round < 10'000; ++round) {
    const auto r = nccl_topology::read_system(damaged.next());
    if (!r) CHECK(r.why().what.find(';') != std::string::npos);
    if (r)
      for (const nccl_topology::pci& p : r->devices) REQUIRE(p.rate > 0);
  }
}

TEST_CASE("public topologies are read, or refused for their duplicates and kind") {
  const std::string folder = public_folder("nccl_topo_xml");
  if (folder.empty()) return;
  std::size_t read = 0, refused = 0;
  for (const std::string& file : files_in(folder)) {
    const auto r = nccl_topology::read_system(*read_file(file.c_str()));
    ++(r ? read : refused);
    if (file.find("topo_8p_940.xml") == std::string::npos) continue;
    i64 xgmi = 0;
    for (const nccl_topology::gpu& g : r->gpus) xgmi += static_cast<i64>(g.links.size());
    CHECK(xgmi == 8 * 7);
  }
  CHECK(read == 46);
  CHECK(refused == 2);
}
