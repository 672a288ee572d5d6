#!/usr/bin/env python3
"""Mixes record files into one for `train.py --records`.

    python3 training/mix.py all.bin first.bin second.bin

In each file one record in `--held-back`, the first ones, are of held-out games; so they are in the result. What follows are
blocks of all files in random order: the records within a block stay in theirs, so each file must be shuffled itself.
"""

import argparse
from pathlib import Path

import numpy as np

from records import SIZE


def mix(to, paths, held_back=50, block=4096, seed=1):
    """Writes the records of some files to another; returns how many there are. A rest of less than `held_back` is left out."""
    parts = [np.memmap(path, np.uint8, "r").reshape(-1, SIZE) for path in paths]
    parts = [part[: len(part) // held_back * held_back] for part in parts]
    with open(to, "wb") as file:
        for part in parts:
            file.write(part[: len(part) // held_back])
        blocks = [(part, at) for part in parts for at in range(len(part) // held_back, len(part), block)]
        for number in np.random.default_rng(seed).permutation(len(blocks)):
            part, at = blocks[number]
            file.write(part[at : at + block])
    return sum(map(len, parts))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    add = parser.add_argument
    add("to", type=Path, help="the file to write")
    add("records", type=Path, nargs="+", help="files of `riga lab stream` or of self-play on a GPU")
    add("--held-back", type=int, default=50, help="one record in this many is of a held-out game (50)")
    add("--seed", type=int, default=1)
    options = parser.parse_args()
    for path in options.records:
        size = path.stat().st_size if path.is_file() else 0
        if size < options.held_back * SIZE or size % SIZE:
            parser.error(f"{path} has no whole records, or fewer than {options.held_back}")
    print(f"{mix(options.to, options.records, options.held_back, seed=options.seed):,} records")


if __name__ == "__main__":
    main()
