// SPDX-License-Identifier: MIT
#include "echosim/io/simai.hpp"

#include <string>

#include "catch.hpp"
#include "echosim/io/byte_source.hpp"
#include "mutated.hpp"
#include "public_files.hpp"

using namespace echosim;
using simai::call_group;
using simai::call_kind;

namespace {
const std::string two_layers =
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD\tmodel_parallel_NPU_group: 2 ep: 16 pp: 12 all_gpus: 9216 checkpoints: 2 0 1 "
    "checkpoint_initiates: 0 pp_comm 50331648\n"
    "2\n"
    "embedding \t -1\t 10\tALLREDUCE\t6236471296\t20 NONE 0\t 1\tALLGATHER_DP_EP 6467616768\t100\n"
    "mlp 0 1 ALLTOALL_EP 8 1 BROADCAST 16 1 REDUCESCATTER 4 0\n";
std::string changed(std::string_view from, std::string_view to) {
  std::string text = two_layers;
  return text.replace(text.find(from), from.size(), to);
}
std::string why(const std::string& text) {
  const auto w = simai::read_workload(text);
  REQUIRE_FALSE(w);
  return w.why().what;
}
}  // namespace

TEST_CASE("tabs, spaces, suffixes and sizes beyond 32 bits are read") {
  const auto w = simai::read_workload(two_layers);
  REQUIRE(w);
  CHECK(w->tp == 2);
  CHECK(w->pp == 12);
  CHECK(w->gpus == 9216);
  CHECK(w->pp_bytes == 50'331'648);
  CHECK(w->checkpoints == std::vector<i64>{0, 1});
  CHECK_FALSE(w->vpp);
  REQUIRE(w->layers.size() == 2);
  CHECK(w->layers[0].forward.size == 6'236'471'296);
  CHECK(w->layers[0].weight_gradient.call == call_kind::all_gather);
  CHECK(w->layers[0].weight_gradient.over == call_group::data_of_experts);
  CHECK(w->layers[1].forward.over == call_group::expert);
  CHECK(w->layers[1].input_gradient.call == call_kind::broadcast);
  CHECK(w->layers[1].dependency == 0);
}

TEST_CASE("a header that announces another number of layers is refused with both") {
  CHECK(why(changed("\n2\n", "\n839\n")).find("line 2 announces 839 layers and 2 follow") == 0);
  CHECK(why(changed("\n2\n", "\n1\n")).find("announces 1 layers and 2 follow") != std::string::npos);
}

TEST_CASE("what cannot be is refused with its line") {
  CHECK(why(changed("all_gpus: 9216", "all_gpus: 9217")).find("line 1: found all_gpus 9217; expected a multiple of") ==
        0);
  CHECK(why(changed("ALLTOALL_EP", "ALLSCATTER")).find("line 4: found 'ALLSCATTER' in column 4") == 0);
  CHECK(why(changed(" 16 1 REDUCE", " -16 1 REDUCE")).find("'-16' in column 8") != std::string::npos);
  CHECK(why(changed("mlp 0", "mlp 2")).find("depends on layer 2 of 2") != std::string::npos);
  CHECK(why(changed(" 4 0\n", " 4\n")).find("11 columns") != std::string::npos);
  CHECK(why(changed("ep:", "zp:")).find("the key 'zp'") != std::string::npos);
  CHECK(why(changed("checkpoints: 2 0 1", "checkpoints: 9 0 1")).find("fewer indices") != std::string::npos);
  CHECK(why("test\nTP:\n").find("found 'test'; expected a policy word") != std::string::npos);
  CHECK(why("").find("an empty text") != std::string::npos);
  CHECK(why("DATA\nx\n").find("the number of layers alone") != std::string::npos);
}

TEST_CASE("a workload without communication says so") {
  CHECK(simai::read_workload("DATA\n1\nx -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n").notes().size() == 1);
  CHECK(simai::read_workload("MICRO\n1\nx -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 8 1\n").notes().empty());
}

TEST_CASE("changed bytes give a workload or an error") {
  mutations damaged{two_layers, "0123456789\t :\n-"};
  for (int round = 0; round < 20'000; ++round) {
    const auto w = simai::read_workload(damaged.next());
    if (!w) CHECK(w.why().what.find(';') != std::string::npos);
    if (w)
      for (const simai::layer& l : w->layers) REQUIRE((l.forward.size >= 0 && l.update >= 0));
  }
}

TEST_CASE("public workloads are read") {
  const std::string folder = public_folder("simai_workload");
  if (folder.empty()) return;
  std::size_t layers = 0, refused = 0;
  for (const std::string& file : files_in(folder)) {
    const auto w = simai::read_workload(*read_file(file.c_str()));
    w ? layers += w->layers.size() : ++refused;
  }
  CHECK(layers == 1789 + 4 * 19 + 172 + 33 + 12 + 76);
  CHECK(refused == 1);  // a table of bus bandwidths
}
