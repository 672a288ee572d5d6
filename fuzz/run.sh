#!/bin/sh
# Fuzzes the parsers with libFuzzer on stable Rust: fuzz/run.sh [seconds] [target...]
#
# Runs each target (default: all) for the given time (default: 60 seconds). New inputs go to
# target/fuzz-corpus, crashes to target/fuzz-artifacts; copy what is worth keeping to fuzz/corpus by
# hand. The exit code is not zero if anything crashed.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
seconds=60
if [ $# -gt 0 ]; then
    seconds=$1
    shift
fi
[ $# -gt 0 ] || set -- fen san uci_move uci_command uci_answer pgn data net book message library

# An explicit target, so that the flags don't apply to build scripts and other builds.
target=${CARGO_TARGET_DIR:-$root/target}
triple=$(rustc -vV | sed -n 's/^host: //p')
coverage="-Cpasses=sancov-module"
for option in level=4 inline-8bit-counters pc-table trace-compares; do
    coverage="$coverage -Cllvm-args=-sanitizer-coverage-$option"
done
cpu=
case $triple in x86_64-*) cpu="-Ctarget-cpu=x86-64-v2" ;; esac
RUSTFLAGS="$cpu $coverage --cfg fuzzing" cargo build --quiet --profile fuzz -p riga-fuzz \
    --features libfuzzer --target "$triple"

failed=
for name in "$@"; do
    found=$target/fuzz-corpus/$name
    artifacts=$target/fuzz-artifacts/$name
    mkdir -p "$found" "$artifacts"
    echo "== $name, $seconds seconds"
    "$target/$triple/fuzz/$name" "$found" "fuzz/corpus/$name" -max_total_time="$seconds" \
        -timeout=5 -rss_limit_mb=2048 -max_len=65536 -artifact_prefix="$artifacts/" \
        -print_final_stats=1 -verbosity=0 || failed="$failed $name"
done
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
