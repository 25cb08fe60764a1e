// SPDX-License-Identifier: MIT
#include "echosim/model/linear.hpp"

#include "catch.hpp"
#include "recorded.hpp"

using namespace echosim;
using namespace recorded;

namespace {

constexpr linear_names names{"y", "y dgrad", "y wgrad"};
constexpr i64 in = 1024, out = 4096;

steps column_backward(const shard& s, const framework& f, bool bias = false) {
  steps t;
  column_parallel_backward(t, names, in, out, bias, s, f);
  return t;
}
const kernel& named(const steps& t, std::string_view name) { return t.all[position(t, name)].what; }

}  // namespace

TEST_CASE("the three GEMMs of a linear layer have the shapes and layouts that cuBLAS sees") {
  const shard s{512, 2, 4, false, dtype::bf16};
  steps f;
  column_parallel_forward(f, names, in, out, s, framework{});
  const kernel y = named(f, "y"), dx = named(column_backward(s, framework{}), "y dgrad"),
               dw = named(column_backward(s, framework{}), "y wgrad");
  CHECK((y.m == 1024 && y.n == out / 4 && y.k == in && y.layout == gemm_layout::tn));
  CHECK((dx.m == 1024 && dx.n == in && dx.k == out / 4 && dx.layout == gemm_layout::nn));
  CHECK((dw.m == out / 4 && dw.n == in && dw.k == 1024 && dw.layout == gemm_layout::nt));
  CHECK(y.work == dx.work);
  CHECK(y.work == dw.work);
}

TEST_CASE("a row-parallel layer is cut over its input") {
  const shard s{512, 2, 4, false, dtype::bf16};
  steps f, b;
  row_parallel_forward(f, names, out, in, s, framework{});
  row_parallel_backward(b, names, out, in, s, framework{});
  CHECK((named(f, "y").n == in && named(f, "y").k == out / 4));
  CHECK((named(b, "y dgrad").n == out / 4 && named(b, "y dgrad").k == in));
  CHECK((named(b, "y wgrad").m == in && named(b, "y wgrad").n == out / 4));
}

TEST_CASE("fp32 accumulation reads and writes 4 bytes a weight in the GEMM, or in a kernel after it") {
  const shard s{512, 2, 1, false, dtype::bf16};
  framework fused, apart, half;
  apart.fused_accumulation = false;
  half.accumulates_in_fp32 = false;
  const i64 weights = in * out, operands = (1024 * out + 1024 * in) * 2;
  CHECK(named(column_backward(s, half), "y wgrad").moved.count == operands + 2 * weights);
  CHECK(named(column_backward(s, fused), "y wgrad").moved.count == operands + 8 * weights);
  const steps t = column_backward(s, apart);
  CHECK(named(t, "y wgrad").moved.count == operands + 2 * weights);
  CHECK(moved_by(t, "gradient accumulation").count == (8 + 2) * weights);
  CHECK(kernels(column_backward(s, half), "gradient accumulation") == 0);
}

TEST_CASE("with sequence parallelism the saved input is gathered beside dgrad, the gradient scattered beside wgrad") {
  const shard s{512, 2, 4, true, dtype::bf16};
  const steps t = column_backward(s, framework{});
  REQUIRE(t.all.size() == 5);
  CHECK(t.all[0].call == operation{call::all_gather, {1024 * in * 2}, dimension::tp});
  CHECK((t.all[1].what.name == std::string_view{"y dgrad"} && !t.all[1].joins));
  CHECK((t.all[2].what.kind == kernel_kind::host && t.all[2].joins));
  CHECK(t.all[3].call == operation{call::reduce_scatter, {1024 * in * 2}, dimension::tp});
  CHECK((t.all[4].what.name == std::string_view{"y wgrad"} && !t.all[4].joins));
}

TEST_CASE("without overlap each step of the backward pass waits for the call before it") {
  framework f;
  f.overlaps_tp_backward = false;
  for (const bool sp : {false, true}) {
    const steps t = column_backward(shard{512, 2, 4, sp, dtype::bf16}, f);
    for (std::size_t i = 1; i != t.all.size(); ++i)
      if (t.all[i - 1].is_call) CHECK(t.all[i].joins);
  }
}

TEST_CASE("a bias costs one pass over the gradient of the output") {
  const shard s{512, 2, 4, false, dtype::bf16};
  CHECK(moved_by(column_backward(s, framework{}, true), "bias gradient").count == 1024 * out / 4 * 2);
  CHECK(kernels(column_backward(s, framework{}), "bias gradient") == 0);
}

TEST_CASE("rows of norms are cut over tp under sequence parallelism alone, rounded up") {
  CHECK(residual_rows({512, 2, 4, false, dtype::bf16}) == 1024);
  CHECK(residual_rows({512, 2, 4, true, dtype::bf16}) == 256);
  CHECK(residual_rows({511, 1, 4, true, dtype::bf16}) == 128);
  CHECK_FALSE(gathers({512, 2, 1, true, dtype::bf16}));
}

TEST_CASE("activations travel as 16 bit between GEMMs of fewer bits") {
  shard s{512, 1, 2, false, dtype::fp8};
  CHECK(element(s) == 2);
  steps t;
  row_parallel_forward(t, names, out, in, s, framework{});
  CHECK(t.all[1].call.size.count == 512 * in * 2);
  s.type = dtype::fp32;
  CHECK(element(s) == 4);
}
