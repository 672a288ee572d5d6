#!/usr/bin/env python3
"""Compares the trainer's decoder with riga's own, position by position.

    python3 training/test_data.py RIGA

RIGA is the binary; it plays a few games, and shows them as text.
"""

import subprocess
import sys
import tempfile
from collections import Counter
from math import exp
from pathlib import Path

from data import DataError, foresee, load, read_games

PIECES = "PpNnBbRrQqKk"


def shown(riga, path):
    """Positions as `riga lab show` prints them: board, side to move, result and score."""
    command = [riga, "lab", "show", path, "--count", "0", "--format", "fen", "--quiet"]
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        fen, result, score = line.split(";")
        board, turn = fen.split()[:2]
        squares = "".join("." * int(c) if c.isdigit() else c for c in board.replace("/", ""))
        ranks = [squares[8 * rank : 8 * rank + 8] for rank in range(8)]
        yield "".join(reversed(ranks)), turn, float(result), int(score)


def decoded(path):
    """The same, as the trainer sees it."""
    positions = load([path])
    for board, black, score, result in zip(
        positions.boards.tolist(), positions.black.tolist(), positions.score.tolist(), positions.result.tolist()
    ):
        squares = "".join("." if piece == 12 else PIECES[piece] for piece in board)
        sign = -1 if black else 1
        yield squares, "b" if black else "w", 0.5 + sign * (result - 1) / 2, sign * score


def check_foresight(path):
    """Compares `foresee` with a plain loop over each game."""
    games = read_games(path)
    seen, at = foresee(games, 0.8, 400), 0
    for plies, opening in zip(games.plies, games.opening):
        chances = [1 / (1 + exp(-score / 400)) for score in games.scores[at : at + plies - opening].tolist()]
        for ply in range(len(chances) - 2, -1, -1):
            chances[ply] = 0.2 * chances[ply] + 0.8 * chances[ply + 1]
        for ply, chance in enumerate(chances):
            assert abs(seen[at + ply] - chance) < 1e-5, "a chance differs from the plain computation"
        at += plies - opening
    assert at == len(seen) > 1000


def main():
    riga = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "games.rdata")
        play = [riga, "lab", "datagen", "--out", path, "--games", "60", "--nodes", "60", "--seed", "5", "--chess960", "50"]
        subprocess.run(play, check=True, capture_output=True)
        expected, found = Counter(shown(riga, path)), Counter(decoded(path))
        assert sum(expected.values()) > 1000, "too few positions to compare"
        assert expected == found, f"only riga: {expected - found}\nonly the trainer: {found - expected}"

        check_foresight(path)

        damaged = bytearray(Path(path).read_bytes())
        damaged[200] ^= 1
        Path(path).write_bytes(damaged)
        whole = len(read_games(path).plies)
        assert whole < 60, "a damaged block must be left out"
        Path(path).write_bytes(b"hello")
        try:
            read_games(path)
        except DataError:
            pass
        else:
            raise AssertionError("a file that is no training data must be refused")
    print(f"{sum(found.values())} positions decoded as riga shows them")


if __name__ == "__main__":
    main()
