// SPDX-License-Identifier: MIT
#include "echosim/model/layer.hpp"

#include <array>

#include "catch.hpp"
#include "echosim/model/flops.hpp"
#include "recorded.hpp"

using namespace echosim;
using namespace recorded;

namespace {

constexpr counted in_constant_evaluation() {
  counted c;
  layer_forward(small_llama(), shard{512, 1, 2, true, dtype::bf16}, framework{}, c);
  layer_backward(small_llama(), shard{512, 1, 2, true, dtype::bf16}, framework{}, recompute::full, c);
  return c;
}
static_assert(in_constant_evaluation().calls == 4 + 4 + 6);

}  // namespace

TEST_CASE("a layer begins and ends with a kernel, and its last kernel joins") {
  each_case([](const transformer& m, const shard& s, const framework& f) {
    for (const recompute r : {recompute::none, recompute::selective, recompute::full})
      for (const steps& t : {forward(m, s, f), backward(m, s, f, r)}) {
        REQUIRE_FALSE(t.all.front().is_call);
        REQUIRE_FALSE(t.all.back().is_call);
        REQUIRE(t.all.back().joins);
      }
  });
}

TEST_CASE("what consumes the result of a call joins, unless the layer overlaps the two on purpose") {
  each_case([](const transformer& m, const shard& s, const framework& f) {
    for (const steps& t : {forward(m, s, f), backward(m, s, f)})
      for (std::size_t i = 1; i != t.all.size(); ++i) {
        if (!t.all[i - 1].is_call || t.all[i].is_call) continue;
        const std::string_view beside = t.all[i].what.name;
        const bool overlaps = f.overlaps_tp_backward && (beside.ends_with("dgrad") || beside.ends_with("wgrad"));
        REQUIRE((t.all[i].joins || overlaps));
      }
  });
}

TEST_CASE("the operations of all tensor-parallel ranks add up to the layer's, forward") {
  each_case([](const transformer& m, const shard& s, const framework& f) {
    const forward_flops all = forward_of(m, s.sequence, f.attention != attention_backend::unfused);
    const double layer = (all.projections.count + all.attention.count) / static_cast<double>(m.layers);
    REQUIRE(work(forward(m, s, f)).count * s.tp == Approx(layer * static_cast<double>(s.micro_batch)).epsilon(1e-12));
  });
}

TEST_CASE("backward does twice the operations of forward, and a fused core of attention two and a half times") {
  each_case([](const transformer& m, const shard& s, const framework& f) {
    const bool fused = f.attention != attention_backend::unfused;
    const double core = fused ? fused_attention(m, s, f, false).work.count : 0;
    const double expected = 2 * work(forward(m, s, f)).count + core / 2;
    REQUIRE(work(backward(m, s, f)).count == Approx(expected).epsilon(1e-12));
  });
}

TEST_CASE("full recomputation adds exactly the forward pass, before everything else") {
  each_case([](const transformer& m, const shard& s, const framework& f) {
    const steps again = backward(m, s, f, recompute::full), first = forward(m, s, f);
    REQUIRE(again.all.size() >= first.all.size());
    for (std::size_t i = 0; i != first.all.size(); ++i) {
      REQUIRE(again.all[i].what == first.all[i].what);
      REQUIRE(again.all[i].call == first.all[i].call);
    }
    const double none = work(backward(m, s, f)).count;
    REQUIRE(work(again).count == Approx(none + work(first).count).epsilon(1e-12));
  });
}

TEST_CASE("selective recomputation adds the core of attention and no call") {
  each_case([](const transformer& m, const shard& s, const framework& f) {
    const steps some = backward(m, s, f, recompute::selective), none = backward(m, s, f);
    steps core;
    attention_core_forward(m, s, f, core);
    REQUIRE(some.all.size() == none.all.size() + core.all.size());
    REQUIRE(work(some).count == Approx((work(none) + work(core)).count).epsilon(1e-12));
    REQUIRE(moved(some) == moved(none) + moved(core));
  });
}

TEST_CASE("the calls of a layer are those of Shoeybi 2019 and, with sequence parallelism, of Korthikanti 2022") {
  const transformer m = small_gpt();
  const framework f;
  const auto counts = [](const steps& t) {
    return std::array{calls(t, call::all_reduce), calls(t, call::all_gather), calls(t, call::reduce_scatter)};
  };
  for (const bool sp : {false, true}) {
    const shard one{2048, 1, 1, sp, dtype::bf16}, cut{2048, 1, 8, sp, dtype::bf16};
    CHECK(counts(forward(m, one, f)) == std::array{0, 0, 0});
    CHECK(counts(backward(m, one, f)) == std::array{0, 0, 0});
    CHECK(counts(forward(m, cut, f)) == (sp ? std::array{0, 2, 2} : std::array{2, 0, 0}));
    CHECK(counts(backward(m, cut, f)) == (sp ? std::array{0, 4, 2} : std::array{2, 0, 0}));
    for (const step& s : forward(m, cut, f).all)
      if (s.is_call) CHECK(s.call == operation{s.call.kind, {2048 * 1024 * 2}, dimension::tp});
  }
}

TEST_CASE("the input gradient is reduced beside the weight gradient, or before it when nothing overlaps") {
  const transformer m = small_gpt();
  const shard s{2048, 1, 4, false, dtype::bf16};
  framework f;
  steps t = backward(m, s, f);
  std::size_t w = position(t, "mlp up wgrad");
  CHECK(t.all[w - 1].is_call);
  CHECK_FALSE(t.all[w].joins);

  f.overlaps_tp_backward = false;
  t = backward(m, s, f);
  w = position(t, "mlp up wgrad");
  CHECK(t.all[w - 1].joins);
  CHECK_FALSE(t.all[w - 1].is_call);
}

TEST_CASE("every kernel pays the host's time, a wait for a call does not") {
  each_case([](const transformer& m, const shard& s, const framework& f) {
    for (const steps& t : {forward(m, s, f), backward(m, s, f)})
      for (const step& x : t.all)
        if (!x.is_call) REQUIRE(x.what.issue == (x.what.kind == kernel_kind::host ? duration{} : f.kernel_issue));
  });
}

TEST_CASE("backward kernels say so, forward kernels do not") {
  const steps f = forward(small_gpt(), shard{}, framework{}), b = backward(small_gpt(), shard{}, framework{});
  for (const step& x : f.all) CHECK_FALSE(x.what.backward);
  for (const step& x : b.all) CHECK(x.what.backward);
}

TEST_CASE("a fp32 layer without dropout moves twice the bytes of a 16-bit one") {
  framework f;
  f.dropout = f.accumulates_in_fp32 = false;
  shard s{512, 2, 2, true, dtype::bf16};
  for (const transformer& m : {small_gpt(), small_llama()}) {
    s.type = dtype::bf16;
    const bytes half = moved(forward(m, s, f)) + moved(backward(m, s, f));
    s.type = dtype::fp32;
    CHECK(moved(forward(m, s, f)) + moved(backward(m, s, f)) == 2 * half);
  }
}
