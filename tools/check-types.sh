#!/bin/sh
# The TypeScript types of the API must match the server's OpenAPI document.
#
# tools/check-types.sh RIGA [--write]
set -eu

types=web/src/api.d.ts
fresh=target/api.d.ts
"$1" openapi >target/openapi.json
[ -d web/node_modules ] || npm --prefix web ci --no-audit --no-fund --silent
npm --prefix web run --silent types -- ../target/openapi.json --output "../$fresh" >/dev/null
if [ "${2-}" = --write ]; then
    cp $fresh $types
elif ! diff -u $types $fresh; then
    echo "$types is out of date. Type: make types"
    exit 1
fi
echo "$types is up to date"
