// SPDX-License-Identifier: MIT
// A pipeline schedule of your own: which pass a stage runs next. Here GPipe in waves, so that fewer micro-batches live.
#include <cstdio>

#include "echosim/device/catalog.hpp"
#include "echosim/device/roofline.hpp"
#include "echosim/interconnect/catalog.hpp"
#include "echosim/model/catalog.hpp"
#include "echosim/schedule/gpipe.hpp"
#include "echosim/sim/simulator.hpp"

using namespace echosim;

// [scheduler]
struct waves {
  u32 width = 4;
  slot at(shape p, u32, u32 i) const {
    const u32 wave = i / (2 * width), first = wave * width, here = std::min(width, p.micros - first);
    const u32 k = i - 2 * first;
    return k < here ? slot{pass::forward, first + k, 0} : slot{pass::backward, first + k - here, 0};
  }
};
static_assert(scheduler<waves>);
// [/scheduler]

template <class S>
void show(const char* name, const S& order) {
  plan p;
  p.pp = 4, p.tp = 8, p.global_batch = 16;
  const simulator sim{roofline{h100_sxm, 0.6, 0.8}, find_node("dgx_h100")->net, nccl{}, order};
  workspace w;
  const auto r = sim.run(find_model("megatron-18.4b")->is, p, w);
  if (!r) return void(std::puts(r.why().what.c_str()));
  std::printf("%-12s step %6.1f ms, bubble %4.1f %%, activations %5.2f GB\n", name, seconds(r->step) * 1e3,
              100 * (r->time().bubble / r->step), static_cast<double>(r->memory[0].activations.count) * 1e-9);
}

int main() {
  show("gpipe", gpipe{});
  show("waves of 4", waves{});
  show("1F1B", one_f_one_b{});
}
