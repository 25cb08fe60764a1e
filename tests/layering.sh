#!/bin/sh
# SPDX-License-Identifier: MIT
# layering.sh [ROOT]: headers of ROOT/include/echosim keep the rules of docs/contributing.md. Prints every breach.
root=${1:-.}
cd "$root/include/echosim" || exit 2
found=0
breach() { echo "include/echosim/$1: $2"; found=1; }

# What a folder may include besides itself; the axes never include each other.
below() {
  case $1 in
    core) ;;
    model) echo core ;;
    plan) echo core model ;;
    device | interconnect | collective | schedule) echo core model ;;
    graph) echo core model plan schedule ;;
    sim) echo core model plan device interconnect collective schedule graph ;;
    search) echo core model plan device interconnect collective schedule graph sim ;;
    io) echo core model plan device interconnect collective schedule graph sim search ;;
    *) echo none; return 1 ;;
  esac
}

for header in $(find . -name '*.hpp' | sed 's|^\./||' | sort); do
  folder=${header%%/*}
  allowed=$(below "$folder") || breach "$header" "folder $folder is no layer; give it a row in tests/layering.sh and docs/contributing.md"
  case ${header##*/} in utils.hpp | common.hpp | helpers.hpp | types.hpp | misc.hpp) breach "$header" "is named after no type; name it after what it holds" ;; esac

  [ "$(head -n 1 "$header")" = "// SPDX-License-Identifier: MIT" ] || breach "$header" "first line is no SPDX line; write // SPDX-License-Identifier: MIT"
  sed -n '2p' "$header" | grep -q '^// .' || breach "$header" "second line does not say what the file is; write it as a comment"
  grep -q '^#pragma once$' "$header" || breach "$header" "has no #pragma once"
  grep -q '^namespace echosim::inline v0' "$header" || breach "$header" "opens no namespace echosim::inline v0"
  lines=$(wc -l < "$header")
  [ "${header##*/}" = catalog.hpp ] || [ "$lines" -le 400 ] || breach "$header" "has $lines lines; a header has at most 400; split it"

  for target in $(sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$header"); do
    [ -f "$folder/$target" ] || breach "$header" "includes \"$target\", which is no file beside it; includes are relative"
    case $target in
      ../../*) breach "$header" "includes \"$target\", which leaves the library" ;;
      ../*)
        other=${target#../} other=${other%%/*}
        case " $allowed " in *" $other "*) ;; *) breach "$header" "includes \"$target\"; $folder may include: ${allowed:-std only}" ;; esac ;;
    esac
  done

  code=$(sed 's|//.*||; s|"[^"]*"||g' "$header")
  echo "$code" | grep -E '^ *using namespace ' | grep -qv 'using namespace literals;' && breach "$header" "has a using-directive; name what it needs"
  if [ "$folder" != io ]; then
    echo "$code" | grep -Eqw 'virtual|std::function|shared_ptr|std::map|throw|catch|dynamic_cast|typeid' &&
      breach "$header" "uses $(echo "$code" | grep -Eow 'virtual|std::function|shared_ptr|std::map|throw|catch|dynamic_cast|typeid' | head -n 1); only io/ may"
    echo "$code" | grep -Eq '^ *# *include *<(iostream|fstream|sstream|regex|filesystem|format|thread)>' && breach "$header" "includes streams, files or threads; only io/ may"
  fi
  case $folder in core | model | plan | device | interconnect | collective | schedule)
    echo "$code" | grep -Eq '^ *# *include *<(functional|memory|ranges|chrono)>' && breach "$header" "includes <functional>, <memory>, <ranges> or <chrono>; they cost more than the layer itself" ;;
  esac
done
macros=$(grep -rhoE '^ *# *define +ECHOSIM_[A-Z_]+' . | sed 's/.* //' | sort -u | wc -l)
[ "$macros" -le 3 ] || breach . "$macros macros; three at most"
grep -rnE '^ *# *define ' --include='*.hpp' . | grep -v ECHOSIM_ && breach . "a macro without the prefix ECHOSIM_"
exit $found
