#!/bin/sh
# Trains a network from scratch by self-play: plays games, learns from them, and plays the next
# games with the new network.
# Usage: training/generations.sh RIGA FOLDER [GENERATIONS] [POSITIONS]
#
# A generation plays POSITIONS positions (100 million: 115 MiB, one to two hours on two cores) and learns from
# the newest six generations, twelve times from each quiet position; seven in ten are quiet. Labels are
# blended with the opinion of the network before; the first one is preceded by a network with a
# single king bucket and plain labels. What is already in the folder is kept, so that a stopped run
# can be resumed.
set -eu
[ $# -ge 2 ] || { echo "usage: $0 RIGA FOLDER [GENERATIONS] [POSITIONS]" >&2; exit 2; }
riga=$1 folder=$2 generations=${3:-6} positions=${4:-100000000}
mkdir -p "$folder"

play() { # GENERATION OPTIONS...
    generation=$1
    shift
    "$riga" lab datagen --out "$folder/$generation.rdata" --threads 0 --hash 2 \
        --opening-score 250 --positions "$positions" "$@"
}

learn() { # RUN RECORDS OPTIONS...
    run=$1 records=$2
    shift 2
    [ ! -e "$run/net.ckpt" ] || return 0
    resume=
    [ ! -e "$run/state.pt" ] || resume=--resume
    size=$(stat -c %s "$records")
    # shellcheck disable=SC2086 # no argument if there is nothing to resume
    python3 training/train.py --records "$records" --out "$run" $resume --samples "$((size / 32 * 12))" "$@"
}

# The first games use the hand-written evaluation and very shallow searches: piece values are learnt
# faster from many games than from good ones.
play 0 --by-hand --nodes 25 --hard-nodes 200
generation=1
while [ "$generation" -le "$generations" ]; do
    run=$folder/$generation
    if [ ! -e "$run.net" ]; then
        all=$folder/all.bin blended=$folder/blended.bin
        oldest=$((generation > 6 ? generation - 6 : 0))
        for part in check learn; do
            # shellcheck disable=SC2046 # one argument for each file
            "$riga" lab stream --epochs 1 --part "$part" \
                $(seq -f "$folder/%g.rdata" "$oldest" "$((generation - 1))")
        done > "$all"
        before=$folder/$((generation - 1))
        [ "$generation" -gt 1 ] || learn "$before" "$all" --buckets 1
        python3 training/relabel.py "$all" --net "$before/net.ckpt" --share 0.5 --out "$blended"
        learn "$run" "$blended"
        "$riga" lab quantise "$run/net.ckpt" --out "$run.net"
        rm "$all" "$blended"
    fi
    [ "$generation" = "$generations" ] || play "$generation" --net "$run.net" --nodes 150 --hard-nodes 1000
    generation=$((generation + 1))
done
