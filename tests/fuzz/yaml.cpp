// SPDX-License-Identifier: MIT
// Any bytes are a tree or an error with a line.
#include "echosim/io/yaml.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto r = echosim::parse_yaml({reinterpret_cast<const char*>(data), size});
  if (!r && r.why().what.find("line ") != 0) std::abort();
  return 0;
}
