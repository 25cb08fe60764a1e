// SPDX-License-Identifier: MIT
// Any bytes are a workload or an error that says something.
#include "echosim/io/simai.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto r = echosim::simai::read_workload({reinterpret_cast<const char*>(data), size});
  if (!r && r.why().what.find(';') == std::string::npos) std::abort();
  return 0;
}
