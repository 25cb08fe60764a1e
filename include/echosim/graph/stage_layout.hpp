// SPDX-License-Identifier: MIT
// What each model chunk holds, cut into segments: the unit in which gradients leave the last backward pass and parameters
// reach the first forward pass. Between segments a block ends.
#pragma once
#include <algorithm>
#include <vector>

#include "../plan/stages.hpp"
#include "pieces.hpp"

namespace echosim::inline v0::detail {

/// Megatron-core closes a gradient bucket after max(40 M, 1 M · dp) parameters
/// (megatron/core/distributed/distributed_data_parallel.py, core_r0.9.0).
[[nodiscard]] constexpr i64 bucket_parameters(u32 dp) { return std::max<i64>(40'000'000, i64{1'000'000} * dp); }

struct chunk_layout {
  u32 layers = 0, segments = 1, first_segment = 0;  ///< first_segment counts over all chunks of the stage
  bool embedding = false, head = false;
};

struct stage_layout {
  u32 chunks, per_segment;              ///< per_segment: layers that fill one bucket
  std::vector<chunk_layout> all;        ///< [stage · chunks + chunk]
  std::vector<u32> segments;            ///< of a stage, all chunks together

  stage_layout(const transformer& m, const plan& p) : chunks{p.vpp} {
    const i64 each = std::max<i64>(1, layer_parameters(m, p.tp));
    per_segment = static_cast<u32>(std::clamp<i64>((bucket_parameters(p.dp) + each - 1) / each, 1, std::max<i64>(1, m.layers)));
    for (u32 s = 0; s != p.pp; ++s) {
      u32 total = 0;
      for (u32 c = 0; c != chunks; ++c) {
        chunk_layout l;
        l.layers = static_cast<u32>(layers_of(m, p, s, c));
        l.segments = std::max<u32>(1, (l.layers + per_segment - 1) / per_segment);
        l.first_segment = total;
        l.embedding = s == 0 && c == 0;
        l.head = s == p.pp - 1 && c == chunks - 1;
        total += l.segments;
        all.push_back(l);
      }
      segments.push_back(total);
    }
  }
  [[nodiscard]] const chunk_layout& of(u32 stage, u32 chunk) const { return all[std::size_t{stage} * chunks + chunk]; }

  /// Segment `g` of a chunk in model order; the whole chunk when it is not cut.
  [[nodiscard]] content segment(const plan& p, u32 stage, u32 chunk, u32 g, pass what) const {
    const chunk_layout& l = of(stage, chunk);
    const bool opens = what == pass::forward ? g == 0 : g == l.segments - 1;
    content c = end_pieces(p, l, what, opens, g == 0, g == l.segments - 1);
    c.layers = std::min(per_segment, l.layers - std::min(l.layers, g * per_segment));
    return c;
  }
  [[nodiscard]] content whole(const plan& p, u32 stage, u32 chunk, pass what) const {
    const chunk_layout& l = of(stage, chunk);
    content c = end_pieces(p, l, what, true, true, true);
    c.layers = l.layers;
    return c;
  }
  /// Parameters of one rank in segment `g`: what its bucket reduces and gathers.
  [[nodiscard]] i64 parameters(const transformer& m, const plan& p, u32 stage, u32 chunk, u32 g) const {
    const chunk_layout& l = of(stage, chunk);
    const content c = segment(p, stage, chunk, g, pass::forward);
    i64 n = c.layers * layer_parameters(m, p.tp);
    if (g == 0 && l.embedding) n += embedding_parameters(m, p);
    if (g == l.segments - 1 && l.head) n += head_parameters(m, p);
    return n;
  }

 private:
  [[nodiscard]] static content end_pieces(const plan& p, const chunk_layout& l, pass what, bool opens, bool bottom, bool top) {
    content c;
    c.embedding = bottom && l.embedding;
    c.head = top && l.head;
    c.gather = opens && gathers_received(p) && !(what == pass::forward ? l.embedding : l.head);
    return c;
  }
};

}  // namespace echosim::inline v0::detail
