// SPDX-License-Identifier: MIT
#include "echosim/plan/stages.hpp"

#include <array>

#include "catch.hpp"
#include "echosim/model/catalog.hpp"

using namespace echosim;

namespace {

i64 all_stages(const transformer& m, const plan& p) {
  i64 sum = 0;
  for (u32 s = 0; s != p.pp; ++s) sum += stage_parameters(m, p, s);
  return sum;
}

}  // namespace

TEST_CASE("an even cut gives every chunk the same layers") {
  plan p;
  p.pp = 35, p.vpp = 3;
  const transformer m = find_model("gpt-530b")->is;
  for (u32 s = 0; s != p.pp; ++s) {
    CHECK(stage_layers(m, p, s) == 3);
    for (u32 c = 0; c != p.vpp; ++c) CHECK(layers_of(m, p, s, c) == 1);
  }
}

TEST_CASE("a layout names the layers of each virtual stage in model order") {
  const std::array<u32, 8> layout{1, 2, 3, 4, 5, 6, 7, 8};
  plan p;
  p.pp = 4, p.vpp = 2, p.layout = layout;
  const transformer m = find_model("gpt3-175b")->is;
  CHECK(layers_of(m, p, 0, 0) == 1);
  CHECK(layers_of(m, p, 3, 0) == 4);
  CHECK(layers_of(m, p, 0, 1) == 5);
  CHECK(stage_layers(m, p, 2) == 3 + 7);
}

TEST_CASE("the stages of one tensor-parallel rank hold the padded model; pipelining a tied one adds a table") {
  for (const named_model& n : models) {
    plan p;
    const i64 padding = (padded_vocab(n.is, 1) - n.is.vocab) * n.is.hidden, table = padded_vocab(n.is, 1) * n.is.hidden;
    INFO(n.name);
    CHECK(all_stages(n.is, p) == parameters(n.is) + (n.is.tied ? 1 : 2) * padding);
    p.pp = static_cast<u32>(n.is.layers);
    CHECK(all_stages(n.is, p) == parameters(n.is) + 2 * padding + (n.is.tied ? table - padding : 0));
  }
}

TEST_CASE("embedding and head stand in the first chunk of the first stage and the last of the last") {
  plan p;
  p.pp = 4, p.vpp = 2;
  for (u32 s = 0; s != 4; ++s)
    for (u32 c = 0; c != 2; ++c) {
      CHECK(holds_embedding(s, c) == (s == 0 && c == 0));
      CHECK(holds_head(p, s, c) == (s == 3 && c == 1));
    }
}

TEST_CASE("GPT-175B on tp 8, pp 12 holds 1.82 G parameters a rank, more at the ends") {
  plan p;
  p.tp = 8, p.pp = 12;
  const transformer m = find_model("gpt-175b")->is;
  const i64 middle = 8 * layer_parameters(m, 8);
  CHECK(stage_parameters(m, p, 5) == middle);
  CHECK(stage_parameters(m, p, 0) == middle + 51200 / 8 * 12288 + 2048 * 12288);
  CHECK(stage_parameters(m, p, 11) == middle + 51200 / 8 * 12288 + 2 * 12288);
}
