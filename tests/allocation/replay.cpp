// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <new>

#include "catch.hpp"
#include "echosim/core/archetypes.hpp"
#include "echosim/sim/price.hpp"
#include "echosim/sim/replay.hpp"

namespace {
std::size_t allocations = 0;
}
void* operator new(std::size_t n) {
  ++allocations;
  if (void* p = std::malloc(n)) return p;
  std::abort();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

using namespace echosim;

TEST_CASE("a second replay in the same workspace allocates nothing") {
  program p;
  p.kernels.resize(1);
  for (u32 i = 0; i != 1000; ++i) {
    p.add(0, stream_of(0, compute));
    if (i != 0) p.after(i - 1);
  }
  const auto o = order(p);
  REQUIRE(o);
  workspace w;
  price_kernels(archetype::a_device{}, o->get(), w);
  REQUIRE(allocations > 0);
  replay(*o, w);
  const std::size_t before = allocations;
  replay(*o, w);
  const std::size_t after = allocations;
  CHECK(after == before);
  CHECK(w.makespan == duration{1'000'000'000});
}
