#!/bin/sh
# The engine's WebAssembly modules must search the same nodes as the binary.
set -eu
cd "$(dirname "$0")/.."
built=web/src/wasm/built
if [ ! -f $built/engine.wasm ]; then
    echo "no WebAssembly: not compared"
    exit 0
fi
for module in engine.wasm engine-simd.wasm; do
    tools/check-bench.sh node tools/wasm-bench.mjs $built/$module $built/riga.net
done
