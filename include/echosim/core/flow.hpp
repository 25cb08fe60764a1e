// SPDX-License-Identifier: MIT
// A collective taken apart into point-to-point transfers, and the sinks that receive transfers and links.
#pragma once
#include <vector>

#include "quantities.hpp"

namespace echosim::inline v0 {

/// `size` bytes from one rank to another. Flows of phase k start when all flows of phase k−1 of the call have ended.
struct flow {
  rank from{}, to{};
  bytes size{};
  u32 phase = 0;
};

struct flow_sink {
  std::vector<flow>* flows;
  void operator()(flow f) const { flows->push_back(f); }
};
struct link_sink {
  std::vector<u32>* links;
  void operator()(u32 link) const { links->push_back(link); }
};

}  // namespace echosim::inline v0
