#!/usr/bin/env python3
"""Compares the self-play of training/selfplay with Riga's own rules, network and search.

    python3 training/test_selfplay.py RIGA

Compiled without CUDA it plays one game at a time with the same code as on a GPU: moves, keys, accumulators, the network's
values, records and labels.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from records import SIZE, as_records, unpack

SOURCE = Path(__file__).parent / "selfplay" / "selfplay.cu"
NET = Path(__file__).parent.parent / "nets" / "riga.net"
# Depth, and what is special about the position.
POSITIONS = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),  # everything at once
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),  # en passant that exposes the king
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3),  # promotions, checks
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 3),
    ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 4),  # en passant by a given target
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 3),  # Chess960
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 3),
    ("1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9", 3),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 40 80", 3),
]


def run(*command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def compare_rules(program, riga):
    """Leaves of the tree of moves, and the network's value; on the way keys and accumulators are computed in two ways."""
    for fen, depth in POSITIONS:
        found = run(program, NET, "--perft", fen, depth)
        value, leaves, wrong = map(int, re.match(r"evaluation (-?\d+),.* perft (\d+), wrong (\d+)", found).groups())
        wanted = json.loads(run(riga, "perft", depth, "--fen", fen, "--json"))["leaves"]
        assert (leaves, wrong) == (wanted, 0), f"{fen}: {leaves} leaves, {wrong} of them wrong, not {wanted}"
        white, said = value if " w " in fen else -value, json.loads(run(riga, "eval", "--json", fen))["network"]
        assert white == said, f"{fen}: the network says {white}, for riga {said}"


def compare_lone_kings(program):
    """Against a lone king, what can force mate has a known win."""
    for fen, won in [
        ("8/8/8/4k3/8/8/1Q6/K7 w - - 0 1", True),
        ("8/8/8/4k3/8/8/1BN5/K7 w - - 0 1", True),
        ("8/8/8/4k3/8/8/1NN5/K7 w - - 0 1", False),
        ("8/8/8/4k3/8/8/1N6/K7 w - - 0 1", False),
    ]:
        score = int(re.search(r"search (-?\d+)", run(program, NET, "--evaluate", fen)).group(1))
        assert (score > 1500) == won, f"{fen}: {score}"


def compare_games(program, riga, folder):
    """Records of a few games: well-formed, the same for the same seed, and judged as riga judges them."""
    play = ["--games", 6, "--nodes", 60, "--seed", 3, "--held-back", 3]
    run(program, NET, *play, "--out", folder / "one.bin")
    run(program, NET, *play, "--out", folder / "again.bin")
    data = (folder / "one.bin").read_bytes()
    assert data == (folder / "again.bin").read_bytes(), "the same seed plays the same games"
    records = as_records(data)
    assert len(records) > 150, f"{len(records)} records of six games are too few"
    squares, kinds = unpack(records)
    assert (records["count"] == (squares >= 0).sum(1)).all()
    for king in (5, 11):
        assert ((kinds == king).sum(1) == 1).all(), "each side has a king"
    pawns = (kinds % 6 == 0) & (squares >= 0)
    assert not (pawns & ((squares < 8) | (squares > 55))).any(), "no pawn is on the outer ranks"
    for color in (kinds < 6, kinds >= 6):
        assert ((color & (squares >= 0)).sum(1) > 1).all(), "the network isn't asked about a lone king"
    assert records["result"].max() <= 2 and (abs(records["score"]) <= 1500).all() and (records["ply"] >= 10).all()
    # The target is a mean of the scores from here on, so it is near the first one.
    chance, target = 1 / (1 + np.exp(-records["score"] / 400)), records["chance"] / 65535
    assert abs(chance - target).mean() < 0.1 and np.corrcoef(chance, target)[0, 1] > 0.9
    scores = run(riga, "lab", "rescore", folder / "one.bin", "--count", len(records), "--nodes", 100, "--threads", 2)
    scores = np.array([float(line) for line in scores.splitlines()])
    other = 1 / (1 + np.exp(-scores / 400))
    assert np.corrcoef(chance, other)[0, 1] > 0.9, "riga judges these positions otherwise"
    # Blended labels lie between the search's and the network's; those of held-out games stay as they are.
    run(program, NET, *play, "--blend", 1, "--out", folder / "blended.bin")
    blended = as_records((folder / "blended.bin").read_bytes())
    same = blended["chance"] == records["chance"]
    held = len(records) // 3
    assert (blended["occupied"] == records["occupied"]).all() and not same.all() and same[: held // 2].all()
    return len(data) // SIZE


def refuse_bad_input(program, folder):
    damaged = folder / "damaged.net"
    damaged.write_bytes(NET.read_bytes()[:1000])
    for arguments in (["missing.net", "--out", "x"], [damaged, "--out", "x"], [NET], [NET, "--games"], [NET, "--gmaes", "1"]):
        refused = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
        assert refused.returncode == 1 and refused.stderr.startswith("selfplay: "), f"{arguments}: {refused}"


def main():
    riga = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = folder / "selfplay"
        compiler = os.environ.get("CXX", "c++")
        run(compiler, "-O2", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-x", "c++", "-o", program, SOURCE)
        compare_rules(program, riga)
        compare_lone_kings(program)
        count = compare_games(program, riga, folder)
        refuse_bad_input(program, folder)
    print(f"{len(POSITIONS)} positions and {count} records of the GPU's self-play are as riga sees them")


if __name__ == "__main__":
    main()
