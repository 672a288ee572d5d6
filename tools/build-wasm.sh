#!/bin/sh
# Builds Riga's rules and engine as WebAssembly, for the board in the browser.
#
#   tools/build-wasm.sh [CARGO]
#
# Writes core.wasm, engine.wasm, engine-simd.wasm and riga.net to web/src/wasm/built, where the web
# build finds them. It needs Rust's standard library for wasm32: rustup's, or the sources of Debian's
# rust-web-src with the compiler of rustc-web, which is compiled once. Without either it says so,
# once, and the board uses the server instead.
set -eu
cd "$(dirname "$0")/.."

cargo=${1:-cargo}
target=wasm32-unknown-unknown
built=web/src/wasm/built
cache=target/wasm-build
refused=$cache/refused
mkdir -p "$cache"

# What was tried in vain: it is tried again when there is another compiler, or Debian's.
debian=/usr/lib/rustlib/src/rust/library/Cargo.lock
tried="$($cargo --version 2>/dev/null) $(ls $debian 2>/dev/null || true)"

give_up() {
    if [ ! -f "$refused" ] || [ "$(cat "$refused")" != "$tried" ]; then
        cat <<'MESSAGE'
No Rust standard library for wasm32: the board is built without WebAssembly and uses the server.
For rules, analysis and games in the browser type one of
  rustup target add wasm32-unknown-unknown
  sudo apt-get install rustc-web rust-web-src
and then make again.
MESSAGE
        printf '%s' "$tried" >"$refused"
    fi
    rm -rf "$built"
    exit 0
}

# Debian's compiler and the sources of its standard library, which are of the same version; cargo and
# the linker are rustup's if there is one.
use_debian() {
    compiler=/usr/bin/rustc
    if [ ! -e $debian ] || ! dpkg -S $compiler 2>/dev/null | grep -q '^rustc-web:'; then
        [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
        [ "$(cat "$refused" 2>/dev/null)" != "$tried" ] || return 1
        { apt-get update && apt-get install -y rustc-web rust-web-src; } >"$cache/apt.log" 2>&1 || return 1
    fi
    linker=$(ls "$(rustc --print sysroot)"/lib/rustlib/*/bin/rust-lld 2>/dev/null | head -n 1)
    [ -n "$linker" ] || linker=$(command -v rust-lld || command -v wasm-ld) || return 1
    export RUSTC=$compiler RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$linker"
    extra="-Zbuild-std=std,panic_abort"
}

extra=
if [ -d "$(rustc --print sysroot 2>/dev/null)/lib/rustlib/$target/lib" ]; then
    : # rustup's, or a distribution's
elif [ "$(cat "$refused" 2>/dev/null)" != "$tried" ] && command -v rustup >/dev/null \
    && rustup target add $target >"$cache/rustup.log" 2>&1; then
    :
else
    use_debian || give_up
fi

# The three builds differ in their flags, so cargo would start from the beginning each time: nothing is done if no
# source is newer than the last build by the same compiler.
stamp=$cache/built
compiler="$($cargo --version) $extra"
sources=$($cargo tree --locked --package riga-browser --edges normal,build --prefix none | sed -n 's/.*\/\(crates\/[a-z]*\)).*/\1/p' | sort -u)
# shellcheck disable=SC2086
if [ "$(cat "$stamp" 2>/dev/null)" = "$compiler" ] && [ -f "$built/core.wasm" ] && [ -f "$built/engine.wasm" ] \
    && [ -f "$built/engine-simd.wasm" ] && [ -f "$built/riga.net" ] && [ -n "$sources" ] \
    && [ -z "$(find $sources nets Cargo.toml Cargo.lock tools/build-wasm.sh -newer "$stamp" | head -n 1)" ]; then
    exit 0
fi
echo "Building rules and engine for the browser. The first time takes some minutes."
printf '%s' "$compiler" >"$stamp.new"

# build FEATURE RUSTFLAGS NAME
build() {
    # shellcheck disable=SC2086
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="$2" $cargo rustc --quiet --locked --lib \
        --package riga-browser --no-default-features --features "$1" --crate-type cdylib \
        --profile wasm --target $target --target-dir "$cache/$3" $extra
    put "$cache/$3/$target/wasm/browser.wasm" "$3"
}

# The web build looks at times: what hasn't changed stays as it is.
put() {
    cmp -s "$1" "$built/$2" || cp "$1" "$built/$2"
}

mkdir -p "$built"
# A call costs more than in native code, so the engine has fewer of them.
inline="-C llvm-args=-inline-threshold=500"
# Most of the time goes into linking, which takes one core: all three at once, each in a folder of its own.
# Ctrl-C doesn't reach what runs in the background.
trap 'trap - TERM; kill 0' INT
build core "" core.wasm & core=$!
build engine "$inline" engine.wasm & engine=$!
build engine "$inline -C target-feature=+simd128" engine-simd.wasm & simd=$!
wait $core
wait $engine
wait $simd
put nets/riga.net riga.net
# It is as old as the start of the build: what has changed since is built next time.
mv "$stamp.new" "$stamp"
rm -f "$refused"
