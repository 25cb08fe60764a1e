// SPDX-License-Identifier: MIT
// Linear layers cut over tensor-parallel ranks, as Megatron-LM runs them (Shoeybi et al. 2019, §3; with sequence
// parallelism Korthikanti et al. 2022, §4.2.2; megatron/core/tensor_parallel/layers.py, core_r0.9.0).
#pragma once
#include "framework.hpp"
#include "shard.hpp"

namespace echosim::inline v0 {

[[nodiscard]] constexpr i64 tokens(const shard& s) { return s.sequence * s.micro_batch; }
/// Rows of norms and residuals: a tensor-parallel rank holds 1/tp of the sequence under sequence parallelism.
[[nodiscard]] constexpr i64 residual_rows(const shard& s) {
  return s.sequence_parallel ? (tokens(s) + s.tp - 1) / s.tp : tokens(s);
}
/// Whether inputs are gathered before a column-parallel GEMM and outputs scattered after a row-parallel one.
[[nodiscard]] constexpr bool gathers(const shard& s) { return s.tp > 1 && s.sequence_parallel; }
/// Bytes of one activation element between kernels; formats below 16 bit exist only inside GEMMs.
[[nodiscard]] constexpr i64 element(const shard& s) { return bits(s.type) > 16 ? 4 : 2; }

/// A kernel of the layer with the host time that the framework pays for it.
template <step_sink S>
constexpr void issue(S& sink, kernel k, const framework& f, bool joins = false) {
  k.issue = f.kernel_issue;
  sink.run(k, joins);
}
template <step_sink S>
constexpr void stream(S& sink, const char* name, kernel_kind kind, i64 rows, i64 columns, i64 bytes_each,
                      const shard& s, const framework& f, bool joins = false, bool backward = false) {
  kernel k = streaming(name, kind, rows, columns, bytes_each, s.type);
  k.backward = backward;
  issue(sink, k, f, joins);
}
/// Makes the compute stream wait for the calls issued so far, as a stream event does.
template <step_sink S>
constexpr void wait_for_calls(S& sink) {
  kernel k;
  k.name = "wait";
  k.kind = kernel_kind::host;
  k.given = {};
  sink.run(k, true);
}

/// Names of a linear layer's three GEMMs.
struct linear_names {
  const char *forward, *dgrad, *wgrad;
};

/// Weight gradient; with fp32 accumulation the GEMM (or a kernel after it) adds to an fp32 buffer: 4 bytes read and
/// written.
template <step_sink S>
constexpr void weight_gradient(S& sink, linear_names names, i64 in, i64 out, const shard& s, const framework& f) {
  kernel w = gemm(names.wgrad, out, in, tokens(s), s.type, gemm_layout::nt);
  w.backward = true;
  const bytes fresh = size_of(out * in, s.type), sum = 2 * size_of(out * in, dtype::fp32);
  if (f.accumulates_in_fp32 && f.fused_accumulation) w.moved = w.moved - fresh + sum;
  issue(sink, w, f);
  if (f.accumulates_in_fp32 && !f.fused_accumulation)
    stream(sink, "gradient accumulation", kernel_kind::elementwise, out, in, 8 + element(s), s, f, false, true);
}

/// The reduction of a partial sum over the tensor-parallel ranks: scattered under sequence parallelism.
template <step_sink S>
constexpr void reduce_partial_sum(S& sink, i64 columns, const shard& s) {
  if (s.tp > 1)
    sink.call({gathers(s) ? call::reduce_scatter : call::all_reduce, {tokens(s) * columns * element(s)}, dimension::tp},
              true);
}
template <step_sink S>
constexpr void gather_rows(S& sink, i64 columns, const shard& s) {
  if (gathers(s)) sink.call({call::all_gather, {tokens(s) * columns * element(s)}, dimension::tp}, true);
}

/// y = x·Wᵀ with the output columns cut. Under sequence parallelism the input is gathered first.
template <step_sink S>
constexpr void column_parallel_forward(S& sink, linear_names names, i64 in, i64 out, const shard& s,
                                       const framework& f) {
  gather_rows(sink, in, s);
  issue(sink, gemm(names.forward, tokens(s), out / s.tp, in, s.type), f, gathers(s));
}

/// Gradients of a column-parallel layer. With overlap the saved input is gathered beside the input's gradient, and that
/// gradient is reduced beside the weight's. Leaves the reduction to be joined by the next kernel.
template <step_sink S>
constexpr void column_parallel_backward(S& sink, linear_names names, i64 in, i64 out, bool bias, const shard& s,
                                        const framework& f) {
  gather_rows(sink, in, s);
  kernel d = gemm(names.dgrad, tokens(s), in, out / s.tp, s.type, gemm_layout::nn);
  d.backward = true;
  issue(sink, d, f, gathers(s) && !f.overlaps_tp_backward);
  if (gathers(s) && f.overlaps_tp_backward) wait_for_calls(sink);
  reduce_partial_sum(sink, in, s);
  if (s.tp > 1 && !f.overlaps_tp_backward) wait_for_calls(sink);
  weight_gradient(sink, names, in, out / s.tp, s, f);
  if (bias)
    stream(sink, "bias gradient", kernel_kind::elementwise, tokens(s), out / s.tp, element(s), s, f, false, true);
}

/// y = x·Wᵀ with the input columns cut, and the reduction of y. The next kernel joins.
template <step_sink S>
constexpr void row_parallel_forward(S& sink, linear_names names, i64 in, i64 out, const shard& s, const framework& f) {
  issue(sink, gemm(names.forward, tokens(s), out, in / s.tp, s.type), f);
  reduce_partial_sum(sink, out, s);
}

/// Gradients of a row-parallel layer. Under sequence parallelism the output's gradient is gathered first.
template <step_sink S>
constexpr void row_parallel_backward(S& sink, linear_names names, i64 in, i64 out, const shard& s, const framework& f) {
  gather_rows(sink, out, s);
  kernel d = gemm(names.dgrad, tokens(s), in / s.tp, out, s.type, gemm_layout::nn);
  d.backward = true;
  issue(sink, d, f, gathers(s));
  weight_gradient(sink, names, in / s.tp, out, s, f);
}

}  // namespace echosim::inline v0
