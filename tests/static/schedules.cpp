// SPDX-License-Identifier: MIT
// Schedules at compile time: every slot once, warm-ups, peaks in flight; and what the vocabulary weighs.
#include "echosim/core/archetypes.hpp"
#include "echosim/schedule/gpipe.hpp"
#include "echosim/schedule/interleaved.hpp"
#include "echosim/schedule/one_f_one_b.hpp"

using namespace echosim;

template <class S>
constexpr bool visits_every_slot_once(const S& s, shape p) {
  for (u32 stage = 0; stage != p.stages; ++stage) {
    bool seen[2][8][32]{};
    for (u32 i = 0; i != 2 * p.micros * p.chunks; ++i) {
      const slot k = s.at(p, stage, i);
      if (k.micro >= p.micros || k.chunk >= p.chunks) return false;
      bool& once = seen[k.what == pass::forward ? 0 : 1][k.chunk][k.micro];
      if (once || (k.what == pass::backward && !seen[0][k.chunk][k.micro])) return false;
      once = true;
    }
  }
  return true;
}
template <class S>
constexpr u32 peak_in_flight(const S& s, shape p, u32 stage) {
  u32 now = 0, most = 0;
  for (u32 i = 0; i != 2 * p.micros * p.chunks; ++i) {
    now = s.at(p, stage, i).what == pass::forward ? now + 1 : now - 1;
    most = now > most ? now : most;
  }
  return most;
}
constexpr u32 least(u32 a, u32 b) { return a < b ? a : b; }

template <class S>
constexpr bool on_a_grid(const S& s, bool chunks) {
  for (u32 p = 1; p != 6; ++p)
    for (u32 m = 1; m != 13; ++m)
      for (u32 v = 1; v != (chunks ? 4u : 2u); ++v)
        if (s.refuses({p, m, v}) == nullptr && !visits_every_slot_once(s, {p, m, v})) return false;
  return true;
}
static_assert(on_a_grid(gpipe{}, false) && on_a_grid(one_f_one_b{}, false) && on_a_grid(interleaved{}, true));
static_assert(visits_every_slot_once(archetype::a_scheduler{}, {3, 5, 2}));

constexpr bool flights() {
  for (u32 p = 1; p != 6; ++p)
    for (u32 m = 1; m != 13; ++m)
      for (u32 r = 0; r != p; ++r) {
        if (peak_in_flight(gpipe{}, {p, m, 1}, r) != m) return false;
        if (peak_in_flight(one_f_one_b{}, {p, m, 1}, r) != least(m, p - r)) return false;
        for (u32 v = 2; v != 4; ++v)
          if (interleaved{}.refuses({p, m, v}) == nullptr &&
              peak_in_flight(interleaved{}, {p, m, v}, r) != least(m * v, 2 * (p - r - 1) + (v - 1) * p + 1))
            return false;
      }
  return true;
}
static_assert(flights());

// Megatron-LM issue 169: p 4, v 2.
static_assert(interleaved{}.warmup({4, 8, 2}, 0) == 10 && interleaved{}.warmup({4, 8, 2}, 1) == 8);
static_assert(interleaved{}.warmup({4, 8, 2}, 2) == 6 && interleaved{}.warmup({4, 8, 2}, 3) == 4);
static_assert(interleaved{}.refuses({4, 10, 2}) != nullptr && gpipe{}.refuses({4, 8, 2}) != nullptr);

struct picks {
  constexpr bool before(ready_op a, ready_op b) const { return a.op < b.op; }
};
static_assert(scheduler<picks> && !orders_slots<picks>);
struct not_a_device {
  double time(const kernel&) const;
};
static_assert(!device<not_a_device> && !device<int>);
static_assert(sizeof(duration) == 8 && sizeof(bytes) == 8 && sizeof(operation) == 24 && sizeof(slot) == 12);
