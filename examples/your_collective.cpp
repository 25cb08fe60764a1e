// SPDX-License-Identifier: MIT
// A collective of your own, beside the ones that ship: recursive doubling for small all-reduces, a ring for the rest.
#include <cstdio>

#include "echosim/collective/fastest.hpp"
#include "echosim/collective/ring.hpp"
#include "echosim/collective/tree.hpp"

using namespace echosim;

// [collective]
struct recursive_doubling {
  bool offers(call k) const { return k == call::all_reduce; }
  cost time(const levels& l, operation o) const {
    const i64 rounds = log2_ceil(l.ranks);
    cost c;
    c.algorithm = "doubling";
    c.latency = rounds * outermost(l).latency;
    c.wire = rounds * (o.size / narrowest(l));
    return c;
  }
};
static_assert(collective<recursive_doubling>);
// [/collective]

int main() {
  const levels l = one_level(64, {25e9}, {5'000'000});
  for (const i64 kib : {1, 64, 1024, 65536}) {
    const cost c = fastest<recursive_doubling, ring>{}.time(l, {call::all_reduce, {kib << 10}, dimension::dp});
    std::printf("%5lld KiB: %s, %.1f us\n", static_cast<long long>(kib), c.algorithm, seconds(c.total()) * 1e6);
  }
}
