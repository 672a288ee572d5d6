#!/bin/sh
# Builds what is published, into dist/: an archive with binary, manual pages, completions and licences,
# and a Debian package. Nothing in them should depend on the time or on a path of this machine.
# Usage: tools/release.sh [PROFILE]
#
# PROFILE is a dist/riga-VERSION.profdata of an earlier run; without it one is made, if there are
# tools for it (tools/pgo.sh).
set -eu
cargo=${CARGO:-cargo}
export CARGO_PROFILE_RELEASE_LTO=fat
root=$(pwd)
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
# The binary names a commit, and must be what the commit says.
[ -z "$(git status --porcelain)" ] || { echo "There are uncommitted changes: commit or remove them first." >&2; exit 1; }
commit=$(git rev-parse --short=12 HEAD)
# Times in the archive are those of the commit.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH RIGA_COMMIT="$commit"
name="riga-$version-$(uname -m)-linux"
dist="$root/dist"
rm -rf "$dist/$name"
mkdir -p "$dist/$name"

# No path of this machine gets into the binary.
home=${CARGO_HOME:-$HOME/.cargo}
sysroot=$(rustc --print sysroot)
RIGA_RUSTFLAGS="--remap-path-prefix=$root=/riga --remap-path-prefix=$home=/cargo --remap-path-prefix=$sysroot=/rust -C link-arg=-Wl,--build-id=none -C strip=symbols"
export RIGA_RUSTFLAGS
if [ $# -ge 1 ]; then
  RUSTFLAGS="-C target-cpu=x86-64-v2 -C profile-use=$(realpath "$1") $RIGA_RUSTFLAGS" \
    "$cargo" build --release --locked -p riga
  [ "$(realpath "$1")" = "$dist/riga-$version.profdata" ] || cp "$1" "$dist/riga-$version.profdata"
else
  tools/pgo.sh x86-64-v2
  [ ! -f target/pgo/riga.profdata ] || cp target/pgo/riga.profdata "$dist/riga-$version.profdata"
fi

install -m 755 target/release/riga "$dist/$name/riga"
"$dist/$name/riga" man --out "$dist/$name/man"
mkdir -p "$dist/$name/completions"
for shell in bash zsh fish powershell elvish; do
  "$dist/$name/riga" completions "$shell" > "$dist/$name/completions/riga.$shell"
done
cp LICENSE README.md CHANGELOG.md riga.example.toml packaging/riga.service "$dist/$name/"
cp -r docs "$dist/$name/docs"
{
  echo "Riga is free software under the GNU General Public License, version 3 or later (LICENSE)."
  echo "The binary contains these libraries:"
  echo
  "$cargo" tree --locked -p riga -e normal --prefix none --format '{p}: {l}' \
    | grep -v " ($root" | sed 's/ (\*)//; s/ (proc-macro)//' | LC_ALL=C sort -u
  echo
  echo "And these parts of the board in the browser:"
  echo
  node tools/web-licences.mjs
} > "$dist/$name/LICENCES.txt"

tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw,a-s \
  -C "$dist" -cf - "$name" | gzip -9n > "$dist/$name.tar.gz"

command -v cargo-deb >/dev/null || "$cargo" install --locked cargo-deb
rm -rf target/package && mkdir -p target/package
cp -r "$dist/$name/man" "$dist/$name/completions" "$dist/$name/LICENCES.txt" target/package/
gzip -9nf target/package/man/*.1
"$cargo" deb --locked -p riga --no-build --no-strip --output "$dist/"
(cd "$dist" && sha256sum "$name.tar.gz" ./*.deb > SHA256SUMS && cat SHA256SUMS)
