// SPDX-License-Identifier: MIT
// Any bytes, as the configuration of every framework: a setup from which model and plan can be asked, or an error.
#include <cstdint>
#include <cstdlib>

#include "echosim/io/astra.hpp"
#include "echosim/io/calculon.hpp"
#include "echosim/io/deepspeed.hpp"
#include "echosim/io/gpt_neox.hpp"
#include "echosim/io/nemo.hpp"
#include "echosim/io/yaml.hpp"

using namespace echosim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto root = parse_yaml({reinterpret_cast<const char*>(data), size});
  if (!root) return 0;
  for (const auto& s : {nemo::read_config(*root), gpt_neox::read_config(*root), deepspeed::read_config(*root),
                        calculon::read_model(*root), calculon::read_execution(*root)}) {
    if (!s && s.why().what.find(';') == std::string::npos) std::abort();
    if (!s) continue;
    (void)model_of(*s);
    (void)plan_of(*s);
  }
  (void)calculon::read_system(*root);
  (void)astra::read_network(*root);
  (void)astra::read_system(*root);
  (void)astra::read_groups(*root);
  (void)astra::read_dimensions(*root);
  return 0;
}
