#!/bin/sh
# Builds riga with profile-guided optimisation (PGO), or without if llvm-profdata is missing.
# Usage: tools/pgo.sh TARGET-CPU   (native, x86-64-v2, ...)
#
# The binary is target/release/riga, as usual.
set -eu
[ $# = 1 ] || { echo "usage: $0 TARGET-CPU" >&2; exit 2; }
flags="-C target-cpu=$1"
cargo=${CARGO:-cargo}

# The tool must be as new as the compiler's LLVM.
llvm=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
profdata=
for tool in "$(rustc --print sysroot)"/lib/rustlib/*/bin/llvm-profdata "llvm-profdata-$llvm" llvm-profdata; do
  version=$("$tool" --version 2>/dev/null | sed -n 's/.*LLVM version \([0-9]*\).*/\1/p')
  if [ -n "$version" ] && [ "$version" -ge "$llvm" ]; then
    profdata=$tool
    break
  fi
done
if [ -z "$profdata" ]; then
  echo "llvm-profdata is missing: building without a profile. For a faster engine type:" >&2
  echo "  rustup component add llvm-tools    or    sudo apt-get install llvm-$llvm" >&2
  RUSTFLAGS="$flags" exec "$cargo" build --release --locked -p riga
fi

profile=$(pwd)/target/pgo
rm -rf "$profile"
mkdir -p "$profile"
RUSTFLAGS="$flags -C profile-generate=$profile" \
  "$cargo" build --release --locked -p riga --target-dir target/profiled
# A typical load: search to some depth, with a small and a large hash table.
target/profiled/release/riga bench >/dev/null
target/profiled/release/riga bench --depth 15 --hash 64 >/dev/null
"$profdata" merge -o "$profile/riga.profdata" "$profile"
RUSTFLAGS="$flags -C profile-use=$profile/riga.profdata" "$cargo" build --release --locked -p riga
