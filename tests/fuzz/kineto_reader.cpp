// SPDX-License-Identifier: MIT
// Any bytes are a trace whose analysis adds up, or an error.
#include "echosim/io/kineto_reader.hpp"

#include <cstdint>
#include <cstdlib>

#include "echosim/io/trace_analysis.hpp"

using namespace echosim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto t = kineto::read_trace(text_source{{reinterpret_cast<const char*>(data), size}, 1 + size % 61},
                                    {true, true, true, true});
  if (!t) return 0;
  const auto a = kineto::analyse(*t);
  if (!a || a->span != a->compute + a->exposed_communication + a->exposed_copy + a->idle) std::abort();
  return 0;
}
