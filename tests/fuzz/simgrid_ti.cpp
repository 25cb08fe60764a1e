// SPDX-License-Identifier: MIT
// Any bytes are a trace or an error that says something.
#include "echosim/io/simgrid_ti.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto r = echosim::simgrid_ti::read_trace(text);
  if (!r && r.why().what.find(';') == std::string::npos) std::abort();
  return 0;
}
