// SPDX-License-Identifier: MIT
#include "echosim/io/deepspeed.hpp"

#include "configurations.hpp"
#include "echosim/io/byte_source.hpp"
#include "public_files.hpp"

using namespace echosim;

TEST_CASE("batch, format and stage are read") {
  const json root = tree(
      R"({"train_batch_size": 96, "train_micro_batch_size_per_gpu": 8, "gradient_accumulation_steps": 3, "zero_optimization": {"stage": 2, "overlap_comm": false}, "bf16": {"enabled": true}, "fp16": {"enabled": false}})");
  REQUIRE(deepspeed::looks_like_config(root));
  const auto s = deepspeed::read_config(root);
  REQUIRE(s);
  CHECK(s->dp == 4);
  CHECK(s->shards == sharding::gradients);
  CHECK(s->type == dtype::bf16);
  CHECK(s->overlap_gradients == false);
}

TEST_CASE("a batch that is no multiple of its parts is refused with the numbers") {
  CHECK(why(deepspeed::read_config(tree(
                R"({"train_batch_size": 100, "train_micro_batch_size_per_gpu": 8, "gradient_accumulation_steps": 3})")))
            .find("train_batch_size 100 with micro-batch 8 and accumulation 3") == 0);
  CHECK(
      why(deepspeed::read_config(tree("{\"gradient_accumulation_steps\": 3}"))).find("neither train_batch_size nor") !=
      std::string::npos);
  CHECK(why(deepspeed::read_config(tree("{\"train_batch_size\": 8.5}"))).find("a whole number") != std::string::npos);
  CHECK(deepspeed::read_config(tree(R"({"train_batch_size": "auto", "train_micro_batch_size_per_gpu": 2})")));
}

TEST_CASE("public DeepSpeed configurations are read") {
  const std::string folder = public_folder("ds_config");
  if (folder.empty()) return;
  for (const std::string& file : files_in(folder)) {
    CAPTURE(file);
    const auto root = parse_json(*read_file(file.c_str()));
    REQUIRE(root);
    CHECK(deepspeed::looks_like_config(*root));
    CHECK(deepspeed::read_config(*root));
  }
}
