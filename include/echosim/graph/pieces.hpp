// SPDX-License-Identifier: MIT
// The pieces that a pipeline stage is made of (embedding, layer, head), recorded once as steps and stamped out for every
// micro-batch, layer and rank.
#pragma once
#include <algorithm>
#include <vector>

#include "../model/embedding.hpp"
#include "../model/head.hpp"
#include "../model/layer.hpp"
#include "../plan/plan.hpp"
#include "program.hpp"

namespace echosim::inline v0::detail {

/// Steps whose kernels are entries of program::kernels and whose calls are numbered within pieces::calls.
using piece = std::vector<step>;

[[nodiscard]] inline u32 kernel_entry(program& p, const kernel& k) {
  const auto at = std::find(p.kernels.begin(), p.kernels.end(), k);
  if (at != p.kernels.end()) return static_cast<u32>(at - p.kernels.begin());
  p.kernels.push_back(k);
  return static_cast<u32>(p.kernels.size() - 1);
}

/// Bytes of one activation element between kernels: 16-bit formats and below travel as 16 bit.
[[nodiscard]] constexpr i64 activation_bytes(dtype t) { return std::max<i64>(bits(t), 16) / 8; }

/// Whether a stage's tp ranks each send a slice of the activation that the receiver gathers (Narayanan et al. 2021,
/// §4.1); with sequence parallelism slices stay slices.
[[nodiscard]] constexpr bool gathers_received(const plan& p) {
  return p.tp > 1 && !p.sequence_parallel && p.behaves.sends_slices && p.pp > 1;
}

struct pieces {
  piece gather, embedding[2], layer[2], head[2];  ///< [0] forward, [1] backward
  std::vector<operation> calls;                   ///< distinct tensor-parallel calls of all pieces

  pieces(program& p, const transformer& m, const plan& q) {
    const shard s{q.sequence, q.micro_batch, q.tp, q.sequence_parallel, q.type};
    const framework& f = q.behaves;
    if (gathers_received(q)) {
      recorder received{p, *this, gather};
      received.call({call::all_gather, {micro_tokens(q) * m.hidden * activation_bytes(q.type)}, dimension::tp}, true);
      wait_for_calls(received);
    }
    embedding_forward(m, s, f, recorder{p, *this, embedding[0]});
    embedding_backward(m, s, f, recorder{p, *this, embedding[1]});
    layer_forward(m, s, f, recorder{p, *this, layer[0]});
    layer_backward(m, s, f, q.recomputes, recorder{p, *this, layer[1]});
    head_forward(m, s, f, recorder{p, *this, head[0]});
    head_backward(m, s, f, recorder{p, *this, head[1]});
  }

 private:
  struct recorder {
    program& p;
    pieces& all;
    piece& into;
    void run(const kernel& k, bool joins) { into.push_back({kernel_entry(p, k), false, joins}); }
    void call(operation o, bool joins) {
      const auto at = std::find(all.calls.begin(), all.calls.end(), o);
      into.push_back({static_cast<u32>(at - all.calls.begin()), true, joins});
      if (at == all.calls.end()) all.calls.push_back(o);
    }
  };
};

/// What one pass of a model chunk runs: consecutive layers, perhaps with an end of the model.
struct content {
  bool gather = false, embedding = false, head = false;
  u32 layers = 0;
  constexpr bool operator==(const content&) const = default;
};

/// The pieces of `c` in the order of the pass.
template <class F>
void each_piece(const pieces& from, const content& c, pass what, F&& use) {
  const u32 w = what == pass::forward ? 0 : 1;
  const piece& first = w == 0 ? from.embedding[0] : from.head[1];
  const piece& last = w == 0 ? from.head[0] : from.embedding[1];
  if (c.gather) use(from.gather);
  if (w == 0 ? c.embedding : c.head) use(first);
  for (u32 l = 0; l != c.layers; ++l) use(from.layer[w]);
  if (w == 0 ? c.head : c.embedding) use(last);
}

}  // namespace echosim::inline v0::detail
