#!/usr/bin/env python3
"""Compares the records of `riga lab stream` with the positions of `riga lab show`.

    python3 training/test_data.py RIGA

RIGA is the binary; it plays a few games, shows them as text and streams them. The records are
decoded here as docs/data.md describes, independently of the trainer.
"""

import subprocess
import sys
import tempfile
from collections import Counter
from math import exp
from pathlib import Path

import numpy as np

from compare import SCORE

RECORD = np.dtype(
    [
        ("occupied", "<u8"),
        ("pieces", "u1", 16),
        ("score", "<i2"),
        ("chance", "<u2"),
        ("result", "u1"),
        ("count", "u1"),
        ("ply", "<u2"),
    ]
)
LETTERS = "PNBRQK..pnbrqk.."


def run(*command):
    return subprocess.run(command, check=True, capture_output=True).stdout


def shown(riga, path, *options):
    """Positions as `riga lab show` prints them, flipped to the side to move."""
    lines = run(riga, "lab", "show", path, "--count", "0", "--format", "fen", *options).decode()
    for line in lines.splitlines():
        fen, result, score = line.split(";")
        board, turn, *_, number = fen.split()
        ranks = ["".join("." * int(c) if c.isdigit() else c for c in rank) for rank in board.split("/")]
        if turn == "w":
            ranks.reverse()
        else:
            ranks = [rank.swapcase() for rank in ranks]
        sign = 1 if turn == "w" else -1
        ply = 2 * (int(number) - 1) + (turn == "b")
        yield "".join(ranks), int(1 + sign * (2 * float(result) - 1)), sign * int(score), ply


def streamed(riga, path, *options):
    """The records of `riga lab stream`."""
    data = run(riga, "lab", "stream", path, *options)
    assert len(data) % RECORD.itemsize == 0, "records have 32 bytes"
    return np.frombuffer(data, RECORD)


def decoded(records):
    """Records in the form of `shown`."""
    for record in records:
        squares = [square for square in range(64) if int(record["occupied"]) >> square & 1]
        board = ["."] * 64
        for number, square in enumerate(squares):
            board[square] = LETTERS[record["pieces"][number // 2] >> number % 2 * 4 & 15]
        assert len(squares) == record["count"]
        nibbles = sum(int(byte) << 8 * i for i, byte in enumerate(record["pieces"]))
        assert nibbles >> 4 * len(squares) == 0, "unused pieces are zero"
        yield "".join(board), int(record["result"]), int(record["score"]), int(record["ply"])


def targets(riga, path, trust):
    """TD(lambda) targets, by a plain loop over the games."""
    pgn_count = 0
    while True:
        pgn_count += 1
        command = [riga, "lab", "show", path, "--game", str(pgn_count), "--format", "fen"]
        game = subprocess.run(command, capture_output=True, text=True)
        if game.returncode:
            return
        lines = [line.split(";") for line in game.stdout.splitlines()]
        chance = None
        for fen, _, score in reversed(lines):
            here = 1 / (1 + exp(-int(score) / 400))
            chance = here if chance is None else (1 - trust) * here + trust * chance
            yield round(65535 * (chance if fen.split()[1] == "w" else 1 - chance))


def main():
    riga = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "games.rdata")
        play = ["--games", "60", "--nodes", "60", "--seed", "5", "--chess960", "50"]
        run(riga, "lab", "datagen", "--out", path, *play)

        records = streamed(riga, path, "--all", "--trust", "0.8")
        expected, found = Counter(shown(riga, path)), Counter(decoded(records))
        assert sum(expected.values()) > 1000, "too few positions to compare"
        assert expected == found, f"only shown: {expected - found}\nonly streamed: {found - expected}"
        wanted = sorted(targets(riga, path, 0.8))
        assert np.abs(np.sort(records["chance"]).astype(int) - wanted).max() <= 1, "a chance differs"

        bounds = ["--first-ply", "20", "--highest", "700"]
        quiet = Counter(decoded(streamed(riga, path, *bounds)))
        bounds[2] = "--highest-score"
        assert quiet == Counter(shown(riga, path, "--quiet", *bounds)), "other positions are quiet"
        learn, check = (streamed(riga, path, "--all", "--part", part, "--held-back", "5") for part in ("learn", "check"))
        assert len(learn) > len(check) > 0
        assert Counter(decoded(learn)) + Counter(decoded(check)) == found, "parts must add up"

        assert SCORE.search("score cp 25 nodes 7")[2] == "25" and not SCORE.search("score cp 25 upperbound nodes 7"), "a bound is no score"
        positions, itself = Path(folder) / "positions.txt", f"{riga} uci"
        lines = run(riga, "lab", "show", path, "--game", "3", "--format", "fen", "--quiet")
        positions.write_bytes(lines)
        script = str(Path(__file__).parent / "compare.py")
        told = run(sys.executable, script, str(positions), itself, itself, "--nodes", "500").decode()
        assert "searches differ by 0.00000" in told and "difference: 0.00000" in told, f"Riga is not as good as itself: {told}"
    print(f"{len(records)} positions streamed as riga shows them")


if __name__ == "__main__":
    main()
