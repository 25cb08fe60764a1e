// SPDX-License-Identifier: MIT
#include "echosim/model/flops.hpp"

#include "catch.hpp"
#include "echosim/model/catalog.hpp"

using namespace echosim;

namespace {

constexpr double teraflop = 1e12;
double model_tflop(std::string_view name, i64 sequence, i64 sequences, flop_convention c) {
  return model_flops(find_model(name)->is, sequence, sequences, c).count / teraflop;
}

}  // namespace

// 2·1024²·(3 + 1 + 4 + 4) a token and layer.
static_assert(forward_of(find_model("gpt2-medium")->is, 1, false).projections.count == 24.0 * 1024 * 1024 * 24);

TEST_CASE("on GPT's shape, the formula of Narayanan 2021 counts what the shapes count with full attention") {
  for (const named_model& m : models) {
    if (m.is.gated) continue;
    for (const i64 s : {512, 2048}) {
      INFO(m.name);
      const auto formula = flop_convention::narayanan_2021, shapes = flop_convention::full_attention;
      CHECK(model_flops(m.is, s, 7, formula).count == Approx(model_flops(m.is, s, 7, shapes).count).epsilon(1e-12));
      for (const recompute r : {recompute::none, recompute::selective, recompute::full})
        CHECK(hardware_flops(m.is, s, 7, r, formula).count ==
              Approx(hardware_flops(m.is, s, 7, r, shapes).count).epsilon(1e-12));
    }
  }
}

TEST_CASE("with full recomputation it is 96·B·s·l·h²·(1 + s/6h + V/16lh)") {
  const transformer m = find_model("megatron-145.6b")->is;
  const double B = 2304, s = 2048, l = 80, h = 12288, V = 51200;
  CHECK(hardware_flops(m, 2048, 2304, recompute::full, flop_convention::narayanan_2021).count ==
        Approx(96 * B * s * l * h * h * (1 + s / (6 * h) + V / (16 * l * h))).epsilon(1e-12));
}

TEST_CASE("the causal convention halves attention and nothing else") {
  for (const named_model& m : models) {
    const forward_flops full = forward_of(m.is, 4096, false), half = forward_of(m.is, 4096, true);
    CHECK(full.attention.count == 2 * half.attention.count);
    CHECK(full.projections == half.projections);
    CHECK(full.logits == half.logits);
  }
}

TEST_CASE("6P counts every weight of a GEMM once, and attention never") {
  // Tables that are looked up, norms and biases are no GEMMs; a tied table is one, in the head.
  for (const named_model& m : models) {
    INFO(m.name);
    const i64 weights = (qkv_size(m.is) + query_size(m.is) + up_size(m.is) + m.is.ffn) * m.is.hidden;
    const double shapes = model_flops(m.is, 1, 1, flop_convention::full_attention).count -
                          12.0 * static_cast<double>(m.is.layers * query_size(m.is));
    CHECK(shapes == 6.0 * static_cast<double>(m.is.layers * weights + m.is.vocab * m.is.hidden));
    CHECK(model_flops(m.is, 1, 1, flop_convention::six_p).count >= shapes);
  }
}

TEST_CASE("full recomputation is four thirds of the layers, and the parts are ordered") {
  for (const named_model& m : models)
    for (const flop_convention c : {flop_convention::narayanan_2021, flop_convention::full_attention,
                                    flop_convention::causal_attention, flop_convention::six_p}) {
      const double none = hardware_flops(m.is, 2048, 1, recompute::none, c).count;
      const double some = hardware_flops(m.is, 2048, 1, recompute::selective, c).count;
      const double full = hardware_flops(m.is, 2048, 1, recompute::full, c).count;
      CHECK(none == model_flops(m.is, 2048, 1, c).count);
      CHECK(none <= some);
      CHECK(some <= full);
      CHECK(full <= none * 4 / 3 * (1 + 1e-12));
    }
}

TEST_CASE("FLOPs are linear in sequences") {
  for (const flop_convention c : {flop_convention::narayanan_2021, flop_convention::full_attention,
                                  flop_convention::causal_attention, flop_convention::six_p})
    CHECK(model_tflop("gpt2", 1024, 96, c) == Approx(96 * model_tflop("gpt2", 1024, 1, c)).epsilon(1e-12));
}

TEST_CASE("MaxText's log of Llama-2-7B: 1299.0 and 211.1, in all 1510.1 TFLOP a step") {
  // AI-Hypercomputer/maxtext issue 1988: sequence 8192, 4 sequences; causal attention.
  const forward_flops f = forward_of(find_model("llama-2-7b")->is, 8192, true);
  CHECK(3 * 4 * (f.projections + f.logits).count / teraflop == Approx(1299.0).margin(0.05));
  CHECK(3 * 4 * f.attention.count / teraflop == Approx(211.1).margin(0.05));
  CHECK(model_tflop("llama-2-7b", 8192, 4, flop_convention::causal_attention) == Approx(1510.1).margin(0.05));
  CHECK(3 * 4 * forward_of(find_model("llama-2-7b")->is, 8192, false).attention.count / teraflop ==
        Approx(422.2).margin(0.05));
}

TEST_CASE("a gated MLP of 4h makes 32·b·s·h² a layer where a plain one makes 24") {
  // deepspeedai/Megatron-DeepSpeed issue 283
  transformer m = find_model("gpt2-medium")->is;
  const double h2 = 1024.0 * 1024.0 * static_cast<double>(m.layers);
  CHECK(forward_of(m, 1, false).projections.count == 24 * h2);
  m.gated = true;
  CHECK(forward_of(m, 1, false).projections.count == 32 * h2);
}

TEST_CASE("the throughputs of Narayanan 2021, table 1, follow from its FLOPs and its step times") {
  // 175B-class row: 1008B, batch 3072, 3072 GPUs, 163 TFLOP/s a GPU; eq. 4 gives 84 days for 450B tokens.
  const double per_step =
      hardware_flops(find_model("megatron-1t")->is, 2048, 3072, recompute::full, flop_convention::narayanan_2021).count;
  const double seconds = per_step / (3072 * 163 * teraflop), steps = 450e9 / (2048.0 * 3072.0);
  CHECK(seconds * steps / 86400 == Approx(84).margin(2));
}
