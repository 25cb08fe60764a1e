// SPDX-License-Identifier: MIT
// One transformer layer, pre-norm, forward and backward, in the order in which Megatron-LM issues it
// (megatron/core/transformer/transformer_layer.py, core_r0.9.0).
#pragma once
#include "attention.hpp"
#include "mlp.hpp"
#include "residual.hpp"

namespace echosim::inline v0 {

template <step_sink S>
constexpr void layer_forward(const transformer& m, const shard& s, const framework& f, S&& sink) {
  norm_forward("attention norm", m, s, f, sink);
  attention_forward(m, s, f, sink);
  dropout_add_forward(m, s, f, sink);
  norm_forward("mlp norm", m, s, f, sink);
  mlp_forward(m, s, f, sink);
  dropout_add_forward(m, s, f, sink);
}

/// Recomputation comes first under `full`: the whole layer with its calls. Under `selective` the core of attention runs
/// again where its gradient needs it (Korthikanti et al. 2022, §5).
template <step_sink S>
constexpr void layer_backward(const transformer& m, const shard& s, const framework& f, recompute r, S&& sink) {
  if (r == recompute::full)
    layer_forward(m, s, f, sink);
  else if (gathers(s) && !f.dropout && !m.bias)
    wait_for_calls(sink);  // the first step is a kernel, also where the first work is a call
  dropout_add_backward(m, s, f, sink);
  mlp_backward(m, s, f, sink);
  norm_backward("mlp norm backward", m, s, f, sink);
  dropout_add_backward(m, s, f, sink);
  attention_backward(m, s, f, r, sink);
  norm_backward("attention norm backward", m, s, f, sink);
}

}  // namespace echosim::inline v0
