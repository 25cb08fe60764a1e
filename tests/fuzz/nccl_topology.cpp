// SPDX-License-Identifier: MIT
// Any bytes are a topology or an error that says something.
#include "echosim/io/nccl_topology.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto r = echosim::nccl_topology::read_system({reinterpret_cast<const char*>(data), size});
  if (!r && r.why().what.find(';') == std::string::npos) std::abort();
  return 0;
}
