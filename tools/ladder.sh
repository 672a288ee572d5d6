#!/bin/sh
# Measures the levels: each against the next one, and against a known engine of limited strength.
# Usage: tools/ladder.sh RIGA BOOK [GAMES]. With STOCKFISH=path also against its UCI_Elo.
set -eu
riga=$1
book=$2
games=${3:-200}
elos="600 800 1000 1200 1450 1700 2000 2300 2650"
limited() { echo "option.UCI_LimitStrength=true,option.UCI_Elo=$1"; }
play() { # FIRST SECOND CONTROL...
  first=$1 second=$2
  shift 2
  table=$("$riga" match -e "$first" -e "$second" "$@" --games "$games" --concurrency 2 \
    --openings "$book" --order random --seed 11 --resign --draw)
  echo "$table" | tail -n 1
}
weaker=""
for elo in $elos; do
  if [ -n "$weaker" ]; then
    # Levels limit themselves; the depth is only required by riga match.
    play "cmd=self,name=$elo,$(limited "$elo")" "cmd=self,name=$weaker,$(limited "$weaker")" --depth 60
  fi
  weaker=$elo
done
if [ -n "${STOCKFISH:-}" ]; then
  for elo in $elos; do
    if [ "$elo" -ge 1350 ] && [ "$elo" -le 2850 ]; then
      play "cmd=$riga uci,name=riga-$elo,$(limited "$elo")" \
        "cmd=$STOCKFISH,name=stockfish-$elo,$(limited "$elo")" --tc 2+0.05
    fi
  done
fi
