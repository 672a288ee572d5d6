"""The first layer as matrix products on tensor cores, one for each king bucket.

Views (a position from one side's point of view) are sorted by king bucket, so that a tile of them needs the
768 rows of one bucket only: the work doesn't grow with the number of buckets. The matrix of ones
and zeros is never in memory. A tile of it is made from bitboards when it is multiplied: 64
squares of one kind of piece are one 64-bit number per view.

At a width of 1,024 a view costs 1.6 million operations each way, 2 ns at the 790 TFLOP/s of an H200; looking
21 rows up costs 43 KB from its L2 cache, 8 ns or more. bench.py times both.
"""

import torch
import triton
import triton.language as tl

from records import BOARD

# Sizes of tiles: rows or kinds, columns, warps, stages of the loads' pipeline. With four warps and three stages, the
# Triton of PyTorch 2.11 overwrites a tile before it has been multiplied, once a processor has several of them: a
# twentieth of the rows was wrong.
FORWARD = {"rows": 128, "columns": 128, "warps": 8, "stages": 3}
BACKWARD = {"kinds": 2, "columns": 128, "views": 64, "warps": 4, "stages": 3}


def columns_of(width, wanted):
    """The widest tile of at most `wanted` columns that divides the layer."""
    while width % wanted:
        wanted //= 2
    if wanted < 16:
        raise ValueError(f"a hidden layer of {width} is not a multiple of 16")
    return wanted


def forward(boards, weights, bias, dtype, config=None):
    """Hidden layers [views, width] before the activation, in the order of the positions."""
    config = config or FORWARD
    views, width = boards.words.shape[1], weights.shape[1]
    buckets, rows = len(boards.starts) - 1, config["rows"]
    columns = columns_of(width, config["columns"])
    hidden = torch.empty(views, width, dtype=dtype, device=weights.device)
    # Each bucket's last tile may be partial: at most this many more.
    grid = (width // columns, triton.cdiv(views, rows) + buckets)
    _forward[grid](
        boards.words, boards.order, boards.starts, weights, bias, hidden, views,
        WIDTH=width, BUCKETS=buckets, ROWS=rows, COLUMNS=columns,
        num_warps=config["warps"], num_stages=config["stages"],
    )
    return hidden


def backward(boards, grad, config=None):
    """Gradient of the weights, [inputs, width] in 32 bits, from that of the hidden layers."""
    config = config or BACKWARD
    views, width = grad.shape
    buckets, kinds = len(boards.starts) - 1, config["kinds"]
    columns = columns_of(width, config["columns"])
    # Few long sums mean few additions in memory, but enough are needed to keep the GPU busy.
    chunk = max(1024, triton.next_power_of_2(views // 16))
    weights = torch.zeros(buckets * BOARD, width, device=grad.device)
    grid = (width // columns, 12 // kinds, triton.cdiv(views, chunk) + buckets)
    _backward[grid](
        boards.words, boards.order, boards.starts, grad, weights, views,
        WIDTH=width, BUCKETS=buckets, KINDS=kinds, COLUMNS=columns,
        VIEWS=config["views"], CHUNK=chunk,
        num_warps=config["warps"], num_stages=config["stages"],
    )
    return weights


@triton.jit
def _find(starts, tile, SIZE: tl.constexpr, BUCKETS: tl.constexpr):
    """Bucket, first and last view of a tile; the bucket is -1 beyond the last tile."""
    bucket, first, last, before = -1, 0, 0, 0
    for number in range(BUCKETS):
        begin, end = tl.load(starts + number), tl.load(starts + number + 1)
        tiles = (end - begin + SIZE - 1) // SIZE
        here = (tile >= before) & (tile < before + tiles)
        bucket = tl.where(here, number, bucket)
        first = tl.where(here, begin + (tile - before) * SIZE, first)
        last = tl.where(here, end, last)
        before += tiles
    return bucket, first, last


@triton.jit
def _forward(
    words, order, starts, weights, bias, hidden, views,
    WIDTH: tl.constexpr, BUCKETS: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):
    bucket, first, last = _find(starts, tl.program_id(1), ROWS, BUCKETS)
    if bucket < 0:
        return
    row = first + tl.arange(0, ROWS)
    there = row < last
    column = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    square = tl.arange(0, 64)
    bit = (tl.full((64,), 1, tl.int32) << (square & 31))[:, None]
    lower = (square < 32)[:, None]
    one = tl.full((1, 1), 1.0, tl.float32).to(weights.dtype.element_ty)
    zero = tl.full((1, 1), 0.0, tl.float32).to(weights.dtype.element_ty)
    at = weights + (bucket * 768 + square)[:, None] * WIDTH + column[None, :]
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for kind in range(12):
        low = tl.load(words + (2 * kind) * views + row, mask=there, other=0)
        high = tl.load(words + (2 * kind + 1) * views + row, mask=there, other=0)
        # Made on its side: neighbouring threads then read neighbouring views, and each few of them.
        ones = tl.where((tl.where(lower, low[None, :], high[None, :]) & bit) != 0, one, zero)
        total = tl.dot(tl.trans(ones), tl.load(at), total)
        at += 64 * WIDTH
    total += tl.load(bias + column)[None, :]
    place = tl.load(order + row, mask=there, other=0).to(tl.int64)
    at = hidden + place[:, None] * WIDTH + column[None, :]
    tl.store(at, total.to(hidden.dtype.element_ty), mask=there[:, None])


@triton.jit
def _backward(
    words, order, starts, grad, weights, views,
    WIDTH: tl.constexpr, BUCKETS: tl.constexpr, KINDS: tl.constexpr, COLUMNS: tl.constexpr,
    VIEWS: tl.constexpr, CHUNK: tl.constexpr,
):
    bucket, first, last = _find(starts, tl.program_id(2), CHUNK, BUCKETS)
    if bucket < 0:
        return
    last = tl.minimum(last, first + CHUNK)
    kind = tl.program_id(1) * KINDS
    column = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    feature = tl.arange(0, KINDS * 64)
    bit = (tl.full((KINDS * 64,), 1, tl.int32) << (feature & 31))[:, None]
    half = (feature >> 5)[:, None]
    one = tl.full((1, 1), 1.0, tl.float32).to(grad.dtype.element_ty)
    zero = tl.full((1, 1), 0.0, tl.float32).to(grad.dtype.element_ty)
    total = tl.zeros((KINDS * 64, COLUMNS), tl.float32)
    for start in range(first, last, VIEWS):
        view = start + tl.arange(0, VIEWS)
        there = view < last
        place = tl.load(order + view, mask=there, other=0).to(tl.int64)
        at = grad + place[:, None] * WIDTH + column[None, :]
        rows = tl.load(at, mask=there[:, None], other=0.0)
        word = tl.load(words + (2 * kind) * views + view, mask=there, other=0)[None, :]
        for part in tl.static_range(1, 2 * KINDS):
            next_word = tl.load(words + (2 * kind + part) * views + view, mask=there, other=0)
            word = tl.where(half == part, next_word[None, :], word)
        total = tl.dot(tl.where((word & bit) != 0, one, zero), rows, total)
    at = weights + (bucket * 768 + kind * 64 + feature)[:, None] * WIDTH + column[None, :]
    tl.atomic_add(at, total, sem="relaxed")
