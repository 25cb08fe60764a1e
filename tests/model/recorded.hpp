// SPDX-License-Identifier: MIT
// A sink that keeps the steps of a layer, and sums over them.
#pragma once
#include <string_view>
#include <vector>

#include "echosim/model/layer.hpp"

namespace recorded {

using namespace echosim;

struct step {
  bool is_call = false, joins = false;
  kernel what{};
  operation call{};
};

struct steps {
  std::vector<step> all;
  void run(const kernel& k, bool joins) { all.push_back({false, joins, k, {}}); }
  void call(operation o, bool joins) { all.push_back({true, joins, {}, o}); }
};
static_assert(step_sink<steps>);

/// A sink without memory, for constant evaluation.
struct counted {
  u32 kernels = 0, calls = 0;
  flops work{};
  bytes moved{};
  constexpr void run(const kernel& k, bool) { ++kernels, work += k.work, moved += k.moved; }
  constexpr void call(operation, bool) { ++calls; }
};
static_assert(step_sink<counted>);

inline flops work(const steps& s) {
  flops sum{};
  for (const step& x : s.all) sum += x.what.work;
  return sum;
}
inline bytes moved(const steps& s) {
  bytes sum{};
  for (const step& x : s.all) sum += x.what.moved;
  return sum;
}
inline bytes moved_by(const steps& s, std::string_view name) {
  bytes sum{};
  for (const step& x : s.all)
    if (!x.is_call && x.what.name == name) sum += x.what.moved;
  return sum;
}
inline int kernels(const steps& s, std::string_view name) {
  int n = 0;
  for (const step& x : s.all) n += !x.is_call && x.what.name == name;
  return n;
}
inline int calls(const steps& s, echosim::call kind) {
  int n = 0;
  for (const step& x : s.all) n += x.is_call && x.call.kind == kind;
  return n;
}
inline std::size_t position(const steps& s, std::string_view name) {
  for (std::size_t i = 0; i != s.all.size(); ++i)
    if (!s.all[i].is_call && s.all[i].what.name == name) return i;
  return s.all.size();
}

inline steps forward(const transformer& m, const shard& s, const framework& f) {
  steps out;
  layer_forward(m, s, f, out);
  return out;
}
inline steps backward(const transformer& m, const shard& s, const framework& f, recompute r = recompute::none) {
  steps out;
  layer_backward(m, s, f, r, out);
  return out;
}

inline constexpr transformer small_gpt() {
  transformer m;
  m.layers = 4, m.hidden = 1024, m.ffn = 4096, m.heads = m.kv_heads = 16, m.head_dim = 64, m.vocab = 50257;
  m.max_positions = 2048;
  return m;
}
inline constexpr transformer small_llama() {
  transformer m = small_gpt();
  m.ffn = 2816, m.kv_heads = 8, m.gated = true, m.tied = m.bias = m.qkv_bias = false;
  m.position = positions::rotary, m.norm = norm_kind::rms_norm;
  return m;
}

/// Calls `check` with every combination of the choices that change which steps a layer has.
template <class F>
void each_case(F&& check) {
  for (const transformer& m : {small_gpt(), small_llama()})
    for (const u32 tp : {1u, 2u, 8u})
      for (unsigned bits = 0; bits != 128; ++bits) {
        const auto bit = [&](unsigned i) { return (bits >> i & 1) != 0; };
        framework f;
        f.attention = bit(0) ? attention_backend::unfused : attention_backend::flash2;
        f.fused_softmax = bit(1), f.fused_activation = bit(2), f.fused_dropout_add = bit(3), f.dropout = bit(4);
        f.overlaps_tp_backward = bit(5);
        check(m, shard{512, 2, tp, bit(6), dtype::bf16}, f);
      }
}

}  // namespace recorded
