"""The first layer by gathering rows, and its gradient by scattering them: no tensor cores.

Forward, a program adds the rows of a view's active inputs. Backward, the pairs of input and view
are sorted by input; each program takes as many pairs as any other, sums while the input stays the
same, and adds to memory only when it changes. So a king's square that is active in every second
position costs no more than any other pair.
"""

import torch
import triton
import triton.language as tl

from records import PIECES

PAIRS = 128  # per program of the backward pass


def forward(lists, weights, bias, dtype):
    """Hidden layers [views, width] before the activation."""
    views, width = len(lists.index), weights.shape[1]
    hidden = torch.empty(views, width, dtype=dtype, device=weights.device)
    block = triton.next_power_of_2(width)
    _forward[(views,)](lists.index, weights, bias, hidden, WIDTH=width, BLOCK=block, num_warps=4)
    return hidden


def backward(lists, grad, inputs):
    """Gradient of the weights, [inputs, width] in 32 bits, from that of the hidden layers."""
    width = grad.shape[1]
    # Empty places, -1, come first.
    feature, order = torch.sort(lists.index.view(-1))
    weights = torch.zeros(inputs, width, device=grad.device)
    # The gradients of a block of columns should fit into the L2 cache: 32,768 views of 256 are 16 MB.
    columns = min(256, triton.next_power_of_2(width))
    grid = (triton.cdiv(len(feature), PAIRS), triton.cdiv(width, columns))
    _backward[grid](
        feature, order, grad, weights, len(feature),
        WIDTH=width, BLOCK=columns, COUNT=PAIRS, EACH=PIECES, num_warps=1,
    )
    return weights


@triton.jit
def _forward(index, weights, bias, hidden, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    view = tl.program_id(0).to(tl.int64)
    column = tl.arange(0, BLOCK)
    inside = column < WIDTH
    total = tl.load(bias + column, mask=inside, other=0.0)
    feature = tl.load(index + view * 32).to(tl.int32)
    place = 0
    while (place < 32) & (feature >= 0):
        # Four rows at a time, so that their loads wait together.
        for step in tl.static_range(4):
            at = weights + feature * WIDTH + column
            total += tl.load(at, mask=inside & (feature >= 0), other=0.0).to(tl.float32)
            place += 1
            feature = tl.load(index + view * 32 + place, mask=place < 32, other=-1).to(tl.int32)
    tl.store(hidden + view * WIDTH + column, total.to(hidden.dtype.element_ty), mask=inside)


@triton.jit
def _backward(
    feature, order, grad, weights, pairs,
    WIDTH: tl.constexpr, BLOCK: tl.constexpr, COUNT: tl.constexpr, EACH: tl.constexpr,
):
    first = tl.program_id(0) * COUNT
    last = tl.minimum(first + COUNT, pairs)
    # A whole program of empty places: they are sorted to the front.
    if tl.load(feature + last - 1) < 0:
        return
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = column < WIDTH
    total = tl.zeros((BLOCK,), tl.float32)
    current = tl.load(feature + first).to(tl.int32)
    for pair in range(first, last):
        here = tl.load(feature + pair).to(tl.int32)
        view = tl.load(order + pair) // EACH
        row = tl.load(grad + view * WIDTH + column, mask=inside & (here >= 0), other=0.0)
        if here != current:
            tl.atomic_add(weights + current * WIDTH + column, total, mask=inside & (current >= 0), sem="relaxed")
            total = tl.zeros((BLOCK,), tl.float32)
        total += row.to(tl.float32)
        current = here
    tl.atomic_add(weights + current * WIDTH + column, total, mask=inside & (current >= 0), sem="relaxed")
