#!/usr/bin/env python3
"""Compares the evaluation of two engines with their searches: whose is nearer to what both find?

    riga lab show games.rdata --count 0 --format fen --quiet | shuf -n 2000 > positions.txt
    python3 training/compare.py positions.txt "target/release/riga uci" stockfish

One position per line, as FEN. Both engines, Riga or Stockfish, evaluate a position and search it. Positions in which either
wants to capture or promote, and those that Riga thinks decided, are left out. Centipawns of the engines differ, so a scale is fitted to
each. Prints mean squared errors of the win probability, with 95 %, by the number of pieces, and each engine's own searches apart.
"""

import argparse
import re
import shlex
import subprocess
from pathlib import Path

import numpy as np

EVAL = re.compile(r"(?:NNUE evaluation|The network says)\s+([-+]?\d+\.\d+)")
SCORE = re.compile(r"score (cp|mate) (-?\d+)\b(?! (?:lower|upper)bound)")
MATE = 3000
SCALE = 300.0  # centipawns of Riga to the unit of the sigmoid
DECIDED = 1500
PIECES = ((2, 10), (11, 18), (19, 26), (27, 32))


class Engine:
    """A UCI engine with a command `eval`."""

    def __init__(self, command):
        self.process = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, question, last):
        """The lines of the answer, up to the one that begins with `last` or matches it."""
        self.process.stdin.write(question + "\n")
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if re.search(last, line):
                return lines
        raise SystemExit(f"the engine ended: {shlex.join(self.process.args)}")

    def evaluation(self, fen):
        """The static evaluation for the side to move, in centipawns."""
        lines = self.ask(f"position fen {fen}\neval", EVAL)
        white = 100 * float(EVAL.search(lines[-1])[1])
        return white if fen.split()[1] == "w" else -white

    def search(self, fen, nodes):
        """Score in centipawns, and best move."""
        lines = self.ask(f"ucinewgame\nposition fen {fen}\ngo nodes {nodes}", "^bestmove")
        kind, number = [found for found in map(SCORE.search, lines) if found][-1].groups()
        score = int(number) if kind == "cp" else MATE if int(number) > 0 else -MATE
        return score, lines[-1].split()[1]


def board(fen):
    """The squares from a8 to h1."""
    return "".join("." * int(letter) if letter.isdigit() else letter for letter in fen.split()[0].replace("/", ""))


def is_quiet(fen, move):
    """Whether a best move leaves the material as it is."""
    target = (8 - int(move[3])) * 8 + ord(move[2]) - ord("a")
    castling = board(fen)[(8 - int(move[1])) * 8 + ord(move[0]) - ord("a")] in "Kk"
    return len(move) == 4 and (castling or board(fen)[target] == ".")


def chances(scores, scale):
    """Win probabilities."""
    return 1 / (1 + np.exp(-scores / scale))


def fitted(scores, truth):
    """Win probabilities with the scale that brings them closest to `truth`."""
    scales = np.geomspace(40, 1200, 150)
    return min((chances(scores, scale) for scale in scales), key=lambda found: ((found - truth) ** 2).mean())


def mean(values):
    """A mean with its 95 %."""
    return f"{values.mean():.5f} +- {1.96 * values.std() / len(values) ** 0.5:.5f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    add = parser.add_argument
    add("positions", type=Path)
    add("riga", help="the command that starts it")
    add("other", help="the command that starts the other engine")
    add("--nodes", type=int, default=20000, help="nodes of a search (20000)")
    options = parser.parse_args()
    engines = [Engine(options.riga), Engine(options.other)]
    rows, pieces = [], []
    for line in options.positions.read_text().splitlines():
        fen = re.split("[;,]", line)[0].strip()
        (riga, one), (other, two) = (engine.search(fen, options.nodes) for engine in engines)
        if abs(riga) > DECIDED or not (is_quiet(fen, one) and is_quiet(fen, two)):
            continue
        rows.append([riga, other, *(engine.evaluation(fen) for engine in engines)])
        pieces.append(64 - board(fen).count("."))
    if not rows:
        raise SystemExit(f"{options.positions}: no quiet position")
    searches, evaluations = np.array(rows, float).T.reshape(2, 2, -1)
    pieces = np.array(pieces)
    found = [chances(searches[0], SCALE)]
    found.append(fitted(searches[1], found[0]))
    truth = (found[0] + found[1]) / 2
    errors = [(fitted(scores, truth) - truth) ** 2 for scores in evaluations]
    print(f"{len(rows)} positions; the searches differ by {mean((found[0] - found[1]) ** 2)}")
    for name, scores, error in zip(("Riga", "other"), evaluations, errors):
        own = " and ".join(f"{((fitted(scores, one) - one) ** 2).mean():.5f}" for one in found)
        print(f"{name}: {mean(error)} from the mean of both; {own} from the searches of Riga and of the other")
    print(f"difference: {mean(errors[0] - errors[1])}")
    for low, high in PIECES:
        there = (low <= pieces) & (pieces <= high)
        if there.any():
            print(f"{low} to {high} pieces: {there.sum()} positions, {mean(errors[0][there])}, other {mean(errors[1][there])}")


if __name__ == "__main__":
    main()
