#!/bin/sh
# SPDX-License-Identifier: MIT
# Breaks each rule of layering.sh once, in a copy of a tree that keeps them, and expects to hear of it.
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d) && trap 'rm -rf "$tree"' EXIT
failed=0
fresh() {
  rm -rf "$tree/include" && mkdir -p "$tree/include/echosim/core" "$tree/include/echosim/device" "$tree/include/echosim/collective"
  for h in core/a device/b collective/c; do
    printf '// SPDX-License-Identifier: MIT\n// What it is.\n#pragma once\n#include <vector>\n\nnamespace echosim::inline v0 {}\n' > "$tree/include/echosim/$h.hpp"
  done
}
at=$tree/include/echosim/device/b.hpp
expect() {
  if said=$(sh "$here/layering.sh" "$tree"); then
    echo "not found: $1"; failed=1
  elif ! echo "$said" | grep -q -- "$2"; then
    echo "found something else for $1: $said"; failed=1
  fi
}
fresh
sh "$here/layering.sh" "$tree" || { echo "a tree that keeps the rules is refused"; failed=1; }
fresh; echo '#include "../collective/c.hpp"' >> "$at";            expect "an axis that includes another" 'device may include: core model'
fresh; echo '#include "../core/none.hpp"' >> "$at";               expect "a file that is not there" 'no file beside it'
fresh; echo '#include "echosim/core/a.hpp"' >> "$at";             expect "an absolute include" 'includes are relative'
fresh; echo '#include <functional>' >> "$at";                     expect "a banned standard header" 'functional'
fresh; echo 'struct s { virtual int f(); };' >> "$at";            expect "virtual" 'uses virtual'
fresh; echo '#define LIMIT 3' >> "$at";                           expect "a macro" 'without the prefix'
fresh; sed -i 1d "$at";                                           expect "no licence line" 'no SPDX line'
fresh; sed -i 2d "$at";                                           expect "no description" 'does not say what'
fresh; sed -i 3d "$at";                                           expect "no pragma" 'no #pragma once'
fresh; yes '// more' | head -n 400 >> "$at";                      expect "a long header" 'at most 400'
fresh; mv "$at" "$tree/include/echosim/device/utils.hpp";         expect "a drawer of a name" 'named after no type'
fresh; mv "$tree/include/echosim/device" "$tree/include/echosim/gpu"; expect "an unknown layer" 'is no layer'
exit $failed
