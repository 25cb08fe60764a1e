// SPDX-License-Identifier: MIT
#include "echosim/plan/verdict.hpp"

#include "catch.hpp"

using namespace echosim;

namespace {

constexpr verdict overfull(severity last) {
  verdict v;
  for (u32 i = 0; i != 100; ++i) v.add({rule::few_micro_batches, severity::warning, "", i, 0, 0});
  v.add({rule::world, last, "", 1, 2, 0});
  return v;
}

}  // namespace

static_assert(verdict{}.ok() && verdict{}.count == 0);
static_assert(overfull(severity::warning).ok() && overfull(severity::warning).find(rule::world) == nullptr);
static_assert(!overfull(severity::error).ok() && overfull(severity::error).find(rule::world)->required == 2);

TEST_CASE("a verdict is no error while it holds warnings alone") {
  verdict v;
  v.add({rule::tp_beyond_domain, severity::warning, "", 16, 8, 0});
  CHECK(v.ok());
  v.add({rule::heads_by_tp, severity::error, "", 12, 5, 0});
  CHECK_FALSE(v.ok());
  CHECK(v.count == 2);
}
