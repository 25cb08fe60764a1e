#!/bin/sh
# SPDX-License-Identifier: MIT
# Code in README.md and docs/*.md is cut from compiled files: a block after `<!-- from: FILE [REGION] -->` equals the text
# between `// [REGION]` and `// [/REGION]` in FILE, or the whole file.
bad=0
for page in README.md docs/*.md; do
  [ -f "$page" ] || continue
  grep -n '^<!-- from: ' "$page" > "${TMPDIR:-/tmp}/snippets.$$"
  while IFS=: read -r line rest; do
    file=$(echo "$rest" | sed 's/^<!-- from: \([^ ]*\).*/\1/')
    region=$(echo "$rest" | sed -n 's/^<!-- from: [^ ]* \([^ ]*\) -->$/\1/p')
    shown=$(tail -n +"$((line + 2))" "$page" | sed '/^```$/,$d')
    if [ -n "$region" ]; then
      want=$(sed -n "/^ *\/\/ \[$region\]\$/,/^ *\/\/ \[\/$region\]\$/p" "$file" | sed '1d;$d')
    else
      want=$(cat "$file")
    fi
    if [ "$shown" != "$want" ] || [ -z "$want" ]; then
      echo "$page:$line differs from $file $region"
      bad=1
    fi
  done < "${TMPDIR:-/tmp}/snippets.$$"
  rm -f "${TMPDIR:-/tmp}/snippets.$$"
done
exit $bad
