// SPDX-License-Identifier: MIT
// Any bytes are a table or an error that says something.
#include "echosim/io/bus_bandwidth.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto r = echosim::simai::read_bus_bandwidths(text);
  if (!r && r.why().what.find(';') == std::string::npos) std::abort();
  return 0;
}
