// SPDX-License-Identifier: MIT
// Any bytes are tuner rules or an error that says something.
#include "echosim/io/nccl_tuner.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto r = echosim::nccl_tuner::read_rules({reinterpret_cast<const char*>(data), size});
  if (!r && r.why().what.find(';') == std::string::npos) std::abort();
  return 0;
}
