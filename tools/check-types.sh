#!/bin/sh
# The TypeScript types of the API must match the server's OpenAPI document, and those of the
# WebAssembly modules the calls of crates/browser.
#
# tools/check-types.sh RIGA [--write]
set -eu

[ -d web/node_modules ] || npm --prefix web ci --no-audit --no-fund --silent

# check DOCUMENT TYPES MODE
check() {
    fresh=target/$(basename "$2")
    npm --prefix web run --silent types -- "../$1" --output "../$fresh" >/dev/null
    if [ "$3" = --write ]; then
        cp "$fresh" "$2"
    elif ! diff -u "$2" "$fresh"; then
        echo "$2 is out of date. Type: make types"
        exit 1
    fi
    echo "$2 is up to date"
}

"$1" openapi >target/openapi.json
check target/openapi.json web/src/api.d.ts "${2-}"
"$(dirname "$1")/examples/types" >target/calls.json
check target/calls.json web/src/wasm/calls.d.ts "${2-}"
