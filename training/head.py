"""From the two accumulators to a value: the part of the network after the first layer.

A head is a module with `forward(hidden, which)`, `clip()` and `parts()`; another architecture is
another head in HEADS. `squared` is what crates/nnue computes: each number is clipped to 0..1 and
squared, and one of several output layers weighs them, chosen by the number of pieces.
"""

import torch
from torch import nn


class Squared(nn.Module):
    def __init__(self, shape):
        super().__init__()
        width, outputs = 2 * shape["hidden"], shape["outputs"]
        self.limit = shape["output_limit"] / shape["output_one"]
        bound = width**-0.5
        self.out = nn.Parameter(torch.empty(outputs, width).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, hidden, which):
        """Values of positions with hidden layers [positions, 2, width]."""
        hidden = hidden.flatten(1)
        if hidden.is_cuda and hidden.dtype != torch.float32:
            import weigh

            return weigh.Weigh.apply(hidden, self.out, self.bias, which)
        # Compute all output layers and select one: gathered weights would be as large as `hidden`.
        return (hidden.clamp(0, 1).square() @ self.out.t() + self.bias).gather(1, which[:, None]).squeeze(1)

    @torch.no_grad()
    def clip(self):
        """Clips the weights to the range of their integers."""
        self.out.clamp_(-self.limit, self.limit)

    def parts(self):
        """Tensors in the order of the checkpoint."""
        return [self.out, self.bias]


HEADS = {"squared": Squared}
