// SPDX-License-Identifier: MIT
// Any bytes are a transformer within bounds or an error.
#include "echosim/io/hugging_face.hpp"

#include <cstdint>
#include <cstdlib>

#include "echosim/model/parameters.hpp"

using namespace echosim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto m = hugging_face::read_config(std::string_view{reinterpret_cast<const char*>(data), size});
  if (m &&
      (m->layers < 1 || m->hidden < 1 || m->ffn < 1 || m->heads % m->kv_heads != 0 || m->head_dim < 1 || m->vocab < 1))
    std::abort();
  return 0;
}
