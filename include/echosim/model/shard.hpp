// SPDX-License-Identifier: MIT
// The part of a layer that one rank computes for one micro-batch, and the protocol by which layers give their steps.
#pragma once
#include "../core/dtype.hpp"
#include "../core/kernel.hpp"
#include "../core/operation.hpp"

namespace echosim::inline v0 {

/// Which activations the backward pass computes again. `selective`: the core of attention (Korthikanti et al. 2022,
/// §5).
enum class recompute : u8 { none, selective, full };

struct shard {
  i64 sequence = 2048;  ///< tokens of a sequence
  i64 micro_batch = 1;  ///< sequences of a micro-batch
  u32 tp = 1;
  bool sequence_parallel = false;  ///< norms and residuals hold 1/tp of the sequence; needs tp > 1 to matter
  dtype type = dtype::bf16;
};

/// Receives the steps of a layer in the order in which the host issues them. Two streams: kernels run on `compute`,
/// calls on the tensor-parallel stream; each stream runs in order. `joins`: the step also waits for the last step
/// before it on the other stream; without it the step runs beside that one. A layer's first and last steps are kernels,
/// and its last kernel joins, so that nothing of a layer runs beside the next.
template <class S>
concept step_sink = requires(S& s, const kernel& k, operation o, bool joins) {
  s.run(k, joins);
  s.call(o, joins);
};

}  // namespace echosim::inline v0
