// SPDX-License-Identifier: MIT
// Measurements of single kernels as rows that a device can be asked about. Tables are told apart by their header.
// Assumes nothing about the device; what a benchmark times besides the kernel stands in benchmark_wrapper.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "benchmark_wrapper.hpp"
#include "echosim/device/catalog.hpp"
#include "echosim/io/csv.hpp"

namespace bench {
using namespace echosim;

/// Whose fused attention a row timed, where the backend's name alone does not say it.
enum class fused_library : u8 { as_backend, cudnn_2024, tensorrt_llm };

struct kernel_row {
  u64 line = 0;
  std::string source;  ///< GPU, format, library as the table words it
  std::string citation;
  const named_gpu* part = nullptr;
  kernel first{}, second{};  ///< `second` has kind host where the row times one kernel
  wrapper around = wrapper::bare;
  fused_library library = fused_library::as_backend;
  bool sustained = false;  ///< timed after thousands of iterations: clocks have settled
  double measured = 0;     ///< s
  std::string refused;     ///< why the row cannot be expressed; empty where it can
};

inline double work(const kernel_row& r) { return r.first.work.count + r.second.work.count; }

namespace detail {
inline bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// The catalog's part that a table's wording means; null where it is none or not one.
inline const named_gpu* part_of(std::string_view text) {
  if (const named_gpu* g = find_gpu(text)) return g;
  if (has(text, "not stated")) return nullptr;
  constexpr std::array<std::array<std::string_view, 2>, 17> words{{{"GB300", "gb300"},
                                                                   {"GB200", "gb200"},
                                                                   {"GH200", "gh200_144"},
                                                                   {"B300", "b300"},
                                                                   {"B200", "b200"},
                                                                   {"H200", "h200_sxm"},
                                                                   {"H800", "h800_sxm"},
                                                                   {"H100 PCIe", "h100_pcie"},
                                                                   {"H100", "h100_sxm"},
                                                                   {"H20", "h20"},
                                                                   {"A100 PCIe", "a100_pcie_80"},
                                                                   {"A100-PCIE", "a100_pcie_80"},
                                                                   {"A100", "a100_sxm_80"},
                                                                   {"L40S", "l40s"},
                                                                   {"MI300X", "mi300x"},
                                                                   {"MI325X", "mi325x"},
                                                                   {"RTX PRO 6000", "rtx_pro_6000"}}};
  for (const auto& w : words)
    if (has(text, w[0])) return find_gpu(w[1]);
  return nullptr;
}
inline bool format_of(std::string_view text, dtype& t) {
  constexpr std::array<std::pair<std::string_view, dtype>, 10> words{{{"bf16", dtype::bf16},
                                                                      {"bfloat16", dtype::bf16},
                                                                      {"torch.bfloat16", dtype::bf16},
                                                                      {"fp16", dtype::fp16},
                                                                      {"float16", dtype::fp16},
                                                                      {"fp8", dtype::fp8},
                                                                      {"fp8_block", dtype::fp8},
                                                                      {"tf32", dtype::tf32},
                                                                      {"fp32", dtype::fp32},
                                                                      {"nvfp4", dtype::nvfp4}}};
  for (const auto& w : words)
    if (w.first == text) return t = w.second, true;
  return false;
}

/// Reads one row's fields by column name; the first that is missing or malformed becomes the reason to refuse the row.
class fields {
 public:
  fields(const csv& table, std::size_t row, std::string& refused) : table_{table}, row_{row}, refused_{refused} {}
  std::string_view text(std::string_view column) const {
    const auto c = table_.column(column);
    return c ? csv::trimmed(table_.text(row_, *c)) : std::string_view{};
  }
  double real(std::string_view column) {
    const auto c = table_.column(column);
    if (!c) return refuse("no column " + std::string{column});
    const auto v = table_.real(row_, *c);
    return v ? *v : refuse(v.why().what);
  }
  i64 size(std::string_view column) {
    const double v = real(column);
    if (!refused_.empty()) return 0;
    if (!(v >= 1) || v > 1e12)
      refuse(std::string{column} + " is " + std::string{text(column)} + "; a size from 1 to 1e12 is required");
    return refused_.empty() ? static_cast<i64>(v) : 0;
  }
  double refuse(std::string why) {
    if (refused_.empty()) refused_ = std::move(why);
    return 0;
  }

 private:
  const csv& table_;
  std::size_t row_;
  std::string& refused_;
};

inline kernel attention(i64 batch, i64 heads, i64 kv_heads, i64 queries, i64 keys, i64 size, bool causal, bool backward,
                        dtype t, attention_backend backend) {
  kernel a;
  a.name = backward ? "attention backward" : "attention";
  a.kind = kernel_kind::attention;
  a.type = t;
  a.backend = backend;
  a.causal = causal, a.backward = backward;
  a.m = queries, a.n = keys, a.k = size, a.batch = batch * heads, a.shared = kv_heads > 0 ? heads / kv_heads : 1;
  const double scores = static_cast<double>(queries) * static_cast<double>(keys) * static_cast<double>(batch * heads);
  a.work = {(backward ? 10 : 4) * scores * static_cast<double>(size) / (causal ? 2 : 1)};
  const i64 once = batch * size * 2 * (heads * queries + kv_heads * keys) * bits(t) / 8;
  a.moved = {backward ? 2 * once : once};
  return a;
}

inline void read_gemm(fields& f, kernel_row& r) {
  r.part = part_of(f.text("system"));
  if (!r.part) r.part = part_of(f.text("gpu"));
  dtype t{};
  if (!format_of(f.text("dtype"), t)) f.refuse("format " + std::string{f.text("dtype")} + " is none of the library's");
  r.first = gemm("gemm", f.size("m"), f.size("n"), f.size("k"), t);
  if (t == dtype::fp8)
    r.first.moved = r.first.moved + size_of(r.first.m * r.first.n, dtype::fp8);  // the result is 16 bit
  r.measured = f.real("time_us") * 1e-6;
  const std::string_view kernel_source = f.text("kernel_source");
  if (has(kernel_source, "CutlassFP8")) r.around = wrapper::vllm_fp8;
  if (has(kernel_source, "DeepGemmFp8Block")) r.around = wrapper::vllm_fp8_block;
  if (has(kernel_source, "FlashInferFp8Block"))
    f.refuse("FlashInferFp8BlockScaledMMKernel: the wrapper's host time is not known");
  r.source =
      r.part ? std::string{r.part->name} + " " + std::string{f.text("dtype")} + " " + std::string{kernel_source} : "";
}
inline void read_serving_attention(fields& f, kernel_row& r) {
  r.part = part_of(f.text("system"));
  if (!r.part) r.part = part_of(f.text("gpu"));
  dtype t{};
  if (!format_of(f.text("dtype"), t)) f.refuse("format " + std::string{f.text("dtype")} + " is none of the library's");
  const std::string_view by = f.text("kernel_source"), framework = f.text("framework");
  attention_backend backend = attention_backend::cudnn;
  if (by == "vllm_flash_attn" || by == "flash_attention")
    backend = attention_backend::flash2;
  else if (by == "fa3" || by == "vllm_flash_attn_fa3")
    backend = attention_backend::flash3;
  else if (has(by, "triton") || has(by, "fa4"))
    f.refuse(std::string{by} + " is none of the library's attention backends");
  if (f.text("kind") != "context_causal_fwd")
    f.refuse(std::string{f.text("kind")} + ": only causal forward passes are known");
  const i64 size = f.size("head_dim");
  if (size > 256) f.refuse("head size " + std::to_string(size) + "; the kernels' blocks are known up to 256");
  const i64 s = f.size("seq");
  r.first = attention(f.size("batch"), f.size("heads"), f.size("kv_heads"), s, s, size, true, false, t, backend);
  r.around = framework == "vllm"     ? wrapper::vllm_attention
             : framework == "sglang" ? wrapper::sglang_attention
                                     : wrapper::trtllm_attention;
  if (backend == attention_backend::cudnn) r.library = fused_library::tensorrt_llm;
  r.measured = f.real("time_us") * 1e-6;
  r.source = (r.part ? std::string{r.part->name} : "") + " " + std::string{framework} + " " + std::string{by};
}
inline void read_cudnn_attention(fields& f, kernel_row& r) {
  r.part = part_of(f.text("gpu"));
  dtype t{};
  if (!format_of(f.text("dtype"), t)) f.refuse("format " + std::string{f.text("dtype")} + " is none of the library's");
  const bool causal = f.text("mask") != "no_mask", backward = f.text("pass") == "bwd";
  i64 keys = f.size("kv_seq");
  if (f.text("dim_qk") != f.text("dim_v")) f.refuse("value heads of another size than query heads");
  if (!f.text("window").empty()) f.refuse("a sliding window; kernels know whole and causal masks");
  if (f.text("backend") != "cudnn")
    f.refuse(std::string{f.text("backend")} + " is none of the library's attention backends");
  r.first = attention(f.size("batch"), f.size("q_heads"), f.size("kv_heads"), f.size("q_seq"), keys, f.size("dim_qk"),
                      causal, backward, t, attention_backend::cudnn);
  r.measured = f.real("time_ms") * 1e-3;
  r.source = (r.part ? std::string{r.part->name} : "") + " cuDNN " + std::string{f.text("dtype")} +
             (backward ? " backward" : " forward");
}
/// Figures of 16,384 tokens and hidden size 2048; rates count causal attention as half.
inline void read_flash_figure(fields& f, kernel_row& r) {
  r.part = part_of(f.text("gpu"));
  const std::string_view by = f.text("impl"), pass = f.text("pass");
  attention_backend backend = attention_backend::flash2;
  if (by == "FlashAttention-3")
    backend = attention_backend::flash3;
  else if (by == "cuDNN")
    backend = attention_backend::cudnn, r.library = fused_library::cudnn_2024;
  else if (by != "FlashAttention-2")
    f.refuse(std::string{by} + " is none of the library's fused backends");
  const i64 s = f.size("seq"), size = f.size("head_dim"), heads = size > 0 ? 2048 / size : 0;
  const bool causal = f.text("causal") == "1";
  const auto one = [&](bool backward) {
    return s > 0 ? attention(16384 / s, heads, heads, s, s, size, causal, backward, dtype::bf16, backend) : kernel{};
  };
  r.first = one(pass == "bwd");
  r.second.kind = kernel_kind::host;
  if (pass == "fwd+bwd") r.second = one(true);
  const double rate = f.real("tflops") * 1e12;
  r.measured = rate > 0 ? work(r) / rate : 0;
  r.source = (r.part ? std::string{r.part->name} : std::string{f.text("gpu")}) + " " + std::string{by} + " " +
             std::string{pass};
}
/// One row of the table is two measurements.
inline void read_norm(fields& f, kernel_row& r, bool backward) {
  r.part = part_of(f.text("gpu"));
  dtype t{};
  if (!format_of(f.text("dtype"), t)) f.refuse("format " + std::string{f.text("dtype")} + " is none of the library's");
  const std::string_view by = f.text("backend");
  if (by != "cudnn" && backward) f.refuse(std::string{by} + " runs several kernels that the table does not name");
  r.first = streaming("norm", kernel_kind::norm, f.size("N_rows"), f.size("C"), (backward ? 3 : 2) * bits(t) / 8, t);
  r.first.backward = backward;
  r.measured = f.real(backward ? "bwd_ms" : "fwd_ms") * 1e-3;
  r.source =
      (r.part ? std::string{r.part->name} : "") + " norm " + std::string{by} + (backward ? " backward" : " forward");
}
inline void read_rate(fields& f, kernel_row& r) {
  r.part = part_of(f.text("gpu"));
  dtype t{};
  if (!format_of(f.text("dtype"), t)) f.refuse("format " + std::string{f.text("dtype")} + " is none of the library's");
  r.first = gemm("gemm", f.size("m"), f.size("n"), f.size("k"), t);
  const double rate = f.real("tflops") * 1e12;
  r.measured = rate > 0 ? r.first.work.count / rate : 0;
  r.sustained = has(f.text("method"), "10000 warmup");
  r.source = (r.part ? std::string{r.part->name} : std::string{f.text("gpu")}) + " " + std::string{f.text("dtype")} +
             (r.sustained ? " cuBLASLt after 10000 iterations" : " mamf-finder's best shape");
}
/// The value of `name=` in a list such as "b=1, m=4096, layout=TN"; empty where there is none.
inline std::string_view named(std::string_view spec, std::string_view name) {
  for (std::size_t at = 0; at < spec.size();) {
    const std::size_t end = std::min(spec.find(',', at), spec.size());
    const std::string_view item = csv::trimmed(spec.substr(at, end - at));
    if (item.size() > name.size() && item.substr(0, name.size()) == name && item[name.size()] == '=')
      return item.substr(name.size() + 1);
    at = end + 1;
  }
  return {};
}
/// Efficiencies that a step simulator was given (SimuMax), each operation repeated alone: products settle at the power
/// limit, attention draws less. Attention is causal, its rate counts the whole square.
inline void read_step_operation(fields& f, kernel_row& r) {
  const std::string_view system = f.text("system"), op = f.text("op"), spec = f.text("spec");
  r.part = has(system, "a100_pcie") ? find_gpu("a100_pcie_80") : has(system, "b200") ? find_gpu("b200") : nullptr;
  r.sustained = has(op, "matmul");
  const auto size = [&](std::string_view name) -> i64 {
    i64 v = 0;
    for (const char c : named(spec, name)) v = c >= '0' && c <= '9' && v < 1'000'000'000 ? 10 * v + (c - '0') : -1;
    if (v < 1) f.refuse(std::string{op} + " without " + std::string{name});
    return v;
  };
  const double rate = f.real("tflops") * 1e12;
  double counted = 0;
  if (op == "matmul") {
    const std::string_view layout = named(spec, "layout");
    r.first = gemm("gemm", size("m"), size("n"), size("k"), dtype::bf16,
                   layout == "NN"   ? gemm_layout::nn
                   : layout == "NT" ? gemm_layout::nt
                                    : gemm_layout::tn,
                   size("b"));
    const i64 results = r.first.m * r.first.n * r.first.batch,
              each = (named(spec, "out_dtype") == "fp32" ? 4 : 2) * (named(spec, "accumulate") == "True" ? 2 : 1);
    r.first.moved = r.first.moved + bytes{results * (each - 2)};
    counted = r.first.work.count;
    r.source = std::string{system} + " products " + std::string{layout};
  } else if (op == "group_matmul") {
    r.first = gemm("gemm", size("M"), size("N"), size("K"), dtype::bf16,
                   named(spec, "stage") == "bwd_grad_w" ? gemm_layout::nt : gemm_layout::tn, size("ng"));
    counted = r.first.work.count;
    r.source = std::string{system} + " grouped products " + std::string{named(spec, "stage")};
  } else if (op == "sdp_fwd" || op == "sdp_bwd") {
    if (named(spec, "qk_head_dim") != named(spec, "v_head_dim"))
      f.refuse("value heads of another size than query heads");
    const bool blackwell = has(system, "b200");
    r.first = attention(size("batch"), size("head_num"), size("kv_head_num"), size("seq_len"), size("seq_len"),
                        size("qk_head_dim"), true, op == "sdp_bwd", dtype::bf16,
                        blackwell ? attention_backend::cudnn : attention_backend::flash2);
    counted = 2 * r.first.work.count;
    r.source = std::string{system} + (op == "sdp_bwd" ? " attention backward" : " attention forward");
  } else {
    f.refuse(std::string{op} + " is no operation that kernels express");
  }
  r.measured = rate > 0 ? counted / rate : 0;
}
}  // namespace detail

enum class kernel_table {
  none,
  gemm,
  serving_attention,
  cudnn_attention,
  flash_figures,
  norms,
  rates,
  step_operations
};

[[nodiscard]] inline kernel_table kernel_table_of(const csv& t) {
  const auto all = [&](std::initializer_list<std::string_view> names) {
    return std::all_of(names.begin(), names.end(), [&](std::string_view n) { return t.column(n).has_value(); });
  };
  if (all({"m", "n", "k", "time_us", "kernel_source"})) return kernel_table::gemm;
  if (all({"batch", "seq", "heads", "kv_heads", "time_us", "kernel_source"})) return kernel_table::serving_attention;
  if (all({"mask", "q_seq", "kv_seq", "q_heads", "pass", "time_ms"})) return kernel_table::cudnn_attention;
  if (all({"impl", "pass", "causal", "head_dim", "seq", "tflops"})) return kernel_table::flash_figures;
  if (all({"norm_type", "N_rows", "C", "fwd_ms", "bwd_ms"})) return kernel_table::norms;
  if (all({"m", "n", "k", "tflops", "method"})) return kernel_table::rates;
  if (all({"system", "op", "spec", "tflops"})) return kernel_table::step_operations;
  return kernel_table::none;
}

/// Every row, refused ones with their reason; a row of the norm tables twice, forward and backward.
[[nodiscard]] inline std::vector<kernel_row> kernel_rows(const csv& t) {
  const kernel_table kind = kernel_table_of(t);
  std::vector<kernel_row> rows;
  rows.reserve(t.rows.size());
  for (std::size_t i = 0; i != t.rows.size(); ++i)
    for (int pass = 0; pass != (kind == kernel_table::norms ? 2 : 1); ++pass) {
      kernel_row r;
      r.line = t.rows[i].line;
      r.second.kind = kernel_kind::host;
      detail::fields f{t, i, r.refused};
      switch (kind) {
        case kernel_table::gemm: detail::read_gemm(f, r); break;
        case kernel_table::serving_attention: detail::read_serving_attention(f, r); break;
        case kernel_table::cudnn_attention: detail::read_cudnn_attention(f, r); break;
        case kernel_table::flash_figures: detail::read_flash_figure(f, r); break;
        case kernel_table::norms: detail::read_norm(f, r, pass == 1); break;
        case kernel_table::rates: detail::read_rate(f, r); break;
        case kernel_table::step_operations: detail::read_step_operation(f, r); break;
        case kernel_table::none: f.refuse("no table of kernels has this header"); break;
      }
      r.citation = f.text("source");
      if (!r.part) f.refuse("the part " + std::string{f.text("gpu")} + " is not in the catalog, or not stated");
      if (r.refused.empty() && !(r.measured > 0)) f.refuse("no time was measured");
      if (r.refused.empty() && r.first.work.count > 0 && !computes(r.part->part, r.first.type))
        f.refuse("the part does not compute in this format");
      rows.push_back(std::move(r));
    }
  return rows;
}

/// The library's constants for a row's part and libraries.
[[nodiscard]] inline kernel_rates rates_for(const kernel_row& r) {
  kernel_rates k = kernel_rates_of(r.part->part.arch);
  attention_rates& own = k.attention[static_cast<u32>(attention_backend::cudnn)];
  if (r.library == fused_library::cudnn_2024) own = cudnn_2024();
  if (r.library == fused_library::tensorrt_llm) own = tensorrt_llm(r.part->part.arch);
  return k;
}
/// Seconds that a device says the row takes; `rates` from rates_for or elsewhere.
[[nodiscard]] inline double predicted(const kernel_row& r, const tiled& d, const wrapper_cost& around) {
  return seconds_within(around, r.first, d) + seconds(d.time(r.second));
}

}  // namespace bench
