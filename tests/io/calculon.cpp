// SPDX-License-Identifier: MIT
#include "echosim/io/calculon.hpp"

#include "configurations.hpp"
#include "echosim/io/byte_source.hpp"
#include "public_files.hpp"

using namespace echosim;

namespace {
const std::string execution =
    R"({"num_procs": 3072, "tensor_par": 4, "pipeline_par": 64, "data_par": 12, "batch_size": 3072, "microbatch_size": 4, "datatype": "float16",
  "activation_recompute": "attn_only", "pipeline_interleaving": 1, "optimizer_sharding": true, "tensor_par_comm_type": "rs_ag", "training": true})";
const std::string machine =
    R"({"matrix": {"float16": {"tflops": 1000, "gflops_efficiency": [[128, 0.95], [0, 0.1]]}}, "vector": {"float16": {"tflops": 120, "gflops_efficiency": [[0, 0.1]]}},
  "mem1": {"GiB": 80, "GBps": 3072, "MB_efficiency": [[100, 0.9], [0, 0.3]]}, "mem2": {"GiB": 512, "GBps": 450, "MB_efficiency": [[0, 0.3]]},
  "networks": [{"bandwidth": 450, "efficiency": 0.65, "size": 8, "latency": 0.00001, "processor_usage": 0.15}]})";
}  // namespace

TEST_CASE("heads that do not add up to the hidden size are taken as the file says, with a note") {
  const auto s = calculon::read_model(tree(
      R"({"hidden": 5140, "feedforward": 20560, "seq_size": 2048, "attn_heads": 40, "attn_size": 128, "num_blocks": 40})"));
  REQUIRE(s);
  CHECK(s->hidden == 5140);
  CHECK(s->head_dim == 128);
  REQUIRE(s.notes().size() == 1);
  CHECK(s.notes()[0].find("40 heads of 128 make 5120 columns, not the hidden size 5140") == 0);
}

TEST_CASE("an execution's degrees multiply to its processors") {
  const auto s = calculon::read_execution(tree(execution));
  REQUIRE(s);
  CHECK(s->recomputes == recompute::selective);
  CHECK(s->sequence_parallel == true);
  CHECK(s->shards == sharding::optimizer);
  CHECK(why(calculon::read_execution(tree(changed(execution, "\"data_par\": 12", "\"data_par\": 11"))))
            .find("multiply to 2816; num_procs 3072 is required") != std::string::npos);
  CHECK(why(calculon::read_execution(tree(changed(execution, "float16", "posit16")))).find("'posit16'") !=
        std::string::npos);
  CHECK(why(calculon::read_execution(tree(changed(execution, "attn_only", "some")))).find("'some'") !=
        std::string::npos);
}

TEST_CASE("a system's tables fall in size and stay within shares") {
  const auto s = calculon::read_system(tree(machine));
  if (!s) UNSCOPED_INFO(s.why().what);
  REQUIRE(s);
  CHECK(s->matrix[0].by_gflops[0].share == 0.95);
  CHECK(s->near.gib == 80);
  CHECK(s->networks[0].size == 8);
  CHECK_FALSE(calculon::read_system(tree(changed(machine, "[128, 0.95]", "[128, 1.95]"))));
  CHECK_FALSE(calculon::read_system(tree(changed(machine, "[[128, 0.95], [0, 0.1]]", "[[0, 0.95], [128, 0.1]]"))));
  CHECK_FALSE(calculon::read_system(tree(changed(machine, "\"bandwidth\": 450", "\"bandwidth\": 0"))));
  CHECK(why(calculon::read_system(tree(changed(machine, "\"GiB\": 80, ", "")))).find("'GiB'") != std::string::npos);
}

TEST_CASE("public Calculon files are read") {
  const std::string folder = public_folder("calculon");
  if (folder.empty()) return;
  for (const std::string& file : files_in(folder)) {
    CAPTURE(file);
    const auto root = parse_json(*read_file(file.c_str()));
    REQUIRE(root);
    if (calculon::is_model(*root))
      CHECK(calculon::read_model(*root));
    else if (calculon::is_execution(*root))
      CHECK(calculon::read_execution(*root));
    else
      CHECK(calculon::read_system(*root));
  }
}
