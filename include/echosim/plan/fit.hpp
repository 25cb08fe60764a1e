// SPDX-License-Identifier: MIT
// Whether a plan can run under a schedule and within the memory of a device.
#pragma once
#include "check.hpp"
#include "memory.hpp"

namespace echosim::inline v0 {

/// check() and, where it finds no error, what the schedule refuses; then memory, of the fullest stage: an error where
/// it needs more than the device has, a warning above nine tenths (what vLLM's gpu_memory_utilization leaves by
/// default).
template <orders_slots S>
[[nodiscard]] constexpr verdict check(const transformer& m, const plan& p, const S& order, const limits& has = {}) {
  verdict v = check(m, p, has);
  if (!v.ok()) return v;
  if constexpr (refuses_shapes<S>)
    if (const char* why = order.refuses(pipeline(p)); why != nullptr) {
      v.add({rule::schedule, severity::error, why, micro_batches(p), p.pp, p.vpp});
      return v;
    }
  if (has.memory.count < 0) return v;
  i64 needs = 0;
  u32 stage = 0;
  for (u32 s = 0; s != p.pp; ++s)
    if (const i64 n = memory_of(m, p, order, s).total().count; n > needs) needs = n, stage = s;
  if (needs > has.memory.count)
    v.add({rule::memory, severity::error, "", needs, has.memory.count, stage});
  else if (needs > has.memory.count / 10 * 9)
    v.add({rule::memory_tight, severity::warning, "", needs, has.memory.count, stage});
  return v;
}

}  // namespace echosim::inline v0
