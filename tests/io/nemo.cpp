// SPDX-License-Identifier: MIT
#include "echosim/io/nemo.hpp"

#include "configurations.hpp"
#include "echosim/io/byte_source.hpp"
#include "echosim/model/parameters.hpp"
#include "public_files.hpp"

using namespace echosim;

namespace {
const std::string gpt =
    "trainer:\n  num_nodes: 64\n  devices: 8\n  precision: bf16\nmodel:\n  micro_batch_size: 2\n  global_batch_size: "
    "2048\n  tensor_model_parallel_size: 2\n"
    "  pipeline_model_parallel_size: 1\n  virtual_pipeline_model_parallel_size: null\n  encoder_seq_length: 2048\n  "
    "max_position_embeddings: 2048\n  num_layers: 44\n"
    "  hidden_size: 6144\n  ffn_hidden_size: ${multiply:4, ${.hidden_size}}\n  num_attention_heads: 48\n  kv_channels: "
    "null\n  sequence_parallel: True\n"
    "  activations_checkpoint_granularity: selective\n  optim:\n    name: mcore_distributed_optim\n    "
    "overlap_grad_sync: True\n";
}

TEST_CASE("expressions over siblings and sections come to numbers") {
  const json root = tree(gpt);
  REQUIRE(nemo::looks_like_config(root));
  auto s = nemo::read_config(root);
  REQUIRE(s);
  CHECK(s->ffn == 24'576);
  CHECK(s->shards == sharding::optimizer);
  CHECK(s->recomputes == recompute::selective);
  CHECK(model_of(*s).why().what.find("does not state the vocabulary") != std::string::npos);
  s->vocab = 50'257;
  CHECK(parameters(*model_of(*s)) ==
        44 * (12 * i64{6144} * 6144 + 13 * 6144) + (50'257 + 2'048) * i64{6144} + 2 * 6144);
  const auto p = plan_of(*s);
  REQUIRE(p);
  CHECK(p->dp == 256);
  CHECK(p->sequence_parallel);
  CHECK(nemo::read_config(
            tree(changed(gpt, "${multiply:4, ${.hidden_size}}", "${multiply:2,2,${training.model.hidden_size}}")))
            ->ffn == 24'576);
}

TEST_CASE("expressions that come to nothing are refused where a number is needed") {
  CHECK(why(nemo::read_config(tree(changed(gpt, "${multiply:4, ${.hidden_size}}", "${multiply:4, ${.width}}"))))
            .find("'ffn_hidden_size' = '${multiply:4, ${.width}}'") != std::string::npos);
  CHECK_FALSE(nemo::read_config(tree(changed(gpt, "${multiply:4, ${.hidden_size}}", "${.ffn_hidden_size}"))));
  CHECK_FALSE(nemo::read_config(tree(changed(gpt, "${multiply:4, ${.hidden_size}}", "${multiply:99999999,99999999}"))));
  CHECK(why(nemo::read_config(tree(changed(gpt, "  num_layers: 44\n", "")))).find("found no 'num_layers'") !=
        std::string::npos);
  CHECK(why(nemo::read_config(tree("a: 1\n"))).find("no section trainer") != std::string::npos);
}

TEST_CASE("public NeMo configurations are read") {
  const std::string folder = public_folder("nemo_yaml");
  if (folder.empty()) return;
  for (const std::string& file : files_in(folder)) {
    CAPTURE(file);
    auto s = nemo::read_config(tree(*read_file(file.c_str())));
    REQUIRE(s);
    s->vocab = 128'256;
    if (file.find("mixtral") != std::string::npos) CHECK_FALSE(model_of(*s));
    if (file.find("llama3_8b") != std::string::npos) CHECK(parameters(*model_of(*s)) == 8'030'261'248);
    CHECK(static_cast<bool>(plan_of(*s)) == (s->cp.value_or(1) == 1 && s->ep.value_or(1) == 1));
  }
}
