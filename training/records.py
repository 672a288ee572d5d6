"""The 32-byte records that `riga lab stream` writes: their layout, and what is in them.

A record is a position from the side to move's point of view: the board is flipped if Black moves, so that
"us" always plays up. This file needs NumPy alone. Its `active` is the reference for the kernels
in unpack.py and what the CPU trains with.

| bytes | what |
|---|---|
| 0 to 7 | occupied squares, a1 is bit 0 |
| 8 to 23 | 32 half bytes, the low half first, one per piece in the order of the squares: role + 8 if it is the opponent's |
| 24, 25 | score in centipawns for the side to move, signed |
| 26, 27 | target win probability, times 65,535 |
| 28 | result for the side to move: 0 lost, 1 drawn, 2 won |
| 29 | number of pieces |
| 30, 31 | ply of the game |
"""

import numpy as np

SIZE = 32
BOARD = 768
PIECES = 32
KING = 5
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
assert RECORD.itemsize == SIZE


def as_records(data):
    """Bytes as an array of records."""
    return np.ascontiguousarray(data).view(np.uint8).reshape(-1).view(RECORD)


def bucket_table(king_buckets):
    """King buckets of all 64 squares, from the 8 x 4 of the files a to d."""
    half = np.asarray(king_buckets, np.int64).reshape(8, 4)
    return np.concatenate([half, half[:, ::-1]], 1).reshape(64)


def unpack(records):
    """Square and kind (enemy x 6 + role) of the up to 32 pieces; -1 for empty places."""
    occupied = records["occupied"].astype("<u8").view(np.uint8).reshape(-1, 8)
    bits = np.unpackbits(occupied, axis=1, bitorder="little").astype(bool)
    number = np.cumsum(bits, 1) - 1
    row, square = np.nonzero(bits)
    place = number[row, square]
    codes = np.stack([records["pieces"] & 15, records["pieces"] >> 4], 2).reshape(-1, PIECES)
    squares = np.full((len(records), PIECES), -1, np.int64)
    kinds = np.full((len(records), PIECES), -1, np.int64)
    squares[row, place] = square
    code = codes[row, place].astype(np.int64)
    kinds[row, place] = (code >> 3) * 6 + (code & 7)
    return squares, kinds


def active(records, king_buckets):
    """The active inputs, [positions, us and them, 32], -1 where there is no piece."""
    table = bucket_table(king_buckets)
    squares, kinds = unpack(records)
    there = squares >= 0
    sides = []
    for turn, swap in ((0, 0), (56, 6)):
        seen_kinds = np.where(there, (kinds + swap) % 12, -1)
        seen = squares ^ turn
        king = np.take_along_axis(seen, np.argmax(seen_kinds == KING, 1)[:, None], 1)
        mirror = np.where(king & 4, 7, 0)
        index = table[king] * BOARD + seen_kinds * 64 + (seen ^ mirror)
        sides.append(np.where(there, index, -1))
    return np.stack(sides, 1)


def pack(boards, score=0, chance=0.5, result=1, ply=0):
    """Records of boards [positions, 64] that hold role + 8 if it is the opponent's, or -1."""
    boards = np.asarray(boards, np.int64).reshape(-1, 64)
    records = np.zeros(len(boards), RECORD)
    there = boards >= 0
    packed = np.packbits(there, axis=1, bitorder="little")
    records["occupied"] = packed.view("<u8").reshape(-1)
    row, square = np.nonzero(there)
    codes = np.zeros((len(boards), PIECES), np.uint8)
    codes[row, (np.cumsum(there, 1) - 1)[row, square]] = boards[row, square]
    records["pieces"] = codes[:, 0::2] | codes[:, 1::2] << 4
    records["count"] = there.sum(1)
    records["score"], records["result"], records["ply"] = score, result, ply
    records["chance"] = np.round(np.asarray(chance) * 65535)
    return records


def synthetic(count, seed=1):
    """Random records similar to positions of games, for tests and timing; they aren't legal.

    Most kings are on castled squares, as in games: the distribution over the buckets affects the
    speed of the first layer.
    """
    random = np.random.default_rng(seed)
    order = np.argsort(random.random((count, 64), np.float32), 1)
    kings = np.array([6, 2, 4, 1, 7, 5, 12, 14, 20, 36])
    chances = np.array([35, 12, 10, 8, 6, 6, 8, 5, 5, 5]) / 100
    ours = random.choice(kings, count, p=chances)
    theirs = random.choice(kings, count, p=chances) ^ 56
    theirs = np.where(theirs == ours, theirs ^ 1, theirs)
    rows = np.arange(count)
    # Take both kings' squares out of the random order, then put them in front of it.
    free = order[(order != ours[:, None]) & (order != theirs[:, None])].reshape(count, 62)
    pieces = random.binomial(30, 0.63, count)
    roles = random.choice(5, (count, 30), p=[0.55, 0.13, 0.13, 0.13, 0.06]) + 8 * random.integers(0, 2, (count, 30))
    boards = np.full((count, 64), -1, np.int64)
    row, place = np.nonzero(np.arange(30) < pieces[:, None])
    boards[row, free[row, place]] = roles[row, place]
    boards[rows, ours], boards[rows, theirs] = KING, KING + 8
    # A material count as the target: something that can be learnt.
    worth = np.array([1, 3, 3, 5, 9])
    balance = (np.where(np.arange(30) < pieces[:, None], worth[roles & 7] * np.where(roles < 8, 1, -1), 0)).sum(1)
    chance = 1 / (1 + np.exp(-balance / 4))
    result = np.where(random.random(count) < chance, 2, 0)
    return pack(boards, np.clip(balance * 100, -1500, 1500), chance, result, random.integers(10, 200, count))


def fen(record):
    """A position as text, the side to move as White, without castling rights."""
    squares, kinds = unpack(np.atleast_1d(record))
    letters = dict(zip(squares[0].tolist(), kinds[0].tolist()))
    ranks = []
    for rank in range(7, -1, -1):
        line = "".join("PNBRQKpnbrqk"[letters[sq]] if sq in letters else "1" for sq in range(8 * rank, 8 * rank + 8))
        for run in range(8, 1, -1):
            line = line.replace("1" * run, str(run))
        ranks.append(line)
    return "/".join(ranks) + " w - - 0 1"
