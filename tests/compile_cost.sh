#!/bin/sh
# SPDX-License-Identifier: MIT
# What including the simulator costs: template instantiations (clang++ -ftime-trace) over those of the standard headers that it
# uses, and preprocessed lines. A record, not a test: compile_cost.sh prints, nothing fails.
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
printf '#include <algorithm>\n#include <array>\n#include <cmath>\n#include <numeric>\n#include <string>\n#include <variant>\n#include <vector>\nint main() {}\n' > "$dir/standard.cpp"
cat > "$dir/simulator.cpp" <<'X'
#include "echosim/device/catalog.hpp"
#include "echosim/device/tiled.hpp"
#include "echosim/interconnect/catalog.hpp"
#include "echosim/model/catalog.hpp"
#include "echosim/sim/simulator.hpp"
int main() {
  echosim::workspace w;
  const echosim::simulator s{echosim::tiled{echosim::h100_sxm}, echosim::nodes[0].net};
  return s.run(echosim::find_model("gpt-175b")->is, {}, w) ? 0 : 1;
}
X
for f in standard simulator; do
  clang++ -std=c++20 -O0 -Iinclude -ftime-trace -ftime-trace-granularity=0 -c "$dir/$f.cpp" -o "$dir/$f.o"
  echo "$f: $(grep -o '"name":"Instantiate\(Class\|Function\)"' "$dir/$f.json" | wc -l) instantiations, $(clang++ -std=c++20 -Iinclude -E -P "$dir/$f.cpp" | wc -l) lines"
done
