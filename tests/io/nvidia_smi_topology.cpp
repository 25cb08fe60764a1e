// SPDX-License-Identifier: MIT
#include "echosim/io/nvidia_smi_topology.hpp"

#include <string>

#include "catch.hpp"
#include "echosim/io/byte_source.hpp"
#include "mutated.hpp"
#include "public_files.hpp"

using namespace echosim;
using nvidia_smi_topology::path;

namespace {
const std::string text =
    "\t\x1b[4mGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n"
    "GPU1\tNV18\t X \tSOC\t0-55\t0\t\tN/A\n"
    "GPU0\t X \tNV18\tPXB\t0-55\t0\t\tN/A\n\n"
    "Legend:\n\n  X    = Self\n  NV#  = Connection traversing a bonded set of # NVLinks\n\n"
    "NIC Legend:\n  NIC0: mlx5_0\n";
std::string why(std::string_view from, std::string_view to) {
  std::string t = text;
  const auto r = nvidia_smi_topology::read_matrix(t.replace(t.find(from), from.size(), to));
  REQUIRE_FALSE(r);
  return r.why().what;
}
}  // namespace

TEST_CASE("colours, rows out of order, old words and legends are read") {
  const auto m = nvidia_smi_topology::read_matrix(text);
  REQUIRE(m);
  CHECK(m->devices == std::vector<std::string>{"GPU0", "GPU1", "NIC0"});
  CHECK(m->joined[0][1] == nvidia_smi_topology::connection{path::nvlink, 18});
  CHECK(m->joined[0][2].by == path::pxb);
  CHECK(m->joined[1][2].by == path::sys);
  CHECK(m->joined[2][0].by == path::none);
  CHECK(m->affinity[0] == "0-55");
  REQUIRE(m->nics.size() == 1);
  CHECK(m->nics[0].second == "mlx5_0");
  CHECK(m.notes().size() == 1);
}

TEST_CASE("a header that a terminal wrapped is one header") {
  const auto m = nvidia_smi_topology::read_matrix(
      "        GPU0\nGPU1    CPU Affinity\nGPU0     X      SYS    0-1\nGPU1    SYS     X      \n");
  REQUIRE(m);
  CHECK(m->devices.size() == 2);
  CHECK(m->affinity[1].empty());
}

TEST_CASE("a matrix that contradicts itself is refused") {
  CHECK(why("NV18\t X ", "NV12\t X ").find("joined by NV#") != std::string::npos);
  CHECK(why("NV18\t X ", "PIX\t X ").find("GPU0 and GPU1 are joined by NV# in one row and by PIX") == 0);
  CHECK(why("GPU1\tNV18\t X ", "GPU7\tNV18\t X ").find("line 2: found the row 'GPU7'") == 0);
  CHECK(why("GPU1\tNV18\t X ", "GPU0\tNV18\t X ").find("without X below its own name") != std::string::npos);
  CHECK(why("\tPXB", "").find("2 connections in the row 'GPU0'; expected 3") != std::string::npos);
  CHECK(why("GPU1\tNIC0", "GPU0\tNIC0").find("twice in the header") != std::string::npos);
  CHECK_FALSE(nvidia_smi_topology::read_matrix(""));
  CHECK_FALSE(nvidia_smi_topology::read_matrix("Thu Jan  1\nGPU0 GPU1\n"));
}

TEST_CASE("changed bytes give a matrix or an error") {
  mutations damaged{text, "\t NVX018\n:"};
  for (int round = 0; round < 10'000; ++round) {
    const auto r = nvidia_smi_topology::read_matrix(damaged.next());
    if (!r) CHECK(r.why().what.find(';') != std::string::npos);
    if (r) REQUIRE(r->joined.size() == r->devices.size());
  }
}

TEST_CASE("a public DGX-1 matrix has six NVLinks on every GPU") {
  const std::string folder = public_folder("nvidia_smi_topo");
  if (folder.empty()) return;
  std::size_t read = 0;
  for (const std::string& file : files_in(folder)) {
    const auto m = nvidia_smi_topology::read_matrix(*read_file(file.c_str()));
    CAPTURE(file);
    REQUIRE(m);
    ++read;
    if (file.find("dgx1") == std::string::npos) continue;
    for (std::size_t g = 0; g < 8; ++g) {
      i64 links = 0;
      for (const auto& c : m->joined[g]) links += c.links;
      CHECK(links == 6);
    }
  }
  CHECK(read == 4);
}
