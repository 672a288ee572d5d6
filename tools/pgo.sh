#!/bin/sh
# Builds riga with profile-guided optimisation (PGO), or without if there is no llvm-profdata that
# can read the compiler's profiles.
# Usage: tools/pgo.sh TARGET-CPU   (native, x86-64-v2, ...)
#
# The binary is target/release/riga, as usual.
set -eu
[ $# = 1 ] || { echo "usage: $0 TARGET-CPU" >&2; exit 2; }
flags="-C target-cpu=$1 ${RIGA_RUSTFLAGS:-}"
cargo=${CARGO:-cargo}
export CARGO_PROFILE_RELEASE_LTO=fat
profile=$(pwd)/target/pgo
rm -rf "$profile"
mkdir -p "$profile"

# The format of profiles changes less often than LLVM's version: try the tools on a tiny program.
echo 'fn main() {}' > "$profile/probe.rs"
rustc -C profile-generate="$profile/probe" -o "$profile/probe.out" "$profile/probe.rs"
"$profile/probe.out"
find_profdata() {
  for tool in "$(rustc --print sysroot)"/lib/rustlib/*/bin/llvm-profdata \
    $(printf '%s\n' /usr/bin/llvm-profdata-* | sort -rV) llvm-profdata; do
    if "$tool" merge -o "$profile/probe.profdata" "$profile/probe" 2>/dev/null; then
      echo "$tool"
      return
    fi
  done
}
profdata=$(find_profdata)
if [ -z "$profdata" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  { apt-get update && apt-get install -y llvm-19; } || true
  profdata=$(find_profdata)
fi
if [ -z "$profdata" ]; then
  echo "No llvm-profdata here reads this compiler's profiles: building without. For an engine that is" >&2
  echo "a tenth faster type:  sudo apt-get install llvm-19    or    rustup component add llvm-tools" >&2
  RUSTFLAGS="$flags" exec "$cargo" build --release --locked -p riga
fi

RUSTFLAGS="$flags -C profile-generate=$profile/runs" \
  "$cargo" build --release --locked -p riga --target-dir target/profiled
# Build scripts and macros were profiled, too.
rm -rf "$profile/runs"
# A typical load: search to some depth, with a small and a large hash table.
target/profiled/release/riga bench >/dev/null
target/profiled/release/riga bench --depth 15 --hash 64 >/dev/null
"$profdata" merge -o "$profile/riga.profdata" "$profile/runs"
RUSTFLAGS="$flags -C profile-use=$profile/riga.profdata" "$cargo" build --release --locked -p riga
