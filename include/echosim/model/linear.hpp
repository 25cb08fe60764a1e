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
/// Bytes of one activation element between kernels; formats below 16 bit exist only inside GEMMs.
[[nodiscard]] constexpr i64 element(const shard& s) { return bits(s.type) > 16 ? 4 : 2; }

/// A kernel of the layer with the host time that the framework pays for it.
template <step_sink S>
constexpr void issue(S& sink, kernel k, const framework& f, bool joins = false) {
  k.issue = f.kernel_issue;
  sink.run(k, joins);
}
template <step_sink S>
constexpr void stream(S& sink, const char* name, kernel_kind kind, i64 rows, i64 columns, i64 bytes_each, const shard& s,
                      const framework& f, bool joins = false, bool backward = false) {
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

/// Weight gradient; with fp32 accumulation the GEMM (or a kernel after it) adds to an fp32 buffer: 4 bytes read and written.
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

/// y = x·Wᵀ with the output columns cut. Under sequence parallelism the input is gathered first.
template <step_sink S>
constexpr void column_parallel_forward(S& sink, linear_names names, i64 in, i64 out, const shard& s, const framework& f) {
  const bool gathers = s.tp > 1 && s.sequence_parallel;
  if (gathers) sink.call({call::all_gather, {tokens(s) * in * element(s)}, dimension::tp}, true);
  issue(sink, gemm(names.forward, tokens(s), out / s.tp, in, s.type), f, gathers);
}

/// Gradients of a column-parallel layer. Leaves the reduction of the input's gradient to be joined by the next kernel.
template <step_sink S>
constexpr void column_parallel_backward(S& sink, linear_names names, i64 in, i64 out, bool bias, const shard& s, const framework& f) {
  const bytes buffer{tokens(s) * in * element(s)};
  const bool cut = s.tp > 1, gathers = cut && s.sequence_parallel;
  if (bias) stream(sink, "bias gradient", kernel_kind::elementwise, tokens(s), out / s.tp, element(s), s, f, false, true);
  if (gathers) sink.call({call::all_gather, buffer, dimension::tp}, true);
  kernel d = gemm(names.dgrad, tokens(s), in, out / s.tp, s.type, gemm_layout::nn);
  d.backward = true;
  issue(sink, d, f, gathers && !f.overlaps_tp_backward);
  if (gathers && f.overlaps_tp_backward) wait_for_calls(sink);
  if (cut) sink.call({s.sequence_parallel ? call::reduce_scatter : call::all_reduce, buffer, dimension::tp}, true);
  if (cut && !f.overlaps_tp_backward) wait_for_calls(sink);
  weight_gradient(sink, names, in, out / s.tp, s, f);
}

/// y = x·Wᵀ with the input columns cut, and the reduction of y. The next kernel joins.
template <step_sink S>
constexpr void row_parallel_forward(S& sink, linear_names names, i64 in, i64 out, const shard& s, const framework& f) {
  issue(sink, gemm(names.forward, tokens(s), out, in / s.tp, s.type), f);
  if (s.tp > 1)
    sink.call({s.sequence_parallel ? call::reduce_scatter : call::all_reduce, {tokens(s) * out * element(s)}, dimension::tp}, true);
}

/// Gradients of a row-parallel layer. Under sequence parallelism the output's gradient is gathered first.
template <step_sink S>
constexpr void row_parallel_backward(S& sink, linear_names names, i64 in, i64 out, const shard& s, const framework& f) {
  const bool gathers = s.tp > 1 && s.sequence_parallel;
  if (gathers) sink.call({call::all_gather, {tokens(s) * out * element(s)}, dimension::tp}, true);
  kernel d = gemm(names.dgrad, tokens(s), in / s.tp, out, s.type, gemm_layout::nn);
  d.backward = true;
  issue(sink, d, f, gathers);
  weight_gradient(sink, names, in / s.tp, out, s, f);
}

}  // namespace echosim::inline v0
