// SPDX-License-Identifier: MIT
#include "echosim/model/head.hpp"

#include "catch.hpp"
#include "recorded.hpp"

using namespace echosim;
using namespace recorded;

namespace {

steps head(const shard& s, bool fused, bool backward, transformer m = small_gpt()) {
  framework f;
  f.fused_loss = fused;
  steps t;
  if (backward)
    head_backward(m, s, f, t);
  else
    head_forward(m, s, f, t);
  return t;
}
constexpr shard cut{2048, 2, 8, true, dtype::bf16};

}  // namespace

TEST_CASE("a head begins and ends with a kernel that joins") {
  for (const u32 tp : {1u, 8u})
    for (const bool sp : {false, true})
      for (const bool fused : {false, true})
        for (const bool backward : {false, true}) {
          const steps t = head({512, 1, tp, sp, dtype::bf16}, fused, backward);
          CHECK_FALSE(t.all.front().is_call);
          CHECK_FALSE(t.all.back().is_call);
          CHECK(t.all.back().joins);
        }
}

TEST_CASE("the logits of all ranks together cover the padded vocabulary") {
  const steps t = head(cut, false, false);
  CHECK(t.all[position(t, "logits")].what.n * 8 == 51200);
  CHECK(work(t).count == 2.0 * 4096 * 1024 * 51200 / 8);
  CHECK(work(head(cut, false, true)).count == 2 * work(t).count);
}

TEST_CASE("Megatron-LM's loss reduces three numbers a token, in fp32") {
  for (const bool sp : {false, true}) {
    const steps t = head({2048, 2, 8, sp, dtype::bf16}, false, false);
    CHECK(calls(t, call::all_reduce) == 3);
    for (const step& s : t.all)
      if (s.is_call && s.call.kind == call::all_reduce) CHECK(s.call.size.count == 4096 * 4);
    CHECK(calls(t, call::all_gather) == (sp ? 1 : 0));
  }
  CHECK(calls(head({2048, 2, 1, false, dtype::bf16}, false, false), call::all_reduce) == 0);
}

TEST_CASE("a fused loss gathers three numbers of each rank and passes once over the logits") {
  const steps t = head(cut, true, false);
  CHECK(calls(t, call::all_reduce) == 0);
  CHECK(t.all[position(t, "loss") - 1].call == operation{call::all_gather, {4096 * 12 * 8}, dimension::tp});
  CHECK(moved_by(t, "cross entropy").count == i64{4096} * 51200 / 8 * 2);
  CHECK(moved(t) < moved(head(cut, false, false)));
}

TEST_CASE("fp32 logits are not converted") {
  const shard s{512, 1, 2, false, dtype::fp32};
  CHECK(kernels(head(s, false, false), "logits upcast") == 0);
  CHECK(kernels(head(s, false, true), "logits downcast") == 0);
  CHECK(kernels(head(cut, false, false), "logits upcast") == 1);
}
