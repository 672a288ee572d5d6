#!/bin/sh
# The node count of `riga bench` must match the one stated in the last commit that touches the
# search.
# Usage: tools/check-bench.sh COMMAND-THAT-PRINTS-THE-BENCH...
set -eu
paths="crates/chess/src crates/nnue/src crates/engine/src nets/riga.net"
if ! git rev-parse --git-dir >/dev/null 2>&1; then
  echo "no Git history: bench not compared"
  exit 0
fi
if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
  echo "shallow Git history: bench not compared"
  exit 0
fi
# shellcheck disable=SC2086
if ! git diff --quiet HEAD -- $paths; then
  echo "uncommitted changes to the search: bench not compared"
  exit 0
fi
# shellcheck disable=SC2086
stated=$(git log -1 --format=%B -- $paths | sed -n 's/^Bench: \([0-9]*\)$/\1/p')
found=$("$@" | sed -n 's/^\([0-9]*\) nodes .*/\1/p')
if [ -z "$stated" ]; then
  echo "the last commit that touches the search states no bench; it is $found"
  exit 1
fi
if [ "$stated" != "$found" ]; then
  echo "the bench is $found, but the last commit that touches the search states $stated"
  exit 1
fi
echo "bench $found, as stated"
