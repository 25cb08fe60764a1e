#!/bin/sh
# SPDX-License-Identifier: MIT
# codegen.sh COMPILER FILE: the functions of FILE named loop_* contain no indirect call once optimised.
object=$(mktemp) || exit 2
trap 'rm -f "$object"' EXIT
"$1" -std=c++20 -O2 -fno-exceptions -fno-rtti -Iinclude -c "$2" -o "$object" || exit 1
code=$(objdump -d --no-show-raw-insn "$object")
printf '%s\n' "$code" | grep -q 'loop_' || { echo "no loop_* function found"; exit 1; }
hits=$(printf '%s\n' "$code" | grep -E '(call|jmp) +\*[^%]*\(|call +\*|blr ' | grep -v 'notrack jmp')
[ -z "$hits" ] || { printf 'indirect calls:\n%s\n' "$hits"; exit 1; }
