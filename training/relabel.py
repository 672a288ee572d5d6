#!/usr/bin/env python3
"""Blends the labels of records with the opinion of a network or of a teacher.

    python3 training/relabel.py all.bin --net run/net.ckpt --share 0.35 --out blended.bin

A label is the mean of a few searches of one game; a network has learnt from all of them. `judge.py` tells which share
is nearest to longer searches. The first records, one in `--held-back`, are left as they are, for validation.
"""

import argparse
from pathlib import Path

import numpy as np
import torch

from judge import net_chances, teacher_chances
from records import SIZE

TOGETHER = 1 << 22  # records in the GPU's memory


def blend(records, chances, share):
    """Moves the targets of records [positions, 32] towards win probabilities, in place."""
    targets = records.view(np.uint16)[:, 13]
    targets[:] = np.rint((1 - share) * targets + share * 65535 * chances)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    add = parser.add_argument
    add("records", type=Path, help="a file of `riga lab stream`")
    add("--net", type=Path, help="a net file or checkpoint")
    add("--teacher", type=Path, help="a file of teacher.py")
    add("--share", type=float, default=0.35, help="how much it counts (0.35)")
    add("--held-back", type=int, default=50, help="leave one in this many as they are (50)")
    add("--out", type=Path, required=True)
    options = parser.parse_args()
    if bool(options.net) == bool(options.teacher):
        parser.error("give --net or --teacher")
    judge = (lambda part: net_chances(options.net, part)) if options.net else (lambda part: teacher_chances(options.teacher, part))
    device = "cuda" if options.teacher or torch.cuda.is_available() else "cpu"
    count = options.records.stat().st_size // SIZE
    with open(options.records, "rb") as source, open(options.out, "wb") as to:
        to.write(source.read(count // options.held_back * SIZE))
        while data := source.read(TOGETHER * SIZE):
            records = np.frombuffer(bytearray(data), np.uint8).reshape(-1, SIZE)
            chances = judge(torch.from_numpy(records).to(device)).double().cpu().numpy()
            blend(records, chances, options.share)
            to.write(records.tobytes())


if __name__ == "__main__":
    main()
