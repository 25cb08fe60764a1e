// SPDX-License-Identifier: MIT
#include "echosim/model/catalog.hpp"

#include <cmath>

#include "catch.hpp"
#include "echosim/model/parameters.hpp"

using namespace echosim;

namespace {

constexpr i64 parameters_of(std::string_view name) {
  const named_model* m = find_model(name);
  return m == nullptr ? -1 : parameters(m->is);
}

struct published {
  std::string_view name;
  i64 parameters;
};

// Counted by Hugging Face from the published weights (the "total" of model.safetensors metadata, or num_parameters()).
constexpr published counted[] = {
    {"gpt2", 124'439'808},
    {"gpt2-medium", 354'823'168},
    {"gpt2-large", 774'030'080},
    {"gpt2-xl", 1'557'611'200},
    {"opt-125m", 125'239'296},
    {"opt-1.3b", 1'315'758'080},
    {"opt-2.7b", 2'651'596'800},
    {"opt-6.7b", 6'658'473'984},
    {"opt-13b", 12'853'473'280},
    {"opt-30b", 29'974'540'288},
    {"bloom-176b", 176'247'271'424},
    {"llama-7b", 6'738'415'616},
    {"llama-13b", 13'015'864'320},
    {"llama-33b", 32'528'943'616},
    {"llama-65b", 65'285'660'672},
    {"llama-2-7b", 6'738'415'616},
    {"llama-2-13b", 13'015'864'320},
    {"llama-2-70b", 68'976'648'192},
    {"llama-3-8b", 8'030'261'248},
    {"llama-3-70b", 70'553'706'496},
    {"llama-3.1-8b", 8'030'261'248},
    {"llama-3.1-70b", 70'553'706'496},
    {"llama-3.1-405b", 405'853'388'800},
    {"llama-3.2-1b", 1'235'814'400},
    {"llama-3.2-3b", 3'212'749'824},
    {"llama-3.3-70b", 70'553'706'496},
    {"mistral-7b", 7'241'732'096},
    {"tinyllama-1.1b", 1'100'048'384},
    {"yi-34b", 34'388'917'248},
    {"qwen2.5-0.5b", 494'032'768},
    {"qwen2.5-1.5b", 1'543'714'304},
    {"qwen2.5-3b", 3'085'938'688},
    {"qwen2.5-7b", 7'615'616'512},
    {"qwen2.5-14b", 14'770'033'664},
    {"qwen2.5-32b", 32'763'876'352},
    {"qwen2.5-72b", 72'706'203'648},
};

// As papers round them.
struct rounded {
  std::string_view name;
  double billions, unit;
};
constexpr rounded in_papers[] = {
    // Brown et al. 2020, table 2.1
    {"gpt3-125m", 0.125, 0.001},
    {"gpt3-350m", 0.35, 0.02},
    {"gpt3-760m", 0.76, 0.01},
    {"gpt3-1.3b", 1.3, 0.1},
    {"gpt3-2.7b", 2.7, 0.1},
    {"gpt3-6.7b", 6.7, 0.1},
    {"gpt3-13b", 13.0, 1},
    {"gpt3-175b", 175, 1},
    // Narayanan et al. 2021, table 1
    {"megatron-1.7b", 1.7, 0.1},
    {"megatron-3.6b", 3.6, 0.1},
    {"megatron-7.5b", 7.5, 0.1},
    {"megatron-18.4b", 18.4, 0.1},
    {"megatron-39.1b", 39.1, 0.1},
    {"megatron-76.1b", 76.1, 0.1},
    {"megatron-145.6b", 145.6, 0.1},
    {"megatron-310.1b", 310.1, 0.1},
    {"megatron-529.6b", 529.6, 0.1},
    {"megatron-1t", 1008.0, 0.1},
    // Korthikanti et al. 2022, table 3; Smith et al. 2022; Zhang et al. 2022; DeepSeek-AI 2024; Young et al. 2024
    {"gpt-22b", 22, 1},
    {"gpt-175b", 175, 1},
    {"gpt-530b", 530, 1},
    {"gpt-1t", 1008, 1},
    {"mt-nlg-530b", 530, 1},
    {"opt-66b", 66, 1},
    {"opt-175b", 175, 1},
    {"deepseek-67b", 67, 1},
    {"yi-6b", 6, 1},
};

}  // namespace

static_assert(parameters_of("gpt2") == 124'439'808);
static_assert(parameters_of("no such model") == -1);

TEST_CASE("parameter counts are those of the published weights, to the unit") {
  for (const published& p : counted) {
    INFO(p.name);
    CHECK(parameters_of(p.name) == p.parameters);
  }
}

TEST_CASE("parameter counts round to those of the papers") {
  for (const rounded& r : in_papers) {
    INFO(r.name << " has " << parameters_of(r.name));
    CHECK(std::abs(static_cast<double>(parameters_of(r.name)) / 1e9 - r.billions) <= 0.51 * r.unit);
  }
}

TEST_CASE("every model of the catalog is held against a published count") {
  for (const named_model& m : models) {
    bool held = false;
    for (const published& p : counted) held = held || p.name == m.name;
    for (const rounded& r : in_papers) held = held || r.name == m.name;
    INFO(m.name);
    CHECK(held);
  }
}

TEST_CASE("the parameter counts of Megatron's models follow the formula of Narayanan 2021, eq. 2") {
  // 12·l·h²·(1 + 13/12h + (V + s)/12lh): all but the final norm's 2h
  for (const named_model& m : models) {
    if (m.name.substr(0, 9) != "megatron-") continue;
    const i64 l = m.is.layers, h = m.is.hidden;
    CHECK(parameters(m.is) == 12 * l * h * h + 13 * l * h + (m.is.vocab + 2048) * h + 2 * h);
  }
}

TEST_CASE("names are unique and found whatever their capitals and dashes") {
  for (const named_model& m : models) CHECK(find_model(m.name) == &m);
  CHECK(find_model("Llama_3.1_70B") == find_model("llama-3.1-70b"));
  CHECK(find_model("GPT-175B") != nullptr);
  CHECK(find_model("") == nullptr);
  CHECK(find_model("llama") == nullptr);
  CHECK(model_names().find("gpt2, gpt2-medium") == 0);
}

TEST_CASE("heads tile the query columns and key/value heads divide the heads") {
  for (const named_model& m : models) {
    INFO(m.name);
    CHECK(query_size(m.is) == m.is.hidden);
    CHECK(m.is.heads % m.is.kv_heads == 0);
    CHECK((m.is.position == positions::learned) == (m.is.max_positions > 0));
    CHECK(m.sequence > 0);
  }
}
