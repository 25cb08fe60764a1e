// SPDX-License-Identifier: MIT
// Any bytes are a schedule or an error that says something.
#include "echosim/io/goal.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Ranks behind the text's own number are one below 1000, so that no input asks for gigabytes of empty ranks.
  const std::string text = "num_ranks 999\n" + std::string{reinterpret_cast<const char*>(data), size};
  const auto r = echosim::goal::read_schedule(text);
  if (!r && r.why().what.find(';') == std::string::npos) std::abort();
  return 0;
}
