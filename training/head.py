"""From the two accumulators to a value: the part of the network after the first layer.

Each number is clipped to 0..1 and multiplied by its partner in the other half of its accumulator. The products go
through three small layers, of which there are several sets, chosen by the number of pieces. This is what crates/nnue
computes; products and weights are rounded to its integers in the forward pass, and learn as if they were not.
"""

import torch
from torch import nn

from shape import units

# The largest integers of the weights: 8 bits, and 13 of 16 bits, so that no sum overflows.
LIMITS = {"first": 127, "second": 4095, "last": 4095}
LARGEST_BIAS = 100.0


class Head(nn.Module):
    """The later layers. Its parameters are in the order of the checkpoint."""

    def __init__(self, shape):
        super().__init__()
        width, first, second, sets = (shape[name] for name in ("hidden", "first", "second", "outputs"))
        self.units = units(shape)
        self.product_one = self.units["first_bias"] / self.units["first"]

        def uniform(low, high, *size):
            return nn.Parameter(torch.empty(size).uniform_(low, high))

        def weights(*size):
            return uniform(-(size[-1] ** -0.5), size[-1] ** -0.5, *size)

        # The products are small at first. With a bias above 0 no unit starts outside the range where it can learn.
        self.first, self.first_bias = weights(sets, first, width), uniform(0, 0.5, sets, first)
        self.second, self.second_bias = weights(sets, second, 2 * first), uniform(0, 0.5, sets, second)
        self.last, self.last_bias = weights(sets, second), nn.Parameter(torch.zeros(sets))

    def forward(self, hidden, which):
        """Values of positions with hidden layers [positions, 2, width], by the sets `which` [positions]."""
        first = self._layer("first", self.products(hidden), which, self.product_one)
        # Its sign is lost in the square, its size beyond 1 in both.
        both = torch.cat([first.clamp(0, 1), first.clamp(-1, 1).square()], 1)
        second = self._layer("second", both, which)
        return self._layer("last", second.clamp(0, 1).square(), which).squeeze(1)

    def products(self, hidden):
        """Products [positions, width] of hidden layers, in the engine's integers."""
        return _pairs(hidden, self.product_one)

    def _layer(self, name, x, which, one=1.0):
        """A layer [positions, units] of numbers in which 1.0 is `one`.

        All sets are computed and one is selected: gathered weights would be far larger.
        """
        weights, bias = getattr(self, name), getattr(self, name + "_bias")
        sets, unit = len(weights), self.units[name]
        product = _Product.apply(x, weights.view(-1, x.shape[1]), unit)
        every = torch.add(bias.flatten(), product, alpha=1 / (unit * one))
        every = every.unflatten(1, (sets, -1))
        return every.gather(1, which[:, None, None].expand(-1, 1, every.shape[2])).squeeze(1)

    @torch.no_grad()
    def clip(self):
        """Clips weights and biases to the range of their integers."""
        for name, parameter in self.named_parameters():
            limit = LIMITS[name] / self.units[name] if name in LIMITS else LARGEST_BIAS
            parameter.clamp_(-limit, limit)


def _pairs(hidden, one):
    """Products [positions, width], those of the side to move first, rounded to integers in which 1.0 is `one`."""
    if hidden.dtype != torch.float32:
        import pairs

        return pairs.Pairs.apply(hidden, one)
    left, right = hidden.clamp(0, 1).chunk(2, 2)
    product = (left * right).flatten(1) * one
    return product + ((product + 0.5).floor() - product).detach()


class _Product(torch.autograd.Function):
    """Numbers [positions, width] times weights [units, width] rounded to integers, with sums in 32 bits.

    The products and the integers of the first layer have 8 bits, so that they are exact in bf16, too.
    """

    @staticmethod
    def forward(ctx, x, weights, unit):
        whole = (weights * unit).round().to(x.dtype)
        ctx.save_for_backward(x, whole)
        ctx.unit = unit
        return _multiply(x, whole.t())

    @staticmethod
    def backward(ctx, grad):
        x, whole = ctx.saved_tensors
        grad = grad.to(x.dtype)
        # Straight through: the gradient of the rounded weights goes to the exact ones.
        return grad @ whole, _multiply(grad.t(), x) * ctx.unit, None


def _multiply(one, two):
    if one.is_cuda and one.dtype != torch.float32:
        return torch.mm(one, two, out_dtype=torch.float32)
    return one.float() @ two.float()
