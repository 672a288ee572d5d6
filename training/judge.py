#!/usr/bin/env python3
"""Compares evaluations with those of longer searches: of networks, of a teacher and of the training labels.

    python3 training/judge.py check.bin scores.txt --net nets/riga.net --teacher teacher.pt

`check.bin` has records of `riga lab stream --part check`; `riga lab rescore` writes `scores.txt`, one score in centipawns per
record, for the side to move. Prints mean squared errors of the win probability.
"""

import argparse
from pathlib import Path

import numpy as np
import torch

from model import Net
from shape import SHAPE
from start import read_weights, start_from
from step import target
from teacher import Teacher, read, values


def net_chances(path, records):
    """Win probabilities according to a network, computed where the records are."""
    shape, _ = read_weights(path)
    method = "matrix" if records.is_cuda else "reference"
    net = Net({**SHAPE, "king_buckets": shape["king_buckets"], "hidden": shape["hidden"]}, method, records.device)
    start_from(net, path)
    with torch.no_grad():
        return torch.cat([net(part) for part in records.split(16384)]).float().sigmoid()


def teacher_chances(path, records):
    """Win probabilities according to a teacher."""
    teacher = Teacher()
    teacher.load_state_dict({name: tensor.float() for name, tensor in torch.load(path).items()})
    return values(teacher.cuda(), records).sigmoid()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    add = parser.add_argument
    add("sample", type=Path)
    add("scores", type=Path)
    add("--net", type=Path, action="append", default=[], help="a net file or checkpoint; may be repeated")
    add("--teacher", type=Path, help="a file of teacher.py")
    add("--scale", type=float, default=400.0, help="centipawns to the unit of the sigmoid (400)")
    options = parser.parse_args()
    scores = torch.from_numpy(np.loadtxt(options.scores)).float().cuda()
    records = read(options.sample)[: len(scores)]
    truth = (scores / options.scale).sigmoid()
    label = target(records, 0)
    judged = {"label": label, "own score": (records.view(torch.int16)[:, 12].float() / options.scale).sigmoid()}
    for path in options.net:
        judged[str(path)] = net_chances(path, records)
    if options.teacher:
        chances = teacher_chances(options.teacher, records)
        judged["teacher"] = chances
        for share in (0.25, 0.5, 0.75):
            judged[f"{share} teacher + {1 - share} label"] = share * chances + (1 - share) * label
    for name, chances in judged.items():
        squares = (chances - truth).square()
        print(f"{name}: {squares.mean():.6f} +- {1.96 * squares.std() / len(squares) ** 0.5:.6f}", flush=True)


if __name__ == "__main__":
    main()
