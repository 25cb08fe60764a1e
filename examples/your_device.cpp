// SPDX-License-Identifier: MIT
// A device of your own: anything that tells how long a kernel takes. No base class, no registration.
#include <cstdio>

#include "echosim/interconnect/catalog.hpp"
#include "echosim/model/catalog.hpp"
#include "echosim/sim/simulator.hpp"

using namespace echosim;

// [device]
struct tensor_engine {  // half the peak on matrices, everything else at 1.5 TB/s
  duration time(const kernel& k) const {
    return k.kind == kernel_kind::gemm ? k.work / flop_rate{500e12} : k.moved / bandwidth{1.5e12};
  }
};
static_assert(device<tensor_engine>);
// [/device]

int main() {
  plan p;
  p.tp = 4, p.dp = 2, p.sequence = 4096, p.global_batch = 16;
  const simulator sim{tensor_engine{}, find_node("dgx_h100")->net};
  workspace w;
  const auto r = sim.run(find_model("llama-2-7b")->is, p, w);
  if (!r) return std::puts(r.why().what.c_str()), 1;
  std::printf("step %.1f ms, %.0f TFLOP/s/GPU\n", seconds(r->step) * 1e3, r->rate().per_second * 1e-12);
}
