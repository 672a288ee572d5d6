"""Triton kernels of the head's first step: clip the hidden layers, multiply their two halves, and round.

One pass over the hidden layers in each direction. PyTorch would write the clipped numbers and the gradient of
each factor to memory, all of them as large as the hidden layers.
"""

import torch
import triton
import triton.language as tl

ROWS = 4


class Pairs(torch.autograd.Function):
    """Products [positions, width] of hidden layers [positions, 2, width]: those of the side to move first.

    They are integers in which 1.0 is `one`; the gradient is that of numbers that aren't rounded.
    """

    @staticmethod
    def forward(ctx, hidden, one):
        hidden = hidden.contiguous()
        count, _, width = hidden.shape
        product = torch.empty(count, width, dtype=hidden.dtype, device=hidden.device)
        _forward[(triton.cdiv(2 * count, ROWS),)](hidden, product, 2 * count, one, **_sizes(width))
        ctx.save_for_backward(hidden)
        ctx.one = one
        return product

    @staticmethod
    def backward(ctx, grad):
        (hidden,) = ctx.saved_tensors
        count, _, width = hidden.shape
        before = torch.empty_like(hidden)
        _backward[(triton.cdiv(2 * count, ROWS),)](
            hidden, grad.contiguous(), before, 2 * count, ctx.one, **_sizes(width)
        )
        return before, None


def _sizes(width):
    return {"HALF": width // 2, "ROWS": ROWS, "COLUMNS": triton.next_power_of_2(width // 2), "num_warps": 4}


@triton.jit
def _places(views, HALF: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Where the products of some views are, where their first factors are, and which are there."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, COLUMNS)
    mask = (row < views)[:, None] & (column < HALF)[None, :]
    row = row.to(tl.int64)[:, None]
    return row * HALF + column[None, :], row * (2 * HALF) + column[None, :], mask


@triton.jit
def _clipped(number):
    return tl.minimum(tl.maximum(number, 0.0), 1.0)


@triton.jit
def _forward(hidden, product, views, one, HALF: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    to, at, mask = _places(views, HALF, ROWS, COLUMNS)
    left = tl.load(hidden + at, mask=mask, other=0.0).to(tl.float32)
    right = tl.load(hidden + at + HALF, mask=mask, other=0.0).to(tl.float32)
    whole = tl.floor(_clipped(left) * _clipped(right) * one + 0.5)
    tl.store(product + to, whole.to(product.dtype.element_ty), mask=mask)


@triton.jit
def _backward(hidden, grad, before, views, one, HALF: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    to, at, mask = _places(views, HALF, ROWS, COLUMNS)
    left = tl.load(hidden + at, mask=mask, other=0.0).to(tl.float32)
    right = tl.load(hidden + at + HALF, mask=mask, other=0.0).to(tl.float32)
    slope = tl.load(grad + to, mask=mask, other=0.0).to(tl.float32) * one
    # Beyond either end the gradient is zero; at the ends it isn't, as in PyTorch.
    to_left = tl.where((left >= 0.0) & (left <= 1.0), slope * _clipped(right), 0.0)
    to_right = tl.where((right >= 0.0) & (right <= 1.0), slope * _clipped(left), 0.0)
    tl.store(before + at, to_left.to(before.dtype.element_ty), mask=mask)
    tl.store(before + at + HALF, to_right.to(before.dtype.element_ty), mask=mask)
