// SPDX-License-Identifier: MIT
// Any bytes are a trace that comes out of the writer as it went in, or an error.
#include "echosim/io/chakra_reader.hpp"

#include <cstdint>
#include <cstdlib>

#include "echosim/io/astra_run.hpp"
#include "echosim/io/chakra_check.hpp"
#include "echosim/io/chakra_program.hpp"
#include "echosim/io/chakra_write.hpp"

using namespace echosim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto t = chakra::read_trace({reinterpret_cast<const char*>(data), size});
  if (!t) return 0;
  const auto again = chakra::read_trace(chakra::bytes_of(*t));
  if (!again || again->nodes != t->nodes) std::abort();
  const std::vector<chakra::trace> both{*t, *again};
  (void)chakra::check(both);
  (void)chakra::program_of(both);
  astra::system s;
  s.all_reduce = s.all_gather = s.reduce_scatter = s.all_to_all = {"ring"};
  s.local_memory = 1, s.peak = 1;
  s.roofline = size % 2 == 0;
  (void)astra::run(both, {{astra::topology::ring, 2, 50, 500}}, s, {{1, {0, 1}}}, astra::backend::unaware);
  return 0;
}
