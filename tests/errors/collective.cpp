// SPDX-License-Identifier: MIT
// A collective that does not say what it offers.
// names: simulator: the 3rd argument is no collective
// names: no_collective
#include "echosim/device/roofline.hpp"
#include "echosim/interconnect/alpha_beta.hpp"
#include "echosim/sim/simulator.hpp"

struct no_collective {
  echosim::duration time(const echosim::levels&, echosim::operation) const { return {}; }
};

int main() {
  const echosim::simulator s{echosim::roofline{}, echosim::alpha_beta{}, no_collective{}};
}
