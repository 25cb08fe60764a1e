// SPDX-License-Identifier: MIT
// Shapes and parameter counts are those that the models' authors publish; the configs are reduced to the members read.
#include "echosim/io/hugging_face.hpp"

#include <string>

#include "catch.hpp"
#include "echosim/model/parameters.hpp"
#include "mutated.hpp"
#include "public_files.hpp"

using namespace echosim;

namespace {

const std::string llama_8b =
    R"({"architectures":["LlamaForCausalLM"],"attention_bias":false,"hidden_size":4096,"intermediate_size":14336,
        "mlp_bias":false,"model_type":"llama","num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":8,
        "max_position_embeddings":131072,"tie_word_embeddings":false,"vocab_size":128256})";

std::string changed(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}
i64 count(std::string_view text) {
  const auto m = hugging_face::read_config(text);
  if (!m) UNSCOPED_INFO(m.why().what);
  REQUIRE(m);
  return parameters(*m);
}
std::string why(std::string_view text) {
  const auto m = hugging_face::read_config(text);
  REQUIRE_FALSE(m);
  return m.why().what;
}

}  // namespace

TEST_CASE("parameters of published models follow from their configs to the unit") {
  CHECK(count(llama_8b) == 8'030'261'248);  // model card of Llama 3.1 8B: 8,030,261,248 in its safetensors index
  CHECK(count(R"({"model_type":"gpt2","n_layer":12,"n_embd":768,"n_head":12,"n_positions":1024,"vocab_size":50257})") ==
        124'439'808);
  CHECK(count(R"({"model_type":"qwen2","hidden_size":3584,"intermediate_size":18944,"num_attention_heads":28,
                  "num_hidden_layers":28,"num_key_value_heads":4,"tie_word_embeddings":false,"vocab_size":152064})") ==
        7'615'616'512);
  CHECK(count(R"({"model_type":"bloom","n_layer":70,"hidden_size":14336,"n_head":112,"vocab_size":250880})") ==
        176'247'271'424);
  CHECK(count(R"({"model_type":"opt","num_hidden_layers":12,"hidden_size":768,"ffn_dim":3072,"num_attention_heads":12,
                  "max_position_embeddings":2048,"vocab_size":50272,"word_embed_proj_dim":768})") == 125'239'296);
  CHECK(count(R"({"model_type":"gpt_neox","num_hidden_layers":44,"hidden_size":6144,"intermediate_size":24576,
                  "num_attention_heads":64,"vocab_size":50432,"tie_word_embeddings":false})") == 20'554'567'680);
  CHECK(
      count(R"({"model_type":"gemma","num_hidden_layers":28,"hidden_size":3072,"intermediate_size":24576,"head_dim":256,
                  "num_attention_heads":16,"num_key_value_heads":16,"vocab_size":256000})") == 8'537'680'896);
}

TEST_CASE("the same model under other names of its members is the same model") {
  const auto a = hugging_face::read_config(llama_8b);
  const auto b = hugging_face::read_config(
      R"({"model_type":"llama","dim":4096,"inter_dim":14336,"n_heads":32,"n_layers":32,"n_kv_heads":8,"vocab_size":128256})");
  REQUIRE(a);
  REQUIRE(b);
  CHECK(*a == *b);
}

TEST_CASE("aliases that disagree are an error that names both") {
  CHECK(why(changed(llama_8b, "{", "{\"dim\":4097,")).find("'hidden_size' and 'dim' with different values") !=
        std::string::npos);
  CHECK(hugging_face::read_config(changed(llama_8b, "{", "{\"dim\":4096,")));
}

TEST_CASE("a head size beside hidden / heads is taken as the file says, with a note") {
  const auto m = hugging_face::read_config(
      R"({"model_type":"qwen3","hidden_size":1024,"intermediate_size":3072,"num_attention_heads":16,"num_hidden_layers":28,
          "num_key_value_heads":8,"head_dim":128,"tie_word_embeddings":true,"vocab_size":151936})");
  REQUIRE(m);
  CHECK(query_size(*m) == 2048);
  CHECK(m->tied);
  REQUIRE(m.notes().size() == 2);
  CHECK(m.notes()[1].find("16 heads of 128 make 2048 columns, not the hidden size 1024") != std::string::npos);
}

TEST_CASE("the decoder of a multimodal model is found in text_config") {
  const auto m = hugging_face::read_config("{\"model_type\":\"vlm\",\"text_config\":" + llama_8b + "}");
  REQUIRE(m);
  CHECK(m->layers == 32);
  CHECK(m.notes().size() == 1);
}

TEST_CASE("what a dense decoder is not is refused by its feature") {
  CHECK(why(changed(llama_8b, "{", "{\"num_local_experts\":8,"))
            .find("'llama' has a mixture of experts (num_local_experts = 8)") == 0);
  CHECK(hugging_face::read_config(changed(llama_8b, "{", "{\"num_local_experts\":1,")));
  CHECK(why(R"({"model_type":"deepseek_v3","n_routed_experts":256,"kv_lora_rank":512})")
            .find("experts (n_routed_experts = 256) and multi-head latent attention (kv_lora_rank = 512)") !=
        std::string::npos);
  CHECK(why(R"({"n_routed_experts":256,"dim":7168})").find("a model of no stated type has a mixture of experts") == 0);
  CHECK(why(R"({"model_type":"t5","is_encoder_decoder":true})").find("encoder") != std::string::npos);
  CHECK(why(R"({"model_type":"opt","num_hidden_layers":24,"hidden_size":1024,"ffn_dim":4096,"num_attention_heads":16,
                "max_position_embeddings":2048,"vocab_size":50272,"word_embed_proj_dim":512,"do_layer_norm_before":false})")
            .find("pre-norm") != std::string::npos);
}

TEST_CASE("an unknown architecture is named beside the known ones") {
  CHECK(why(R"({"model_type":"rwkv","hidden_size":768})")
            .find("'rwkv' is not among the architectures read here (gpt2, ") == 0);
  CHECK(why(R"({"architectures":["BertModel"]})").find("'BertModel' is not among") == 0);
  CHECK(why("{}").find("add \"model_type\"") != std::string::npos);
  CHECK(hugging_face::read_config(changed(llama_8b, "\"model_type\":\"llama\",", "")));
}

TEST_CASE("a missing or impossible number is an error, not a default") {
  CHECK(why(changed(llama_8b, "\"hidden_size\":4096,", "")).find("found no 'hidden_size' or 'n_embd'") !=
        std::string::npos);
  CHECK(why(changed(llama_8b, "\"intermediate_size\":14336,", "")).find("found no 'intermediate_size'") !=
        std::string::npos);
  CHECK(why(changed(llama_8b, "14336", "-14336"))
            .find("line 1: found 'intermediate_size' = -14336; expected a whole number from 1") == 0);
  CHECK(why(changed(llama_8b, "4096", "4096.5")).find("expected a whole number") != std::string::npos);
  CHECK(why(changed(llama_8b, "4096", "\"4096\"")).find("'hidden_size' = '4096'") != std::string::npos);
  CHECK(why(changed(llama_8b, "4096", "4097")).find("add \"head_dim\"") != std::string::npos);
  CHECK(why(changed(llama_8b, "heads\":8", "heads\":7")).find("must divide") != std::string::npos);
  CHECK(why("[]").find("an object") != std::string::npos);
  CHECK(why("{\"model_type\":7}").find("a string") != std::string::npos);
}

TEST_CASE("a sliding window that is in use is noted") {
  CHECK(hugging_face::read_config(changed(llama_8b, "{", "{\"sliding_window\":4096,")).notes().size() == 1);
  CHECK(hugging_face::read_config(changed(llama_8b, "{", "{\"sliding_window\":null,")).notes().empty());
  CHECK(hugging_face::read_config(changed(llama_8b, "{", "{\"sliding_window\":4096,\"use_sliding_window\":false,"))
            .notes()
            .empty());
}

TEST_CASE("changed bytes give a model within bounds or an error") {
  mutations damaged{llama_8b, "0123456789\",:{}"};
  for (int round = 0; round < 20'000; ++round) {
    const auto m = hugging_face::read_config(damaged.next());
    if (!m) {
      CHECK(m.why().what.find(';') != std::string::npos);
      continue;
    }
    CHECK((m->layers > 0 && m->hidden > 0 && m->ffn > 0 && m->heads % m->kv_heads == 0 && m->head_dim > 0 &&
           m->vocab > 0));
  }
}

TEST_CASE("public configs are read, or refused for what they are") {
  const std::string folder = public_folder("hf_config");
  if (folder.empty()) return;
  unsigned read = 0, refused = 0;
  for (const std::string& file : files_in(folder)) {
    CAPTURE(file);
    const auto text = read_file(file.c_str());
    REQUIRE(text);
    const auto m = hugging_face::read_config(std::string_view{*text});
    ++(m ? read : refused);
    if (!m) CHECK(m.why().what.find(" has a mixture of experts") != std::string::npos);
  }
  CHECK(read == 4);
  CHECK(refused == 14);
}
