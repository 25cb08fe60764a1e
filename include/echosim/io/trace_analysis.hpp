// SPDX-License-Identifier: MIT
// Where the time of a recorded device goes: by union of intervals, so that overlap is never counted twice.
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "intervals.hpp"
#include "kineto.hpp"
#include "shown.hpp"

namespace echosim::inline v0::kineto {

enum class kernel_class : u8 {
  gemm,
  attention,
  convolution,
  norm,
  softmax,
  embedding,
  optimizer,
  elementwise,
  communication,
  copy,
  other
};
inline constexpr u32 kernel_classes = 11;

[[nodiscard]] constexpr const char* name(kernel_class c) {
  constexpr const char* names[] = {"GEMM",      "attention",   "convolution",   "norm", "softmax", "embedding",
                                   "optimizer", "elementwise", "communication", "copy", "other"};
  return names[static_cast<unsigned>(c)];
}

/// Words by which the name of a communication kernel is known. Lower case. The last two are DeepEP's, and common enough
/// to hit others: what only they match is named in a note.
inline const std::vector<std::string>& communication_words() {
  static const std::vector<std::string> words{"nccl", "rccl", "deep_ep", "dispatch", "combine"};
  return words;
}

namespace detail {

[[nodiscard]] inline std::string folded(std::string_view text) {
  std::string out{text};
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return out;
}
[[nodiscard]] inline bool holds_any(std::string_view text, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& w) { return text.find(w) != std::string_view::npos; });
}

}  // namespace detail

/// The class of a kernel by words in its name, first rule first; the rules cover cuBLAS, CUTLASS, cuDNN, Tensile,
/// MIOpen, FlashAttention, PyTorch's own kernels and Triton's.
[[nodiscard]] inline kernel_class class_of(std::string_view kernel, const std::vector<std::string>& communication) {
  const std::string n = detail::folded(kernel);
  struct rule {
    std::vector<std::string> words;
    kernel_class is;
  };
  static const std::vector<rule> rules{
      {{"flash", "fmha", "attention", "attn", "mha_"}, kernel_class::attention},
      {{"conv", "wgrad", "dgrad", "winograd", "miopen", "implicit_gemm", "im2col"}, kernel_class::convolution},
      {{"gemm", "gemv", "cijk_", "splitk", "nvjet", "cublas", "matmul", "_mm_"}, kernel_class::gemm},
      {{"softmax"}, kernel_class::softmax},
      {{"layer_norm", "layernorm", "rms_norm", "rmsnorm", "batch_norm", "bn_fw", "bn_bw", "group_norm", "batchnorm",
        "gammabeta"},
       kernel_class::norm},
      {{"embedding", "indexselect", "index_select", "gather", "scatter"}, kernel_class::embedding},
      {{"adam", "multi_tensor", "lamb", "sgd"}, kernel_class::optimizer},
      {{"elementwise", "pointwise", "triton_poi", "vectorized", "copy", "fill", "dropout", "reduce_kernel",
        "cat_array"},
       kernel_class::elementwise},
  };
  if (detail::holds_any(n, communication)) return kernel_class::communication;
  for (const rule& r : rules)
    if (detail::holds_any(n, r.words)) return r.is;
  return kernel_class::other;
}

struct class_time {
  u64 launches = 0;
  i64 sum = 0;   ///< ns, overlap counted as often as it happens
  i64 busy = 0;  ///< ns, by union
};

/// Times in ns. span = compute + exposed_communication + exposed_copy + idle, and busy = span − idle, exactly.
struct analysis {
  u64 device_events = 0;
  i64 start = 0, span = 0;  ///< first start to last end of a device event
  i64 busy = 0, idle = 0;
  i64 compute = 0;                ///< union of kernels that are no communication
  i64 communication = 0;          ///< union of communication kernels
  i64 exposed_communication = 0;  ///< of those, while no other kernel runs
  i64 copy = 0;                   ///< union of memory copies and sets
  i64 exposed_copy = 0;           ///< of those, while no kernel runs
  i64 sum = 0;                    ///< plain sum of durations
  u64 streams = 0;
  u64 overlaps = 0;  ///< events that start before an earlier one of their stream has ended
  u64 communications = 0, with_size = 0;
  class_time classes[kernel_classes];
};

/// Analyses all device events of a trace. A trace without any gives zeros and a note.
[[nodiscard]] inline result<analysis> analyse(const trace& t,
                                              const std::vector<std::string>& communication = communication_words()) {
  analysis a;
  std::vector<interval> all, kernels, calls, copies;
  std::vector<std::vector<interval>> by_class(kernel_classes);
  std::vector<std::string> doubtful;
  std::map<u32, i64> ends;                       // of each stream; ordered, so that two runs are the same
  std::vector<int> classes(t.names.size(), -1);  // of each distinct name, found once
  for (const event& e : t.events) {
    if (!on_device(e.kind)) continue;
    ++a.device_events;
    const interval i{e.start, e.start + e.length};
    kernel_class is = kernel_class::copy;
    if (e.kind == category::kernel) {
      if (classes[e.name] < 0) {
        classes[e.name] = static_cast<int>(class_of(t.names[e.name], communication));
        const std::string n = detail::folded(t.names[e.name]);
        if (classes[e.name] == static_cast<int>(kernel_class::communication) &&
            !detail::holds_any(n, {"nccl", "rccl", "deep_ep"}) && detail::holds_any(n, {"dispatch", "combine"}))
          doubtful.push_back(t.names[e.name]);
      }
      is = static_cast<kernel_class>(classes[e.name]);
      (is == kernel_class::communication ? calls : kernels).push_back(i);
      if (is == kernel_class::communication) {
        ++a.communications;
        if (e.detail != invalid && t.calls[e.detail].in_elements >= 0) ++a.with_size;
      }
    } else {
      copies.push_back(i);
    }
    all.push_back(i);
    class_time& c = a.classes[static_cast<unsigned>(is)];
    ++c.launches;
    c.sum += e.length;
    a.sum += e.length;
    by_class[static_cast<unsigned>(is)].push_back(i);
    const auto [at, fresh] = ends.try_emplace(e.lane, i.end);
    if (!fresh) {
      if (i.start < at->second) ++a.overlaps;
      at->second = std::max(at->second, i.end);
    }
  }
  a.streams = ends.size();
  if (all.empty()) {
    result<analysis> r = a;
    r.note("the trace has no device events: nothing is known about the device");
    return r;
  }
  a.start = all.front().start;
  i64 last = a.start;
  for (const interval i : all) a.start = std::min(a.start, i.start), last = std::max(last, i.end);
  a.span = last - a.start;
  const std::vector<interval> k = united(std::move(kernels)), c = united(std::move(calls)),
                              m = united(std::move(copies));
  a.busy = length(united(std::move(all)));
  a.idle = a.span - a.busy;
  a.compute = length(k);
  a.communication = length(c);
  a.exposed_communication = a.communication - shared_length(c, k);
  a.copy = length(m);
  a.exposed_copy = a.busy - a.compute - a.exposed_communication;
  for (u32 i = 0; i < kernel_classes; ++i) a.classes[i].busy = length(united(std::move(by_class[i])));
  result<analysis> r = a;
  if (a.communications > a.with_size)
    r.note(std::to_string(a.communications - a.with_size) + " of " + std::to_string(a.communications) +
           " communication kernels carry no size: how much they move is unknown");
  for (const std::string& n : doubtful)
    r.note("counted as communication only for the word dispatch or combine in its name: " + shown(n) +
           "; give a word list of your own if it is not");
  if (a.overlaps != 0)
    r.note(std::to_string(a.overlaps) + " device events start before the one before them on their stream has ended");
  if (a.span == 0) r.note("all device events have no length");
  return r;
}

}  // namespace echosim::inline v0::kineto
