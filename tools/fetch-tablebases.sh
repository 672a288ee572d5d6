#!/bin/sh
# Fetches the Syzygy tablebases with three and four pieces for the tests: tools/fetch-tablebases.sh
#
# They come from the source package of the Python library `chess`, through pip and its configured
# index, and are unpacked to target/tablebases. Does nothing if they are there.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
version=1.11.2
sha256=a8b43e5678fdb3000695bdaa573117ad683761e5ca38e591c4826eba6d25bb39
tables=$root/target/tablebases

fail() {
    echo "$1" >&2
    exit 1
}

[ ! -f "$tables/complete" ] || exit 0

# The newest name first; some systems only have pip as a Python module.
if command -v pip >/dev/null 2>&1; then
    pip=pip
elif command -v pip3 >/dev/null 2>&1; then
    pip=pip3
elif python3 -m pip --version >/dev/null 2>&1; then
    pip="python3 -m pip"
elif [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 \
    && apt-get update && apt-get install -y python3-pip; then
    pip=pip3
else
    fail "pip is missing, which fetches the tables for tests. Type: sudo apt-get install python3-pip"
fi

work=$root/target/tablebases-work
rm -rf "$work" "$tables"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT

package=$work/chess-$version.tar.gz
echo "Fetching tablebases for the tests (6 MB)"
$pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: --dest "$work" \
    "chess==$version" || fail "The tables could not be fetched. With a network, type: make tables"

if command -v sha256sum >/dev/null 2>&1; then
    sum=$(sha256sum "$package")
else
    sum=$(shasum -a 256 "$package")
fi
[ "${sum%% *}" = "$sha256" ] || fail "The package chess $version is not the expected one: ${sum%% *}"

tar -xzf "$package" -C "$work" "chess-$version/data/syzygy/regular"
count=$(find "$work/chess-$version/data/syzygy/regular" -name '*.rtb[wz]' | wc -l)
[ "$count" -eq 70 ] || fail "The package chess $version has $count tables instead of 70"
mv "$work/chess-$version/data/syzygy/regular" "$tables"
touch "$tables/complete"
