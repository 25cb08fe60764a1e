// SPDX-License-Identifier: MIT
// A scheduler whose at() takes one number.
// names: simulator: the 4th argument is no scheduler
// names: no_scheduler
#include "echosim/device/roofline.hpp"
#include "echosim/interconnect/alpha_beta.hpp"
#include "echosim/sim/simulator.hpp"

struct no_scheduler {
  echosim::slot at(int) const { return {}; }
};

int main() {
  const echosim::simulator s{echosim::roofline{}, echosim::alpha_beta{}, echosim::nccl{}, no_scheduler{}};
}
