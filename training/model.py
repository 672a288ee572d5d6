"""The network in PyTorch: the same shape as crates/nnue/src/shape.rs, and its checkpoints."""

import json
import struct
from pathlib import Path

import numpy as np
import torch
from torch import nn

from head import HEADS
from records import BOARD, as_records, fen
from sparse import SparseLayer
from start import CHECKPOINT

SHAPE = json.loads((Path(__file__).parent / "shape.json").read_text())
# Experimental king buckets besides those of shape.json.
BUCKETS = {
    "1": [[0] * 4] * 8,
    "4": [[0, 0, 1, 1], [2] * 4] + [[3] * 4] * 6,
    "10": [[0, 1, 2, 3], [4, 4, 5, 5], [6, 6, 7, 7], [8] * 4] + [[9] * 4] * 4,
}


def shape_with(hidden=None, buckets=None):
    """The shape of shape.json, or an experimental one: `buckets` is a name of BUCKETS or a JSON file of 8 x 4 numbers."""
    shape = dict(SHAPE)
    if hidden:
        shape["hidden"] = hidden
    if buckets:
        shape["king_buckets"] = BUCKETS[buckets] if buckets in BUCKETS else json.loads(Path(buckets).read_text())
    table = np.array(shape["king_buckets"])
    if table.shape != (8, 4) or set(table.flatten()) != set(range(table.max() + 1)) or table.max() > 15:
        raise ValueError("king buckets must be 8 lists of 4 numbers: consecutive from 0, at most 15")
    return shape


class Net(nn.Module):
    """(768 x king buckets) -> hidden, twice -> head."""

    def __init__(self, shape=SHAPE, method="reference", device="cpu", head="squared"):
        super().__init__()
        self.shape = shape
        self.layer = SparseLayer(shape["king_buckets"], method, device)
        buckets, hidden = int(np.max(shape["king_buckets"])) + 1, shape["hidden"]
        # Factorised inputs: weights for any king square, plus those of each bucket. A bucket that
        # is rarely seen learns from the others. The engine gets the sum.
        self.common = nn.Parameter(torch.empty(BOARD, hidden).uniform_(-0.06, 0.06))
        self.inputs = nn.Parameter(torch.zeros(buckets, BOARD, hidden))
        self.bias = nn.Parameter(torch.zeros(hidden))
        self.head = HEADS[head](shape)
        self.to(device)

    def forward(self, records):
        """Values of records [positions, 32] for the side to move, in units of the shape's scale."""
        hidden = self.layer(self.layer.features(records), self.inputs, self.common, self.bias)
        which = torch.div(records[:, 29].long() - 2, 4, rounding_mode="floor")
        return self.head(hidden, which.clamp(0, self.shape["outputs"] - 1))

    @torch.no_grad()
    def clip(self):
        """Clips every weight to the range of its integer."""
        self.head.clip()
        self.common.clamp_(-1, 1)
        self.inputs.clamp_(-1, 1)

    @torch.no_grad()
    def save(self, path, about, records=()):
        """Writes the weights for `riga lab quantise`, and the evaluations of a few positions."""
        probes = []
        if len(records):
            exact = Net(self.shape)
            exact.load_state_dict({name: tensor.cpu() for name, tensor in self.state_dict().items()})
            values = exact(records.cpu()) * self.shape["scale"]
            fens = map(fen, as_records(records.cpu().numpy()))
            probes = [{"fen": text, "value": round(value, 1)} for text, value in zip(fens, values.tolist())]
        header = json.dumps({**self.shape, "about": about, "probes": probes}).encode()
        with open(path, "wb") as file:
            file.write(CHECKPOINT + struct.pack("<I", len(header)) + header)
            for tensor in ((self.inputs + self.common), self.bias, *self.head.parts()):
                file.write(tensor.detach().cpu().contiguous().numpy().astype("<f4").tobytes())
