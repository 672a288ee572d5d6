"""Triton kernels of the head `squared`: clip, square, and weigh by one of the output layers.

One pass over the hidden layers in each direction. PyTorch would write the clipped, the squared and the
weighed numbers to memory, each as large as the hidden layers.
"""

import torch
import triton
import triton.language as tl


class Weigh(torch.autograd.Function):
    """Hidden layers [positions, width], output layers [outputs, width], which one each takes."""

    @staticmethod
    def forward(ctx, hidden, out, bias, which):
        count, width = hidden.shape
        which = which.to(torch.int32)
        value = torch.empty(count, device=hidden.device)
        columns = min(1024, triton.next_power_of_2(width))
        _forward[(triton.cdiv(count, 4),)](
            hidden, out, bias, which, value, count, WIDTH=width, ROWS=4, COLUMNS=columns
        )
        ctx.save_for_backward(hidden, out, which)
        return value

    @staticmethod
    def backward(ctx, grad):
        hidden, out, which = ctx.saved_tensors
        count, width = hidden.shape
        before = torch.empty_like(hidden)
        weights = torch.zeros(16, width, device=hidden.device)
        if len(out) > len(weights):
            raise ValueError(f"{len(out)} output layers are more than 16")
        columns, splits = 64, 64
        grid = (triton.cdiv(width, columns), min(splits, triton.cdiv(count, 64)))
        _backward[grid](
            hidden, out, which, grad.contiguous(), before, weights, count,
            WIDTH=width, ROWS=64, COLUMNS=columns,
        )
        # Few sums of many numbers: a product is faster than adding into eight places of memory.
        layers = torch.arange(len(out), device=which.device)
        bias = (layers[:, None] == which).to(grad.dtype) @ grad
        return before, weights[: len(out)], bias, None


@triton.jit
def _forward(
    hidden, out, bias, which, value, count,
    WIDTH: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    there = row < count
    layer = tl.load(which + row, mask=there, other=0)
    total = tl.load(bias + layer)
    for start in tl.static_range(0, WIDTH, COLUMNS):
        column = start + tl.arange(0, COLUMNS)
        mask = there[:, None] & (column < WIDTH)[None, :]
        at = row.to(tl.int64)[:, None] * WIDTH + column[None, :]
        number = tl.load(hidden + at, mask=mask, other=0.0).to(tl.float32)
        number = tl.minimum(tl.maximum(number, 0.0), 1.0)
        weight = tl.load(out + layer[:, None] * WIDTH + column[None, :], mask=mask, other=0.0)
        total += tl.sum(number * number * weight, 1)
    tl.store(value + row, total, mask=there)


@triton.jit
def _backward(
    hidden, out, which, grad, before, weights, count,
    WIDTH: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):
    column = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (column < WIDTH)[None, :]
    layers = tl.arange(0, 16)
    total = tl.zeros((16, COLUMNS), tl.float32)
    for start in range(tl.program_id(1) * ROWS, count, tl.num_programs(1) * ROWS):
        row = start + tl.arange(0, ROWS)
        there = row < count
        mask = there[:, None] & inside
        at = row.to(tl.int64)[:, None] * WIDTH + column[None, :]
        number = tl.load(hidden + at, mask=mask, other=0.0).to(tl.float32)
        layer = tl.load(which + row, mask=there, other=0)
        slope = tl.load(grad + row, mask=there, other=0.0)
        weight = tl.load(out + layer[:, None] * WIDTH + column[None, :], mask=mask, other=0.0)
        clipped = tl.minimum(tl.maximum(number, 0.0), 1.0)
        # Beyond either end the gradient is zero.
        through = tl.where((number > 0.0) & (number < 1.0), 2.0 * number, 0.0)
        tl.store(before + at, (slope[:, None] * weight * through).to(before.dtype.element_ty), mask=mask)
        # Which output layer gets how much of each position: a product with a narrow matrix.
        share = tl.where(layers[:, None] == layer[None, :], slope[None, :], 0.0)
        total = tl.dot(share, clipped * clipped, total)
    tl.atomic_add(weights + layers[:, None] * WIDTH + column[None, :], total, mask=inside, sem="relaxed")
