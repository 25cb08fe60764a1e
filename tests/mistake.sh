#!/bin/sh
# SPDX-License-Identifier: MIT
# mistake.sh COMPILER FILE: FILE does not compile, in at most 25 lines of diagnosis, which contain each text after
# `// names: ` in the file.
out=$("$1" -std=c++20 -fsyntax-only -Iinclude "$2" 2>&1) && { echo "$2 compiles; it must not"; exit 1; }
lines=$(printf '%s\n' "$out" | wc -l)
if [ "$lines" -gt 25 ]; then
  printf '%s\n' "$out"
  echo "$lines lines of diagnosis; at most 25"
  exit 1
fi
sed -n 's/^\/\/ names: //p' "$2" | while read -r text; do
  printf '%s\n' "$out" | grep -qF "$text" || { printf '%s\n' "$out"; echo "the diagnosis does not name: $text"; exit 1; }
done
