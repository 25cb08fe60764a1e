#!/bin/sh
# SPDX-License-Identifier: MIT
# cli.sh SIMULATE: odd input to the main job ends with 1 and a sentence, impossible sizes included; a plan that does not fit
# is a result with numbers.
simulate=$1
bad=0
refuses() {  # text, then arguments
  text=$1
  shift
  out=$(timeout 60 "$simulate" "$@" 2>&1)
  status=$?
  case $out in *"$text"*) found=1 ;; *) found=0 ;; esac
  if [ $status -ne 1 ] || [ $found -eq 0 ]; then
    echo "simulate $*: ended with $status; expected 1 and '$text'; printed: $(echo "$out" | head -n 2)"
    bad=1
  fi
}
broken=$(mktemp)
echo '{"architectures": [' > "$broken"
refuses 'is not in the catalog; known are' --model nosuch
refuses 'line 2, column 1' --config "$broken"
refuses 'cannot open' --config /nonexistent/config.json
refuses 'a cluster has at least 1' --nodes 0
refuses 'tp is 0' --tp 0
refuses 'tp' --tp 5
refuses 'entries' --layout 8,8,7,7
refuses '30 layers on 4 stages; an even cut needs a multiple of 4; give a layout such as 8,8,7,7' --model megatron-3.6b --pp 4 --vpp 1 --tp 2 --nodes 1
refuses 'lower dp' --dp 200 --global-batch 100
refuses 'can be counted' --sequence 1099511627776
refuses 'whole number' --tp abc
refuses 'no option' --bogus 1
refuses 'no unit for it' --gpu v100
refuses 'operations that take' --dp 1024 --unfolded
rm -f "$broken"
out=$("$simulate" --pp 1 --tp 1 --nodes 1 --json 2>&1) || { echo 'a plan that does not fit is a result'; bad=1; }
case $out in *'it does not fit'*'"fits": false'*) ;; *) echo "a plan that does not fit: $out" | head -n 3; bad=1 ;; esac
out=$("$simulate" --micro-batches 4 2>&1) || bad=1
case $out in *'4 micro-batches on 12 stages'*) ;; *) echo 'fewer micro-batches than stages are not named'; bad=1 ;; esac
exit $bad
