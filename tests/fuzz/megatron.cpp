// SPDX-License-Identifier: MIT
// Any bytes are a setup from which a model and a plan can be asked, or an error.
#include "echosim/io/megatron.hpp"

#include <cstdint>
#include <cstdlib>

using namespace echosim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto s = megatron::read_arguments({reinterpret_cast<const char*>(data), size});
  if (!s && s.why().what.find(';') == std::string::npos) std::abort();
  if (!s) return 0;
  (void)model_of(*s);
  (void)plan_of(*s);
  return 0;
}
