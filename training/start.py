"""The weights a run starts from: those of a checkpoint or of a net file, of the same shape or of a smaller one."""

import json
import struct
from pathlib import Path

import numpy as np
import torch

from records import BOARD, bucket_table

CHECKPOINT = b"RIGACKPT"
NET = b"RIGANNUE"


def read_checkpoint(path):
    """Header and weights of a checkpoint."""
    data = Path(path).read_bytes()
    if data[:8] != CHECKPOINT:
        raise ValueError(f"{path}: not a checkpoint of train.py")
    (length,) = struct.unpack_from("<I", data, 8)
    return json.loads(data[12 : 12 + length]), np.frombuffer(data[12 + length :], "<f4").copy()


def read_net(path):
    """The shape and the weights, as floats, of a net file (docs/nnue.md describes every byte)."""
    data = Path(path).read_bytes()
    about, buckets, hidden, outputs, hidden_one, output_one, scale, activation = struct.unpack_from("<8H", data, 10)
    if activation != 1:
        raise ValueError(f"{path}: a net with activation {activation}, not 1")
    nibbles = [half for byte in data[32:48] for half in (byte & 15, byte >> 4)]
    shape = {
        "king_buckets": np.array(nibbles).reshape(8, 4).tolist(),
        "hidden": hidden,
        "outputs": outputs,
        "hidden_one": hidden_one,
        "output_one": output_one,
        "scale": scale,
    }
    rows = buckets * BOARD + 1
    first = np.frombuffer(data, "<i2", rows * hidden, 64 + about) / hidden_one
    layer = np.dtype([("weights", "<i2", 2 * hidden), ("bias", "<i4")])
    last = np.frombuffer(data, layer, outputs, 64 + about + 2 * rows * hidden)
    weights, bias = last["weights"] / output_one, last["bias"] / (hidden_one * hidden_one * output_one)
    return shape, np.concatenate([first, weights.reshape(-1), bias]).astype("<f4")


@torch.no_grad()
def start_from(net, path):
    """Gives a net the weights of a file.

    King buckets may be split further: each starts with the weights of the bucket it was part of. A hidden layer may be
    wider: its new units keep their random inputs and count nothing at first. So the net starts with the
    same evaluation.
    """
    with open(path, "rb") as file:
        shape, floats = (read_net if file.read(8) == NET else read_checkpoint)(path)
    other = [name for name in ("outputs", "scale") if shape[name] != net.shape[name]]
    if other or shape["hidden"] > net.shape["hidden"]:
        raise ValueError(f"{path}: the net has a different {', '.join(other) or 'hidden layer, and a wider one'}")
    old, new = (bucket_table(table) for table in (shape["king_buckets"], net.shape["king_buckets"]))
    hidden, outputs, count = shape["hidden"], shape["outputs"], int(old.max()) + 1
    sizes = np.cumsum([count * BOARD * hidden, hidden, outputs * 2 * hidden])
    inputs, bias, out, out_bias = map(torch.from_numpy, np.split(floats, sizes))
    inputs = inputs.view(count, BOARD, hidden)[[int(old[new == bucket][0]) for bucket in range(int(new.max()) + 1)]]
    net.common[:, :hidden] = inputs.mean(0)
    net.inputs[:, :, :hidden] = inputs - inputs.mean(0)
    net.bias[:hidden] = bias
    net.head.out.zero_()
    net.head.out.view(outputs, 2, -1)[:, :, :hidden] = out.view(outputs, 2, hidden)
    net.head.bias.copy_(out_bias)
