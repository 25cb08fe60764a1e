// SPDX-License-Identifier: MIT
// A block as a max-plus map between the two clocks that enter it: its rank's compute stream and its host.
#pragma once
#include "../graph/program.hpp"

namespace echosim::inline v0 {

/// end = max(device clock + device, host clock + host); the host clock leaves `issue` later. When the device clock is at
/// least `device_bound` ahead of the host's at entry, the inside never waits for the host and is always the same.
struct block_map {
  duration device{}, host{}, issue{};
  duration device_bound{};
  duration lead{};                  ///< host time up to and with the first kernel
  duration compute{}, optimizer{};  ///< kernels inside; what remains of `device` is exposed tensor-parallel transfer
};

/// Walks the inside of a block whose rank enters with the clocks `device` and `host`; visit(step, issued, start, end).
/// Returns the device clock at exit.
template <class Visit>
constexpr duration walk_block(const step* steps, u32 count, const duration* time, const duration* issue, duration device,
                              duration host, Visit&& visit) {
  duration compute = device, comm = never;
  for (u32 i = 0; i != count; ++i) {
    const step& s = steps[i];
    duration t = s.on_comm ? comm : compute;
    if (s.joins) t = max(t, s.on_comm ? compute : comm);
    host += issue[s.what];
    t = max(t, host);
    const duration end = t + time[s.what];
    (s.on_comm ? comm : compute) = end;
    visit(s, host, t, end);
  }
  return compute;
}

[[nodiscard]] inline block_map map_of(const program& p, const block& b, const duration* time, const duration* issue) {
  block_map m;
  const step* first = p.steps.data() + b.first;
  m.device_bound = never;
  bool led = false;
  m.device = walk_block(first, b.count, time, issue, {}, never, [&](const step& s, duration, duration start, duration end) {
    m.issue += issue[s.what];
    m.device_bound = max(m.device_bound, m.issue - start);
    if (s.on_comm) return;
    if (!led) m.lead = m.issue, led = true;
    (p.kernels[s.what].kind == kernel_kind::optimizer ? m.optimizer : m.compute) += end - start;
  });
  m.host = walk_block(first, b.count, time, issue, never, {}, [](const step&, duration, duration, duration) {});
  return m;
}

}  // namespace echosim::inline v0
