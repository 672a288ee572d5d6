"""The training and validation records of a run, from the options of train.py."""

import os

from records import SIZE
from stream import Batches, Made, Records, Riga, StreamError, read_some, turns

ENDLESS = 1_000_000  # epochs: the schedule ends a run, not the data


def command(options, part, seed, skip, epochs):
    """`riga lab stream` with the options of a run."""
    return [
        str(options.riga), "lab", "stream", *map(str, options.data),
        "--epochs", str(epochs), "--seed", str(seed), "--skip", str(skip),
        "--threads", str(max(options.threads // options.streams, 1)),
        "--trust", str(options.trust), "--scale", str(options.scale),
        "--first-ply", str(options.first_ply), "--highest", str(options.highest),
        "--held-back", str(options.held_back), "--part", part,
    ]  # fmt: skip


def held_back(options):
    """How many records at the start of a record file are of held-out games: none of them is learnt from."""
    return os.path.getsize(options.records) // SIZE // options.held_back


def check_set(options, device):
    """Records of held-out games, on the device."""
    if options.synthetic:
        source, count = Made(seed=0), min(options.check, 1 << 16)
    elif options.records:
        source, count = Records(options.records, 0, 0), min(options.check, held_back(options))
    else:
        source, count = Riga(command(options, "check", options.seed, 0, 1)), options.check
    records = read_some(source, count)
    if not len(records):
        raise StreamError("no game is held out for validation: there are too few games")
    return records.to(device)


def batches(options, device, seen):
    """Training batches, without the `seen` ones of earlier runs.

    Several streams have different seeds: each goes through all games, in a different order.
    """
    sources = []
    for number in range(options.streams):
        skip = turns(seen, options.streams, number) * options.batch
        if options.synthetic:
            sources.append(Made(options.seed + number))
        elif options.records:
            sources.append(Records(options.records, held_back(options), skip))
        else:
            sources.append(Riga(command(options, "learn", options.seed + number, skip, ENDLESS)))
    return Batches(sources, options.batch, device, seen)
