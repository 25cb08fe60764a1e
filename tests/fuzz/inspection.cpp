// SPDX-License-Identifier: MIT
// Any bytes are recognised and read, or refused with a reason.
#include "echosim/io/inspection.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  if (std::string{reinterpret_cast<const char*>(data), size}.find("num_ranks") != std::string::npos)
    return 0;  // has its own target
  std::string bytes{reinterpret_cast<const char*>(data), size};
  std::FILE* const file = fmemopen(bytes.data(), bytes.size(), "rb");
  if (file == nullptr) return 0;
  const auto line = echosim::inspection(file);
  std::fclose(file);
  if (!line && line.why().what.find(';') == std::string::npos) std::abort();
  if (line && line->find('\n') != std::string::npos) std::abort();
  return 0;
}
