// SPDX-License-Identifier: MIT
#include "echosim/plan/memory.hpp"
#include "echosim/schedule/interleaved.hpp"

using namespace echosim;

u64 loop_slots(shape p, u32 stage) {
  u64 sum = 0;
  for (u32 i = 0; i != 2 * p.micros * p.chunks; ++i) {
    const slot k = interleaved{}.at(p, stage, i);
    sum += k.micro + k.chunk + static_cast<u32>(k.what);
  }
  return sum;
}
