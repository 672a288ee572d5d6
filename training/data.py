"""Reads Riga's training data (docs/data.md) into arrays, without a Python loop over positions.

All games are played at once: step n plays move n of every game that is that long, with NumPy.
"""

import lzma
import struct
import zlib
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path

import numpy as np

EMPTY = 12
BACK_RANK_PAIRS = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]


class DataError(Exception):
    """The file is no training data, or says something impossible."""


@dataclass
class Games:
    """Games as arrays: one entry a game, and all moves and scores one after the other."""

    boards: np.ndarray  # [games, 64] piece codes at the start
    black: np.ndarray  # whether Black begins
    result: np.ndarray  # 0 Black won, 1 draw, 2 White won
    opening: np.ndarray  # random moves, which have no score
    plies: np.ndarray
    moves: np.ndarray  # of all games
    scores: np.ndarray  # of all games, as White sees them


@dataclass
class Positions:
    """Positions as arrays, one entry each."""

    boards: np.ndarray  # [positions, 64] piece codes: 2 * role + color, 12 if empty
    black: np.ndarray  # whether Black is to move
    score: np.ndarray  # hundredths of a pawn for the side to move
    result: np.ndarray  # 0 lost, 1 drawn, 2 won by the side to move
    chance: np.ndarray  # to win, 0 to 1: what the searches from here on found
    game: np.ndarray  # number of the game, to keep the positions of one together

    def __len__(self):
        return len(self.boards)

    def take(self, which):
        return Positions(*(getattr(self, field.name)[which] for field in fields(self)))


def read_games(path):
    """All sound games of a file, which may be packed with xz; unsound blocks are skipped with a message."""
    data = Path(path).read_bytes()
    if str(path).endswith(".xz"):
        try:
            data = lzma.decompress(data)
        except lzma.LZMAError as error:
            raise DataError(f"{path}: {error}") from error
    if data[:8] != b"RIGADATA":
        raise DataError(f"{path}: this is not training data of Riga's")
    if struct.unpack_from("<H", data, 8)[0] != 1:
        raise DataError(f"{path}: the format has another version than 1")
    heads, moves, scores, starts = [], [], [], []
    at = 16
    while at < len(data):
        length = _block_length(data, at)
        if length is None:
            after = data.find(b"RBLK", at + 1)
            print(f"{path}: damage at byte {at}", flush=True)
            at = len(data) if after < 0 else after
            continue
        _split_block(data[at + 24 : at + 24 + length], heads, moves, scores, starts)
        at += 24 + length
    return _to_games(heads, moves, scores, starts)


def _block_length(data, at):
    if data[at : at + 4] != b"RBLK" or at + 24 > len(data):
        return None
    length, _, _, games_crc, crc = struct.unpack_from("<5I", data, at + 4)
    games = data[at + 24 : at + 24 + length]
    sound = zlib.crc32(data[at : at + 20]) == crc and len(games) == length
    return length if sound and zlib.crc32(games) == games_crc else None


def _split_block(block, heads, moves, scores, starts):
    """Cuts a block into games: a loop over games, not over positions."""
    ends = np.flatnonzero(np.frombuffer(block, np.uint8) < 128)
    at = 0
    while at < len(block):
        head, plies, opening = struct.unpack_from("<HHB", block, at)
        at += 5
        if head & 1023 == 1023:
            start, black, at = _own_start(block, at)
        else:
            start, black = head & 1023, 0
        moves.append(block[at : at + 2 * plies])
        at += 2 * plies
        scored = plies - opening
        if scored > 0:
            end = int(ends[np.searchsorted(ends, at) + scored - 1]) + 1
            scores.append(block[at:end])
            at = end
        heads.append((head >> 10 & 3, plies, min(opening, plies), black))
        starts.append(start)


def _own_start(block, at):
    """A start position that is no array of Chess960: pieces and side to move."""
    (occupied,) = struct.unpack_from("<Q", block, at)
    squares = [square for square in range(64) if occupied >> square & 1]
    board = np.full(64, EMPTY, np.uint8)
    for number, square in enumerate(squares):
        board[square] = block[at + 8 + number // 2] >> number % 2 * 4 & 15
    at += 8 + (len(squares) + 1) // 2
    return board, block[at] >> 7, at + 7


def _to_games(heads, moves, scores, starts):
    head = np.array(heads, np.int64).reshape(-1, 4)
    arrays = {number: _array_board(number) for number in {s for s in starts if isinstance(s, int)}}
    boards = [arrays[start] if isinstance(start, int) else start for start in starts]
    plies, opening = head[:, 1], head[:, 2]
    return Games(
        boards=np.array(boards, np.uint8).reshape(-1, 64),
        black=head[:, 3].astype(bool),
        result=head[:, 0].astype(np.int8),
        opening=opening,
        plies=plies,
        moves=np.frombuffer(b"".join(moves), "<u2"),
        scores=_decode_scores(b"".join(scores), plies - opening),
    )


def _array_board(number):
    """The array of Chess960 with a number."""
    number, light = divmod(number, 4)
    number, dark = divmod(number, 4)
    pairs, queen = divmod(number, 6)
    rank = [None] * 8
    rank[light * 2 + 1] = rank[dark * 2] = 2
    free = [file for file in range(8) if rank[file] is None]
    rank[free.pop(queen)] = 4
    first, second = BACK_RANK_PAIRS[pairs]
    rank[free[first]] = rank[free[second]] = 1
    for role in (3, 5, 3):
        rank[rank.index(None)] = role
    board = np.full(64, EMPTY, np.uint8)
    for file, role in enumerate(rank):
        board[file], board[56 + file] = 2 * role, 2 * role + 1
        board[8 + file], board[48 + file] = 0, 1
    return board


def _decode_scores(data, counts):
    """Variable-length differences to scores, each game from zero."""
    data = np.frombuffer(data, np.uint8).astype(np.int32)
    ends = np.flatnonzero(data < 128)
    starts = np.concatenate([[0], ends + 1])[:-1].astype(np.int64)
    value = data[starts] & 127
    for further in (1, 2):
        longer = ends - starts >= further
        value[longer] |= (data[starts[longer] + further] & 127) << 7 * further
    difference = (value >> 1) ^ -(value & 1)
    total = np.cumsum(difference, dtype=np.int64)
    before = np.concatenate([[0], total])[np.cumsum(counts) - counts]
    return (total - np.repeat(before, counts)).astype(np.int16)


def foresee(games, trust, scale):
    """Chances of White at each score: a mean of the scores from there on.

    Each ply counts `trust` times as much as the one before it: later searches see further, but
    the moves between them may have been bad. With a trust of 0 it is the score itself.
    """
    chance = (1 / (1 + np.exp(-games.scores.astype(np.float32) / scale))).astype(np.float32)
    scored = games.plies - games.opening
    first = np.cumsum(scored) - scored
    order = np.argsort(-scored, kind="stable")
    first, scored = first[order], scored[order]
    if trust == 0 or len(scored) == 0:
        return chance
    for ply in range(int(scored[0]) - 2, -1, -1):
        # Games that have a later score.
        at = first[: int(np.searchsorted(-scored, -(ply + 1)))] + ply
        chance[at] += trust * (chance[at + 1] - chance[at])
    return chance


def quiet_positions(games, first_ply=16, highest_score=3000, trust=0.0, scale=400):
    """The positions that an evaluation can learn from, as `riga lab show --quiet` has them."""
    chances = foresee(games, trust, scale)
    order = np.argsort(-games.plies, kind="stable")
    plies, opening = games.plies[order], games.opening[order]
    first_move = (np.cumsum(games.plies) - games.plies)[order]
    scored = games.plies - games.opening
    first_score = (np.cumsum(scored) - scored)[order]
    boards = games.boards[order].copy()
    result, starts_black = games.result[order], games.black[order]
    parts = []
    for ply in range(int(plies.max(initial=0))):
        active = int(np.searchsorted(-plies, -ply))
        move = games.moves[first_move[:active] + ply].astype(np.int64)
        black = starts_black[:active] ^ bool(ply % 2)
        origin, target, kind = move & 63, move >> 6 & 63, move >> 12 & 7
        rows = np.arange(active)
        if ply >= first_ply:
            capture = (boards[rows, target] != EMPTY) & (kind != 3)
            quiet = (move < 1 << 15) & (kind != 2) & (kind < 4) & ~capture & (ply >= opening[:active])
            chosen = np.flatnonzero(quiet)
            place = first_score[chosen] + ply - opening[chosen]
            near = np.abs(games.scores[place]) <= highest_score
            chosen, place = chosen[near], place[near]
            score, chance = games.scores[place], chances[place]
            sign = np.where(black[chosen], -1, 1)
            parts.append(
                (
                    boards[chosen],
                    black[chosen],
                    (score * sign).astype(np.int16),
                    ((result[chosen] - 1) * sign + 1).astype(np.int8),
                    np.where(black[chosen], 1 - chance, chance),
                    order[chosen].astype(np.int32),
                )
            )
        _play(boards, rows, origin, target, kind, black)
    if not parts:
        raise DataError("there is no position to learn from")
    return Positions(*(np.concatenate(column) for column in zip(*parts)))


def _play(boards, rows, origin, target, kind, black):
    """Plays one move on each of the boards."""
    piece = boards[rows, origin]
    castle, passing = kind == 3, kind == 2
    promoted = kind >= 4
    piece = np.where(promoted, 2 * (kind - 3) + black, piece).astype(np.uint8)
    boards[rows, origin] = EMPTY
    plain = ~castle
    boards[rows[plain], target[plain]] = piece[plain]
    boards[rows[passing], (origin[passing] & 56) | (target[passing] & 7)] = EMPTY
    if castle.any():
        rows, king, rook = rows[castle], origin[castle], target[castle]
        king_piece, rook_piece = piece[castle], boards[rows, rook]
        boards[rows, rook] = EMPTY
        rank, right = king & 56, rook > king
        boards[rows, rank + np.where(right, 6, 2)] = king_piece
        boards[rows, rank + np.where(right, 5, 3)] = rook_piece


def load(paths, **filters):
    """The quiet positions of all files, which are read side by side."""
    parts, count = [], 0
    with ProcessPoolExecutor() as readers:
        for path, (games, part) in zip(paths, readers.map(partial(_load_one, filters), paths)):
            print(f"{path}: {games:,} games, {len(part):,} positions", flush=True)
            part.game += count
            count += games
            parts.append(part)
    return Positions(
        *(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Positions))
    )


def _load_one(filters, path):
    games = read_games(path)
    return len(games.plies), quiet_positions(games, **filters)
