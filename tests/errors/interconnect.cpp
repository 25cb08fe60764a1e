// SPDX-License-Identifier: MIT
// An interconnect that answers no question.
// names: simulator: the 2nd argument is no interconnect
// names: no_network
#include "echosim/device/roofline.hpp"
#include "echosim/interconnect/alpha_beta.hpp"
#include "echosim/sim/simulator.hpp"

struct no_network {
  int hops = 1;
};

int main() {
  const echosim::simulator s{echosim::roofline{}, no_network{}};
}
