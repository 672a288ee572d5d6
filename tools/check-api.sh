#!/bin/sh
# Sends thousands of requests to every route of a local and of a public server (schemathesis): no
# 5xx status, and no response that is not in the OpenAPI document.
#
# tools/check-api.sh RIGA [EXAMPLES]
set -eu

riga=$1
examples=${2:-20}
venv=target/schemathesis
[ -x $venv/bin/st ] || {
    python3 -m venv $venv
    $venv/bin/pip install --quiet schemathesis==4.32.5
}

folder=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$folder"' EXIT INT TERM

check() {
    mode=$1
    shift
    "$riga" serve --port 0 --database "$folder/$mode.db" "$@" >"$folder/$mode.out" 2>"$folder/err" &
    server=$!
    tries=0
    until grep -qs http "$folder/$mode.out"; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || { cat "$folder/err"; exit 1; }
        sleep 0.1
    done
    url=$(sed -n 's/Riga listens on //p' "$folder/$mode.out")
    # One worker: with two, parsing in Python 3.11 fails at times.
    echo "schemathesis, $mode server, $examples examples per operation"
    RIGA_URL=$url RIGA_MODE=$mode SCHEMATHESIS_HOOKS=tools/api_hooks.py $venv/bin/st run "$url/api/openapi.json" \
        --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
        --no-color --max-examples "$examples" --seed 1 --generation-database none --request-timeout 30 --workers 1 \
        >"$folder/st" 2>&1 || { cat "$folder/st"; echo; tail -20 "$folder/err"; exit 1; }
    tail -12 "$folder/st"
    kill $server
    wait $server
}

check local
check public --public --origin http://chess.test --requests-per-second 100000 --analysis-minutes 6000
