"""The network in PyTorch: the same shape as crates/nnue/src/shape.rs."""

import json
import struct
from pathlib import Path

import torch
from torch import nn

SHAPE = json.loads((Path(__file__).parent / "shape.json").read_text())
BOARD = 768


class Net(nn.Module):
    """(768 x king buckets) -> hidden, twice -> one of several outputs."""

    def __init__(self, shape=SHAPE):
        super().__init__()
        self.shape = shape
        buckets = torch.tensor(shape["king_buckets"]).flatten()
        files = torch.tensor([0, 1, 2, 3, 3, 2, 1, 0])
        self.buckets = int(buckets.max()) + 1
        ranks = torch.arange(64) // 8
        self.register_buffer("bucket_of", buckets[ranks * 4 + files[torch.arange(64) % 8]])
        self.register_buffer("squares", torch.arange(64))
        hidden, outputs = shape["hidden"], shape["outputs"]
        # What a piece is worth wherever the king is, and what each bucket adds to it.
        self.common = nn.Parameter(torch.empty(BOARD, hidden).uniform_(-0.06, 0.06))
        self.inputs = nn.Parameter(torch.zeros(self.buckets, BOARD, hidden))
        self.bias = nn.Parameter(torch.zeros(hidden))
        bound = (2 * hidden) ** -0.5
        self.out = nn.Parameter(torch.empty(2 * hidden, outputs).uniform_(-bound, bound))
        self.out_bias = nn.Parameter(torch.zeros(outputs))

    def weights(self):
        """The weights of all inputs, buckets and common ones together."""
        return (self.inputs + self.common).flatten(0, 1)

    def active(self, boards, side):
        """Which inputs are active on boards as a side sees them, one for each square."""
        boards = boards.long()
        king = (boards == (10 + side)[:, None]).int().argmax(1)
        turn = 56 * side
        turn = turn ^ torch.where((king & 4) > 0, 7, 0)
        bucket = self.bucket_of[king ^ turn]
        kind = ((boards & 1) ^ side[:, None]) * 6 + (boards >> 1)
        index = bucket[:, None] * BOARD + kind * 64 + (self.squares ^ turn[:, None])
        # Empty squares go to a row that has no weights.
        return torch.where(boards == 12, self.buckets * BOARD, index)

    def layer(self, boards, side, weights):
        """The hidden layer of a side."""
        index = self.active(boards, side)
        if not boards.is_cuda:
            empty = self.buckets * BOARD
            return nn.functional.embedding_bag(index, weights, mode="sum", padding_idx=empty) + self.bias
        # A GPU multiplies whole matrices faster than it looks rows up.
        ones = torch.zeros(len(boards), len(weights), device=boards.device)
        return ones.scatter_(1, index, 1.0) @ weights + self.bias

    def forward(self, boards, black):
        side = black.long()
        weights = nn.functional.pad(self.weights(), (0, 0, 0, 8))
        us, them = self.layer(boards, side, weights), self.layer(boards, 1 - side, weights)
        hidden = torch.cat([us, them], 1).clamp(0, 1).square()
        pieces = (boards != 12).sum(1)
        which = ((pieces - 2) // 4).clamp(0, self.shape["outputs"] - 1)
        return (hidden @ self.out + self.out_bias).gather(1, which[:, None]).squeeze(1)

    @torch.no_grad()
    def clip(self):
        """Keeps every weight where its integer fits."""
        limit = self.shape["output_limit"] / self.shape["output_one"]
        self.out.clamp_(-limit, limit)
        self.common.clamp_(-1, 1)
        self.inputs.clamp_(-1, 1)

    @torch.no_grad()
    def load(self, path):
        """Starts from the weights of an earlier checkpoint."""
        data = Path(path).read_bytes()
        if data[:8] != b"RIGACKPT":
            raise ValueError(f"{path}: this is not a checkpoint of train.py")
        (length,) = struct.unpack_from("<I", data, 8)
        header = json.loads(data[12 : 12 + length])
        other = [name for name, value in self.shape.items() if header[name] != value]
        if other:
            raise ValueError(f"{path}: the checkpoint has another {', '.join(other)}")
        floats = torch.frombuffer(bytearray(data[12 + length :]), dtype=torch.float32)
        hidden, outputs = self.shape["hidden"], self.shape["outputs"]
        sizes = [self.buckets * BOARD * hidden, hidden, outputs * 2 * hidden, outputs]
        inputs, bias, out, out_bias = floats.split(sizes)
        inputs = inputs.view(self.buckets, BOARD, hidden)
        self.common.copy_(inputs.mean(0))
        self.inputs.copy_(inputs - inputs.mean(0))
        self.bias.copy_(bias)
        self.out.copy_(out.view(outputs, 2 * hidden).t())
        self.out_bias.copy_(out_bias)

    @torch.no_grad()
    def save(self, path, about, boards, black):
        """Writes the weights for `riga lab quantise`, and what they make of a few positions."""
        values = (self(boards, black) * self.shape["scale"]).tolist()
        fens = map(fen, boards.tolist(), black.tolist())
        probes = [{"fen": fen, "value": round(value, 1)} for fen, value in zip(fens, values)]
        header = json.dumps({**self.shape, "about": about, "probes": probes}).encode()
        with open(path, "wb") as file:
            file.write(b"RIGACKPT" + struct.pack("<I", len(header)) + header)
            for tensor in (self.weights(), self.bias, self.out.t(), self.out_bias):
                file.write(tensor.float().cpu().contiguous().numpy().astype("<f4").tobytes())


def fen(board, black):
    """A position as text, without castling rights."""
    ranks = []
    for rank in range(7, -1, -1):
        line = "".join("PpNnBbRrQqKk1"[piece] for piece in board[8 * rank : 8 * rank + 8])
        for count in range(8, 1, -1):
            line = line.replace("1" * count, str(count))
        ranks.append(line)
    return "/".join(ranks) + (" b" if black else " w") + " - - 0 1"
