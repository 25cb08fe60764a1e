// SPDX-License-Identifier: MIT
// An interconnect of your own: anything that describes a group as levels. Here a bus that all members share.
#include <cstdio>

#include "echosim/collective/ring.hpp"
#include "echosim/core/concepts.hpp"

using namespace echosim;

// [interconnect]
struct shared_bus {
  bandwidth total{64e9};
  levels levels_of(const group& g) const {
    const u32 n = size(g) * count(g.siblings);  // everybody who talks at the same time
    return one_level(size(g), total / n, {2'000'000});
  }
};
static_assert(interconnect<shared_bus>);
// [/interconnect]

int main() {
  for (const u32 n : {2u, 4u, 8u}) {
    group g;
    g.members[0] = {n, 1};
    const cost c = ring{}.time(shared_bus{}.levels_of(g), {call::all_reduce, {1 << 30}, dimension::dp});
    std::printf("all-reduce of 1 GiB over %u ranks: %.1f ms\n", n, seconds(c.total()) * 1e3);
  }
}
