"""The network in PyTorch, and its checkpoints."""

import json
import struct

import numpy as np
import torch
from torch import nn

from head import Head
from records import BOARD, as_records, fen
from shape import SHAPE
from sparse import SparseLayer
from start import CHECKPOINT

LARGEST_INPUT = 127


class Net(nn.Module):
    """(768 x king buckets) -> hidden, twice -> head."""

    def __init__(self, shape=SHAPE, method="reference", device="cpu"):
        super().__init__()
        self.shape = shape
        self.layer = SparseLayer(shape["king_buckets"], method, device)
        buckets, hidden = int(np.max(shape["king_buckets"])) + 1, shape["hidden"]
        # Factorised inputs: weights for any king square, plus those of each bucket. A bucket that
        # is rarely seen learns from the others. The engine gets the sum.
        self.common = nn.Parameter(torch.empty(BOARD, hidden).uniform_(-0.06, 0.06))
        self.inputs = nn.Parameter(torch.zeros(buckets, BOARD, hidden))
        self.bias = nn.Parameter(torch.zeros(hidden))
        self.head = Head(shape)
        self.to(device)

    def forward(self, records):
        """Values of records [positions, 32] for the side to move, in units of the shape's scale."""
        hidden = self._hidden(records)
        which = torch.div(records[:, 29].long() - 2, 4, rounding_mode="floor")
        return self.head(hidden, which.clamp(0, self.shape["outputs"] - 1))

    def _hidden(self, records):
        return self.layer(self.layer.features(records), self.inputs, self.common, self.bias)

    @torch.no_grad()
    def lean_towards(self, weights, share):
        """Moves all weights towards others: between what a net knew and what it has learnt since."""
        torch._foreach_lerp_(list(self.parameters()), weights, share)

    @torch.no_grad()
    def arrange(self, records):
        """Sorts the pairs of the hidden layer by how often their product is above zero.

        The engine skips four products at a time if all are zero. The net stays the same.
        """
        half = len(self.bias) // 2
        often = torch.zeros(half, dtype=torch.long, device=self.bias.device)
        for part in records.split(16384):
            often += (self.head.products(self._hidden(part)) > 0).unflatten(1, (2, half)).sum((0, 1))
        order = often.argsort(stable=True)
        both = torch.cat([order, order + half])
        for weights in (self.inputs, self.common, self.bias, self.head.first):
            # Those of the head are for the products of both sides; the others for both factors of a product.
            weights.copy_(weights[..., both])

    @torch.no_grad()
    def clip(self):
        """Clips every weight to the range of its integer."""
        self.head.clip()
        self.common.clamp_(-1, 1)
        # The engine has the sum of both, in eight bits.
        limit = LARGEST_INPUT / self.shape["hidden_one"]
        torch.clamp(self.inputs, -limit - self.common, limit - self.common, out=self.inputs)

    @torch.no_grad()
    def rounded(self):
        """This net on the CPU with the input weights of the engine, too; those of the later layers are always rounded."""
        net, one = Net(self.shape), self.shape["hidden_one"]
        net.load_state_dict({name: tensor.cpu() for name, tensor in self.state_dict().items()})
        net.inputs.copy_((one * (net.inputs + net.common)).round() / one)
        net.common.zero_()
        net.bias.copy_((one * net.bias).round() / one)
        return net

    @torch.no_grad()
    def save(self, path, about, records=()):
        """Writes the weights for `riga lab quantise`, and the evaluations of a few positions."""
        probes = []
        if len(records):
            values = self.rounded()(records.cpu()) * self.shape["scale"]
            fens = map(fen, as_records(records.cpu().numpy()))
            probes = [{"fen": text, "value": round(value, 1)} for text, value in zip(fens, values.tolist())]
        header = json.dumps({**self.shape, "about": about, "probes": probes}).encode()
        with open(path, "wb") as file:
            file.write(CHECKPOINT + struct.pack("<I", len(header)) + header)
            for tensor in (self.inputs + self.common, self.bias, *self.head.parameters()):
                file.write(tensor.detach().cpu().contiguous().numpy().astype("<f4").tobytes())
