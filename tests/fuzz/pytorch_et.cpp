// SPDX-License-Identifier: MIT
// Any bytes are a trace or an error that says something.
#include "echosim/io/pytorch_et.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto r = echosim::pytorch_et::read_trace(echosim::text_source{text, 1 + size % 31});
  if (!r && r.why().what.find(';') == std::string::npos) std::abort();
  return 0;
}
