// SPDX-License-Identifier: MIT
#include "echosim/io/gpt_neox.hpp"

#include "configurations.hpp"
#include "echosim/io/byte_source.hpp"
#include "public_files.hpp"

using namespace echosim;

namespace {
const std::string twenty =
    "{\n  # degrees\n  \"pipe-parallel-size\": 4,\n  \"model-parallel-size\": 2,\n  \"num-layers\": 44,\n  "
    "\"hidden-size\": 6144,\n  \"num-attention-heads\": 64,\n"
    "  \"seq-length\": 2048,\n  \"max-position-embeddings\": 2048,\n  \"pos-emb\": \"rotary\",\n  \"no-weight-tying\": "
    "true,\n  \"gpt-j-residual\": true,\n"
    "  \"zero_optimization\": {\"stage\": 1, \"overlap_comm\": True,},\n  \"train_micro_batch_size_per_gpu\": 4,\n  "
    "\"gradient_accumulation_steps\": 32,\n  \"fp16\": {\"enabled\": true},\n}\n";
}

TEST_CASE("names with dashes and a plan without the number of ranks are read") {
  const json root = tree(twenty);
  REQUIRE(gpt_neox::looks_like_config(root));
  auto s = gpt_neox::read_config(root);
  REQUIRE(s);
  CHECK(s->layers == 44);
  CHECK(s->pp == 4);
  CHECK(s->ffn == 24'576);
  CHECK(s->tied == false);
  CHECK(s->type == dtype::fp16);
  CHECK(s->shards == sharding::optimizer);
  CHECK(s->overlap_gradients == true);
  CHECK(plan_of(*s).why().what.find("the number of ranks") != std::string::npos);
  s->world = 96;
  const auto p = plan_of(*s);
  REQUIRE(p);
  CHECK(p->dp == 12);
  CHECK(p->global_batch == 1536);
}

TEST_CASE("a gated MLP is cut as gpt-neox cuts it") {
  const auto ffn = [](int intermediate) {
    const auto s = gpt_neox::read_config(
        tree("{\"model_parallel_size\": 1, \"num_layers\": 1, \"hidden_size\": 64, \"num_attention_heads\": 1, "
             "\"activation\": \"swiglu\", \"mlp_multiple_of\": 256, \"intermediate_size\": " +
             std::to_string(intermediate) + "}"));
    REQUIRE(s);
    return s->ffn;
  };
  CHECK(ffn(32'768) == 11'008);  // LLaMA 7B
  CHECK(ffn(65'536) == 22'016);  // LLaMA 65B
  CHECK(ffn(86'016) == 28'672);  // Llama 2 70B
}

TEST_CASE("contradictions are refused") {
  CHECK(
      why(gpt_neox::read_config(tree(changed(twenty, "\"num-layers\": 44", "\"num-layers\": 44, \"num_layers\": 43"))))
          .find("with dashes and with underscores") != std::string::npos);
  CHECK(why(gpt_neox::read_config(tree(changed(twenty, "\"stage\": 1", "\"stage\": 4"))))
            .find("'stage' = 4; expected a whole number from 0 to 3") != std::string::npos);
  CHECK(why(gpt_neox::read_config(tree(changed(twenty, "\"hidden-size\": 6144,", "")))).find("'hidden_size'") !=
        std::string::npos);
}

TEST_CASE("public gpt-neox configurations are read") {
  const std::string folder = public_folder("gptneox_yml");
  if (folder.empty()) return;
  for (const std::string& file : files_in(folder)) {
    CAPTURE(file);
    const auto s = gpt_neox::read_config(tree(*read_file(file.c_str())));
    if (!s) UNSCOPED_INFO(s.why().what);
    REQUIRE(s);
    CHECK(s->layers > 0);
  }
}
