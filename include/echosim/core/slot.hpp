// SPDX-License-Identifier: MIT
// A pipeline schedule's vocabulary: which pass of which micro-batch a stage runs next.
#pragma once
#include "ids.hpp"

namespace echosim::inline v0 {

/// `backward` computes both gradients at once; zero-bubble schedules split it.
enum class pass : u8 { forward, backward, backward_input, backward_weight };

/// `chunk`: which of the stage's model chunks (virtual stages), 0 first in the model.
struct slot {
  pass what = pass::forward;
  u32 micro = 0, chunk = 0;
  constexpr bool operator==(const slot&) const = default;
};

/// Pipeline stages, micro-batches of a step, model chunks a stage holds.
struct shape {
  u32 stages = 1, micros = 1, chunks = 1;
  constexpr bool operator==(const shape&) const = default;
};

/// An operation whose predecessors are done, on a stream without an order of its own.
struct ready_op {
  u32 op = 0;
  u32 priority = 0;
};

}  // namespace echosim::inline v0
