#!/bin/sh
# One generation on one GPU: plays games with a network, and trains the next one on them.
# Usage: training/on-gpu.sh FOLDER NET SECONDS [options of train.py]
#
# Plays for SECONDS, or not at all if that is 0, and trains on all games in the folder (*.games), which are kept: run it again to
# play more. A training that --minutes ended goes on with SECONDS of 0, the same options and --resume. `riga lab quantise` makes
# a network of FOLDER/run/net.ckpt. The opinion of the network that plays is blended into the labels.
set -eu
[ $# -ge 3 ] || { echo "usage: $0 FOLDER NET SECONDS [options of train.py]" >&2; exit 2; }
folder=$1 net=$2 seconds=$3
shift 3
here=$(dirname "$0")
mkdir -p "$folder"

if [ "$seconds" -gt 0 ]; then
    [ -x "$folder/selfplay" ] || ${NVCC:-nvcc -O3 -std=c++17 -arch=sm_90} -o "$folder/selfplay" "$here/selfplay/selfplay.cu"
    number=$(find "$folder" -name '*.games' | wc -l)
    "$folder/selfplay" "$net" --seconds "$seconds" --games 1e8 --room "${ROOM:-1e9}" --nodes "${NODES:-150}" --blend "${BLEND:-0.5}" \
        --seed "$((20261119 + number))" --out "$folder/new"
    mv "$folder/new" "$folder/$number.games"
    rm -f "$folder/all.bin"
fi
[ -e "$folder/all.bin" ] || python3 "$here/mix.py" "$folder/all.bin" "$folder"/*.games
python3 "$here/train.py" --records "$folder/all.bin" --out "$folder/run" "$@"
