"""Triton kernels that unpack records on the GPU, as bitboards or as lists of active inputs.

Both see the board twice, flipped so that the side plays up and mirrored so that its king is on the
files a to d. records.py does the same in NumPy, for comparison in tests.
"""

from dataclasses import dataclass

import numpy as np
import torch
import triton
import triton.language as tl

from records import PIECES, bucket_table

WORDS = 24  # 12 kinds of pieces, two halves of a bitboard each
BLOCK = 32  # positions per program, one per thread: latency is hidden by running many programs


@dataclass
class Boards:
    """Bitboards of all views, in the order of their king buckets: one bucket, one matrix product."""

    words: torch.Tensor  # [24, views] 32-bit halves of the bitboards, kind by kind
    order: torch.Tensor  # [views] the view at this place: 2 x position + side
    starts: torch.Tensor  # [buckets + 1] start of each bucket


@dataclass
class Lists:
    """Lists of active inputs."""

    index: torch.Tensor  # [views, 32] 16-bit, -1 where there is no piece


def bucket_masks(king_buckets, device):
    """The squares of each king bucket as a bitboard."""
    table = bucket_table(king_buckets)
    bits = np.uint64(1) << np.arange(64, dtype=np.uint64)
    masks = [bits[table == bucket].sum(dtype=np.uint64) for bucket in range(int(table.max()) + 1)]
    return torch.from_numpy(np.array(masks, np.uint64).view(np.int64)).to(device)


def to_boards(records, masks):
    """Records [positions, 32] as sorted bitboards."""
    count, buckets = len(records), len(masks)
    words = torch.empty(WORDS, 2 * count, dtype=torch.int32, device=records.device)
    bucket = torch.empty(2 * count, dtype=torch.uint8, device=records.device)
    _boards[(triton.cdiv(count, BLOCK),)](
        records.view(torch.int64), masks, words, bucket, count, BUCKETS=buckets, BLOCK=BLOCK, num_warps=1
    )
    bucket, order = torch.sort(bucket, stable=True)
    numbers = torch.arange(buckets + 1, dtype=torch.uint8, device=records.device)
    starts = torch.searchsorted(bucket, numbers, out_int32=True)
    return Boards(words.index_select(1, order), order.to(torch.int32), starts)


def to_lists(records, masks):
    """Records [positions, 32] as lists of active inputs."""
    count = len(records)
    index = torch.empty(2 * count, PIECES, dtype=torch.int16, device=records.device)
    _lists[(triton.cdiv(count, BLOCK),)](
        records.view(torch.int64), masks, index, count, BUCKETS=len(masks), BLOCK=BLOCK, num_warps=1
    )
    return Lists(index)


@triton.jit
def _not(board):
    # Triton's interpreter has no ~ for unsigned numbers.
    return board ^ 0xFFFFFFFFFFFFFFFF


@triton.jit
def _swap(board, mask, shift: tl.constexpr):
    return ((board >> shift) & mask) | ((board & mask) << shift)


@triton.jit
def _turned(board):
    """Flips vertically: the first rank becomes the eighth."""
    board = _swap(board, 0x00FF00FF00FF00FF, 8)
    board = _swap(board, 0x0000FFFF0000FFFF, 16)
    return _swap(board, 0x00000000FFFFFFFF, 32)


@triton.jit
def _mirrored(board):
    """Mirrors horizontally: the a file becomes the h file."""
    board = _swap(board, 0x5555555555555555, 1)
    board = _swap(board, 0x3333333333333333, 2)
    return _swap(board, 0x0F0F0F0F0F0F0F0F, 4)


@triton.jit
def _code(low, high, place: tl.constexpr):
    """The half byte of a piece."""
    if place < 16:
        return (low >> (4 * place)) & 15
    else:
        return (high >> (4 * place - 64)) & 15


@triton.jit
def _read(records, position, there):
    """Occupied squares and the two words of half bytes."""
    occupied = tl.load(records + 4 * position, mask=there, other=0).to(tl.uint64)
    low = tl.load(records + 4 * position + 1, mask=there, other=0).to(tl.uint64)
    high = tl.load(records + 4 * position + 2, mask=there, other=0).to(tl.uint64)
    return occupied, low, high


@triton.jit
def _planes(occupied, low, high):
    """The squares whose pieces have bit 0, 1, 2 or 3 in their half byte."""
    left = occupied
    zero, one, two, three = occupied * 0, occupied * 0, occupied * 0, occupied * 0
    for place in tl.static_range(32):
        rest = left & (left - 1)
        square = left ^ rest
        left = rest
        code = _code(low, high, place)
        zero = tl.where((code & 1) != 0, zero | square, zero)
        one = tl.where((code & 2) != 0, one | square, one)
        two = tl.where((code & 4) != 0, two | square, two)
        three = tl.where((code & 8) != 0, three | square, three)
    return zero, one, two, three


@triton.jit
def _bucket_of(king, masks, BUCKETS: tl.constexpr):
    bucket = tl.zeros(king.shape, tl.int32)
    for number in tl.static_range(1, BUCKETS):
        mask = tl.load(masks + number).to(tl.uint64)
        bucket = tl.where((king & mask) != 0, number, bucket)
    return bucket


@triton.jit
def _boards(records, masks, words, buckets, count, BUCKETS: tl.constexpr, BLOCK: tl.constexpr):
    position = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    there = position < count
    occupied, low, high = _read(records, position, there)
    zero, one, two, enemy = _planes(occupied, low, high)
    own = occupied & _not(enemy)
    for side in tl.static_range(2):
        if side == 1:
            own, enemy = _turned(enemy), _turned(own)
            zero, one, two = _turned(zero), _turned(one), _turned(two)
        king = own & two & zero & _not(one)
        right = (king & 0xF0F0F0F0F0F0F0F0) != 0
        ours = tl.where(right, _mirrored(own), own)
        theirs = tl.where(right, _mirrored(enemy), enemy)
        a = tl.where(right, _mirrored(zero), zero)
        b = tl.where(right, _mirrored(one), one)
        c = tl.where(right, _mirrored(two), two)
        view = 2 * position + side
        # A bucket's mask has the files e to h, too: the king needs no mirroring here.
        tl.store(buckets + view, _bucket_of(king, masks, BUCKETS).to(tl.uint8), mask=there)
        for role in tl.static_range(6):
            of_role = (a if role & 1 else _not(a)) & (b if role & 2 else _not(b)) & (c if role & 4 else _not(c))
            mine, other = ours & of_role, theirs & of_role
            at = words + view + (2 * role) * (2 * count)
            tl.store(at, mine.to(tl.int32), mask=there)
            tl.store(at + 2 * count, (mine >> 32).to(tl.int32), mask=there)
            at += 12 * (2 * count)
            tl.store(at, other.to(tl.int32), mask=there)
            tl.store(at + 2 * count, (other >> 32).to(tl.int32), mask=there)


@triton.jit
def _number_of(square):
    """The index of the only set bit."""
    number = tl.where((square & 0xAAAAAAAAAAAAAAAA) != 0, 1, 0)
    number += tl.where((square & 0xCCCCCCCCCCCCCCCC) != 0, 2, 0)
    number += tl.where((square & 0xF0F0F0F0F0F0F0F0) != 0, 4, 0)
    number += tl.where((square & 0xFF00FF00FF00FF00) != 0, 8, 0)
    number += tl.where((square & 0xFFFF0000FFFF0000) != 0, 16, 0)
    number += tl.where((square & 0xFFFFFFFF00000000) != 0, 32, 0)
    return number


@triton.jit
def _lists(records, masks, index, count, BUCKETS: tl.constexpr, BLOCK: tl.constexpr):
    position = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    there = position < count
    occupied, low, high = _read(records, position, there)
    zero, one, two, enemy = _planes(occupied, low, high)
    kings = two & zero & _not(one)
    our_king, their_king = kings & _not(enemy), _turned(kings & enemy)
    our_bucket = _bucket_of(our_king, masks, BUCKETS)
    their_bucket = _bucket_of(their_king, masks, BUCKETS)
    our_turn = tl.where((our_king & 0xF0F0F0F0F0F0F0F0) != 0, 7, 0)
    their_turn = tl.where((their_king & 0xF0F0F0F0F0F0F0F0) != 0, 63, 56)
    left = occupied
    for place in tl.static_range(32):
        rest = left & (left - 1)
        piece = left ^ rest
        left = rest
        code = _code(low, high, place).to(tl.int32)
        role, theirs = code & 7, code >> 3
        square = _number_of(piece)
        us = our_bucket * 768 + (theirs * 6 + role) * 64 + (square ^ our_turn)
        them = their_bucket * 768 + ((1 - theirs) * 6 + role) * 64 + (square ^ their_turn)
        us = tl.where(piece != 0, us, -1)
        them = tl.where(piece != 0, them, -1)
        tl.store(index + 64 * position + place, us.to(tl.int16), mask=there)
        tl.store(index + 64 * position + 32 + place, them.to(tl.int16), mask=there)
