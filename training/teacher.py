#!/usr/bin/env python3
"""Trains a large network on the same positions, to measure whether it knows more than their labels.

    python3 training/teacher.py all.bin --check 1000000 --minutes 8 --out teacher.pt

The file is one of `riga lab stream`; its first `--check` records are for validation. A network like this is far too
slow to play with. It could be a teacher: `judge.py` compares it with the labels.
"""

import argparse
import time
from math import cos, pi
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from records import SIZE
from step import target

EMPTY, KING = 0, 6


def boards(records):
    """Boards [positions, 64]: 0 for an empty square, 1 to 6 for our pieces, 7 to 12 for theirs.

    Mirrored so that our king is on the files a to d, as in the engine's network.
    """
    bits = (records[:, :8, None] >> torch.arange(8, device=records.device)).bitwise_and(1).flatten(1).bool()
    halves = torch.stack([records[:, 8:24] & 15, records[:, 8:24] >> 4], 2).flatten(1).long()
    place = (bits.long().cumsum(1) - 1).clamp(0, 31)
    codes = halves.gather(1, place)
    board = torch.where(bits, 1 + (codes >> 3) * 6 + (codes & 7), EMPTY)
    king = (board == KING).int().argmax(1)
    mirrored = board.view(-1, 8, 8).flip(2).flatten(1)
    return torch.where((king & 4 != 0)[:, None], mirrored, board)


class Block(nn.Module):
    """Attention between squares, with a learned weight for each pair of them, and a layer for each square."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.three = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)
        self.geometry = nn.Parameter(torch.zeros(heads, 64, 64))
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.down.weight)

    def forward(self, x):
        query, key, value = self.three(self.before(x)).unflatten(2, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        scores = query @ key.transpose(2, 3) * query.shape[-1] ** -0.5 + self.geometry
        mixed = (scores.softmax(3).type_as(value) @ value).transpose(1, 2).flatten(2)
        x = x + self.out(mixed)
        return x + self.down(F.relu(self.up(self.between(x))).square())


class Teacher(nn.Module):
    """About 5 million parameters: win probability of a board, before the sigmoid."""

    def __init__(self, width=256, layers=9, heads=8):
        super().__init__()
        self.pieces = nn.Embedding(13, width)
        self.squares = nn.Parameter(torch.randn(64, width) * 0.02)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.after = nn.LayerNorm(width)
        self.narrow = nn.Linear(width, 32)
        self.head = nn.Sequential(nn.Linear(64 * 32, 128), nn.GELU(), nn.Linear(128, 1))

    def forward(self, board):
        x = self.pieces(board) + self.squares
        for block in self.blocks:
            x = block(x)
        return self.head(F.gelu(self.narrow(self.after(x))).flatten(1)).squeeze(1)


@torch.no_grad()
def values(teacher, records, batch=16384):
    """The teacher's values, in units of the shape's scale."""
    parts = []
    for part in records.split(batch):
        with torch.autocast("cuda", torch.bfloat16):
            parts.append(teacher(boards(part)).float())
    return torch.cat(parts)


def error(teacher, records):
    """Mean squared error of the win probability, which is train.py's loss."""
    return (values(teacher, records).sigmoid() - target(records, 0)).square().mean().item()


def train(records, check, options):
    """Trains for the given time; the rate depends on the time, too."""
    teacher = Teacher().cuda()
    print(f"{sum(p.numel() for p in teacher.parameters()):,} parameters, {len(records):,} positions", flush=True)
    fast = torch.compile(teacher)
    optimizer = torch.optim.AdamW(teacher.parameters(), lr=0.0, betas=(0.9, 0.98), weight_decay=options.decay, fused=True)
    order = torch.randperm(len(records), device="cuda")
    began, step, shown, total = None, 0, 0.0, torch.zeros((), device="cuda")
    while True:
        seconds = time.monotonic() - began if began else 0.0
        done = seconds / (60 * options.minutes)
        if done >= 1:
            break
        at = step * options.batch % (len(records) - options.batch)
        part = records[order[at : at + options.batch]]
        optimizer.param_groups[0]["lr"] = options.rate * min(1, (step + 1) / 1000) * (1 + cos(pi * done)) / 2
        with torch.autocast("cuda", torch.bfloat16):
            guess = fast(boards(part))
        loss = F.binary_cross_entropy_with_logits(guess.float(), target(part, options.result))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(teacher.parameters(), 1.0)
        optimizer.step()
        step += 1
        if step == 10:
            torch.cuda.synchronize()
            began = time.monotonic()  # what came before was compilation
        if seconds - shown >= 30:
            shown = seconds
            print(f"{seconds:.0f} s, {step * options.batch:,}: on other games {error(teacher, check[:200_000]):.6f}, "
                  f"{step * options.batch / seconds:,.0f} positions/s", flush=True)  # fmt: skip
    print(f"{step * options.batch:,} samples: on other games {error(teacher, check):.6f}", flush=True)
    return teacher


def read(path, first=0, count=-1):
    """Records of a file, on the GPU."""
    data = np.fromfile(path, np.uint8, count * SIZE if count >= 0 else -1, offset=first * SIZE)
    return torch.from_numpy(data).view(-1, SIZE).cuda()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    add = parser.add_argument
    add("records", type=Path, help="a file of `riga lab stream`")
    add("--check", type=int, default=1_000_000, help="number of validation positions (1000000)")
    add("--minutes", type=float, default=8, help="training time (8)")
    add("--batch", type=int, default=4096, help="batch size (4096)")
    add("--rate", type=float, default=1e-3, help="highest learning rate (0.001)")
    add("--decay", type=float, default=0.05, help="weight decay (0.05)")
    add("--result", type=float, default=0.0, help="weight of the game result in the target (0)")
    add("--out", type=Path, default=Path("teacher.pt"), help="output file (teacher.pt)")
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = True
    teacher = train(read(options.records, options.check), read(options.records, 0, options.check), options)
    torch.save({name: tensor.bfloat16() for name, tensor in teacher.state_dict().items()}, options.out)


if __name__ == "__main__":
    main()
