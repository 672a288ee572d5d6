#!/bin/sh
# One generation on one GPU: plays games with a network, and trains the next one on them.
# Usage: training/on-gpu.sh FOLDER NET SECONDS [options of train.py]
#
# Plays for SECONDS, or not at all if that is 0, and trains on all games in the folder (*.games), which are kept: run it again to
# play more. A training that --minutes ended goes on with SECONDS of 0, the same options and --resume. `riga lab quantise` makes
# a network of FOLDER/run/net.ckpt. The opinion of the network that plays is blended into the labels.
#
# With RIGA=target/release/riga, all but two of the processor's cores play, too, for as long as this runs; what they have
# played (*.rdata) counts from the end of the SECONDS on, and what they play during the training from those of the next time.
#
# The GPU's searches have NODES nodes (700), those of the cores CORE_NODES (4000): a network that has learnt all that short searches
# tell learns more from longer ones (docs/nnue.md). TRUST (0.85) is the lambda of the labels, BLEND (0.4) the network's share in them; openings
# in which somebody is ahead by more than OPENING (120) centipawns aren't played. One pass over some millions of records (--samples) is enough: a network that sees them again learns their
# noise (nets/README.md).
set -eu
[ $# -ge 3 ] || { echo "usage: $0 FOLDER NET SECONDS [options of train.py]" >&2; exit 2; }
folder=$1 net=$2 seconds=$3
shift 3
here=$(dirname "$0")
nodes=${NODES:-700} core_nodes=${CORE_NODES:-4000} opening=${OPENING:-120} trust=${TRUST:-0.85} blend=${BLEND:-0.4}
mkdir -p "$folder"

count() {
    find "$folder" -name "$1" | wc -l
}

cores=
stop_cores() {
    [ -z "$cores" ] || { kill "$cores" 2>/dev/null && wait "$cores"; } || true
    cores=
}
trap stop_cores EXIT
trap 'exit 1' INT TERM

start_cores() {
    [ -n "${RIGA:-}" ] || return 0
    threads=$(nproc)
    nice -n 19 "$RIGA" lab datagen --out "$folder/$(count '*.rdata').rdata" --threads "$((threads > 2 ? threads - 2 : 1))" --net "$net" \
        --nodes "$core_nodes" --hash 8 --opening-score "$opening" --seed "$((20261400 + $(count '*.rdata')))" >"$folder/cores.log" 2>&1 &
    cores=$!
}

# Makes records of what the cores have played.
collect() {
    [ -n "${RIGA:-}" ] || return 0
    for games in "$folder"/*.rdata; do
        records=${games%.rdata}-cores
        { [ -s "$games" ] && [ ! -e "$records.games" ]; } || continue
        for part in check learn; do "$RIGA" lab stream "$games" --epochs 1 --trust "$trust" --threads "$(nproc)" --part "$part"; done >"$records.bin"
        python3 "$here/relabel.py" "$records.bin" --net "$net" --share "$blend" --out "$records.new"
        rm "$records.bin"
        mv "$records.new" "$records.games"
    done
}

start_cores
if [ "$seconds" -gt 0 ]; then
    [ -x "$folder/selfplay" ] || ${NVCC:-nvcc -O3 -std=c++17 -arch=sm_90} -o "$folder/selfplay" "$here/selfplay/selfplay.cu"
    number=$(count '[0-9]*-gpu.games')
    "$folder/selfplay" "$net" --seconds "$seconds" --games 1e8 --room "${ROOM:-1e9}" --nodes "$nodes" --opening-score "$opening" --trust "$trust" \
        --blend "$blend" --seed "$((20261119 + number))" --out "$folder/new"
    mv "$folder/new" "$folder/$number-gpu.games"
    stop_cores
    collect
    start_cores
    rm -f "$folder/all.bin"
fi
[ -e "$folder/all.bin" ] || python3 "$here/mix.py" "$folder/all.bin" "$folder"/*.games
python3 "$here/train.py" --records "$folder/all.bin" --out "$folder/run" "$@"
