// SPDX-License-Identifier: MIT
// The least that each concept asks, and nothing more: every algorithm of the library compiles against these.
#pragma once
#include "concepts.hpp"

namespace echosim::inline v0::archetype {

struct a_device {
  constexpr duration time(const kernel&) const { return {1'000'000}; }
};
struct an_interconnect {
  constexpr levels levels_of(const group& g) const { return one_level(size(g), {1e9}, {1'000'000}); }
};
struct a_collective {
  constexpr bool offers(call) const { return true; }
  constexpr duration time(const levels& l, operation o) const { return l.ranks > 1 ? o.size / l.at[0].rate : duration{}; }
};
struct a_scheduler {
  constexpr slot at(shape p, u32, u32 i) const {
    const u32 all = p.micros * p.chunks;
    return i < all ? slot{pass::forward, i % p.micros, i / p.micros}
                   : slot{pass::backward, (i - all) % p.micros, p.chunks - 1 - (i - all) / p.micros};
  }
};

static_assert(device<a_device> && !slows_beside<a_device> && !varies_by_rank<a_device> && !has_memory<a_device>);
static_assert(interconnect<an_interconnect> && !has_links<an_interconnect> && !repeats<an_interconnect>);
static_assert(collective<a_collective> && !expands_calls<a_collective>);
static_assert(scheduler<a_scheduler> && !picks_ready<a_scheduler>);

}  // namespace echosim::inline v0::archetype
