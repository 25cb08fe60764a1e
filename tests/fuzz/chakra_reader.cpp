// SPDX-License-Identifier: MIT
// Any bytes are a trace that comes out of the writer as it went in, or an error.
#include "echosim/io/chakra_reader.hpp"

#include <cstdint>
#include <cstdlib>

#include "echosim/io/chakra_check.hpp"
#include "echosim/io/chakra_write.hpp"

using namespace echosim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto t = chakra::read_trace({reinterpret_cast<const char*>(data), size});
  if (!t) return 0;
  const auto again = chakra::read_trace(chakra::bytes_of(*t));
  if (!again || again->nodes != t->nodes) std::abort();
  (void)chakra::check({*t, *again});
  return 0;
}
