// SPDX-License-Identifier: MIT
// Device and interconnect in the wrong order.
// names: simulator: the 1st argument is no device
// names: alpha_beta
#include "echosim/device/roofline.hpp"
#include "echosim/interconnect/alpha_beta.hpp"
#include "echosim/sim/simulator.hpp"


int main() {
  const echosim::simulator s{echosim::alpha_beta{}, echosim::roofline{}};
}
