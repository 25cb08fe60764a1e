// SPDX-License-Identifier: MIT
// A device whose time is a double.
// names: simulator: the 1st argument is no device
// names: no_device
#include "echosim/device/roofline.hpp"
#include "echosim/interconnect/alpha_beta.hpp"
#include "echosim/sim/simulator.hpp"

struct no_device {
  double time(const echosim::kernel&) const { return 1; }
};

int main() {
  const echosim::simulator s{no_device{}, echosim::alpha_beta{}};
}
