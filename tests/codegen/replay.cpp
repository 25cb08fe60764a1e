// SPDX-License-Identifier: MIT
#include "echosim/sim/replay.hpp"

void loop_replay(const echosim::ordered& p, echosim::workspace& w) { echosim::replay(p, w); }
