#!/bin/sh
# Measures each search idea: matches against the same engine without it.
# Usage: tools/ablate.sh OPENINGS GAMES NODES [IDEA...]
#
# Games are played at a fixed number of nodes, so that other load on the machine doesn't matter. A
# positive Elo is what the idea gains; the error bars are 95 %. SPRT=elo0=-5,elo1=5 in the
# environment ends each match when that test has decided.
set -eu
[ $# -ge 3 ] || { echo "usage: $0 OPENINGS GAMES NODES [IDEA...]" >&2; exit 2; }
openings=$1 games=$2 nodes=$3
shift 3
riga=${RIGA:-target/release/riga}
# With an SPRT, the decision is on an additional line.
lines=${SPRT:+2}

without() {
    case $1 in
    reverse_futility) echo rfp_depth=0 ;;
    razoring) echo razor_depth=0 ;;
    null_move) echo null_depth=64 ;;
    probcut) echo probcut_depth=64 ;;
    iir) echo iir_depth=64 ;;
    late_move_pruning) echo lmp_depth=0 ;;
    futility) echo futility_depth=-1 capture_futility_depth=-1 ;;
    history_pruning) echo history_pruning_depth=-1 ;;
    see_pruning) echo see_depth=-1 ;;
    singular) echo singular_depth=64 ;;
    check_extension) echo check_extension_depth=0 ;;
    reductions) echo lmr_base=-512 lmr_scale=100 lmr_capture_base=-1024 lmr_capture_scale=100 \
        lmr_cut=0 lmr_worsening=0 lmr_table_capture=0 lmr_cutoffs=0 ;;
    correction) echo correct_pawns=0 correct_pieces=0 correct_line=0 ;;
    # The current margins against wider and narrower ones.
    wider_margins) echo rfp_margin=98 razor_margin=288 futility_margin=138 futility_slope=119 \
        capture_futility_margin=300 capture_futility_slope=275 delta_margin=213 probcut_margin=238 ;;
    narrower_margins) echo rfp_margin=62 razor_margin=184 futility_margin=88 futility_slope=76 \
        capture_futility_margin=192 capture_futility_slope=176 delta_margin=136 probcut_margin=152 ;;
    *) echo "unknown idea $1" >&2; exit 1 ;;
    esac
}

[ $# -gt 0 ] || set -- reductions null_move reverse_futility late_move_pruning see_pruning \
    futility singular correction iir probcut history_pruning razoring check_extension
for idea in "$@"; do
    settings=$(without "$idea" | sed 's/ *\([a-z_]*=\)/,option.\1/g')
    played=$("$riga" match -e cmd=self,name="$idea" -e "cmd=self,name=without$settings" \
        --nodes "$nodes" --games "$games" -c "$(nproc)" --openings "$openings" --order random \
        --resign --draw ${SPRT:+--sprt "$SPRT"})
    echo "$played" | tail -n "${lines:-1}"
done
