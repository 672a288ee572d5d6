#!/bin/sh
# Trains a network from scratch by self-play: plays games, learns from them, and plays the next
# games with the new network.
# Usage: training/generations.sh RIGA FOLDER [GENERATIONS] [POSITIONS]
#
# A generation plays POSITIONS positions (19 million: 22 MiB, 20 minutes on two cores) and learns
# from the newest six generations, about eight times from each position: six in ten are quiet
# enough. What is already in the folder is kept, so that a stopped run can be resumed.
set -eu
[ $# -ge 2 ] || { echo "usage: $0 RIGA FOLDER [GENERATIONS] [POSITIONS]" >&2; exit 2; }
riga=$1 folder=$2 generations=${3:-6} positions=${4:-19000000}
mkdir -p "$folder"

play() { # GENERATION OPTIONS...
    generation=$1
    shift
    "$riga" lab datagen --out "$folder/$generation.rdata" --threads 0 --hash 2 \
        --opening-score 250 --positions "$positions" "$@"
}

# The first games use the hand-written evaluation and very shallow searches: piece values are learnt
# faster from many games than from good ones.
play 0 --by-hand --nodes 25 --hard-nodes 200
generation=1
while [ "$generation" -le "$generations" ]; do
    run=$folder/$generation
    if [ ! -e "$run.net" ]; then
        oldest=$((generation > 6 ? generation - 6 : 0))
        resume=
        [ ! -e "$run/state.pt" ] || resume=--resume
        # shellcheck disable=SC2046,SC2086 # one argument for each file, and none if there is nothing to resume
        python3 training/train.py --riga "$riga" --out "$run" $resume \
            --samples "$((positions * 5 * (generation - oldest)))" \
            $(seq -f "$folder/%g.rdata" "$oldest" "$((generation - 1))")
        "$riga" lab quantise "$run/net.ckpt" --out "$run.net"
    fi
    [ "$generation" = "$generations" ] || play "$generation" --net "$run.net" --nodes 150 --hard-nodes 1000
    generation=$((generation + 1))
done
