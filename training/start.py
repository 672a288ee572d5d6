"""The weights a run starts from: those of a checkpoint or of a net file, of the same shape or of a smaller one."""

import json
import math
import struct
from pathlib import Path

import numpy as np
import torch

from records import BOARD, bucket_table
from shape import SHAPE, units

CHECKPOINT = b"RIGACKPT"
NET = b"RIGANNUE"
VERSION, ACTIVATION = 3, 2


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
    version, about = struct.unpack_from("<2H", data, 8)
    if version != VERSION:
        raise ValueError(f"{path}: a net file of version {version}; only version {VERSION} can be read")
    buckets, hidden, first, second, outputs, hidden_one, scale, activation = struct.unpack_from("<8H", data, 12)
    if activation != ACTIVATION:
        raise ValueError(f"{path}: a net with activation {activation}, not {ACTIVATION}")
    nibbles = [half for byte in data[32:48] for half in (byte & 15, byte >> 4)]
    shape = {
        **SHAPE,
        "king_buckets": np.array(nibbles).reshape(8, 4).tolist(),
        "hidden": hidden,
        "first": first,
        "second": second,
        "outputs": outputs,
        "hidden_one": hidden_one,
        "scale": scale,
    }
    size, start = buckets * BOARD * hidden, 64 + about
    inputs, bias = np.frombuffer(data, "i1", size, start), np.frombuffer(data, "<i2", hidden, start + size)
    layers = np.frombuffer(data, layers_of(shape), outputs, start + size + 2 * hidden)
    later = [layers[name].reshape(-1) / unit for name, unit in units(shape).items()]
    return shape, np.concatenate([inputs / hidden_one, bias / hidden_one, *later]).astype("<f4")


def layers_of(shape):
    """One set of later layers in a net file."""
    first, second = shape["first"], shape["second"]
    return np.dtype(
        [
            ("first", "i1", (first, shape["hidden"])),
            ("first_bias", "<i4", first),
            ("second", "<i2", (second, 2 * first)),
            ("second_bias", "<i4", second),
            ("last", "<i2", second),
            ("last_bias", "<i4"),
        ]
    )


def read_weights(path):
    """The shape and the weights of a checkpoint or of a net file."""
    with open(path, "rb") as file:
        return (read_net if file.read(8) == NET else read_checkpoint)(path)


@torch.no_grad()
def start_from(net, path):
    """Gives a net the weights of a file.

    King buckets may be split further: each starts with the weights of the bucket it was part of. A hidden layer may be
    wider: its new units keep their random inputs and count nothing at first. So the net starts with the
    same evaluation.
    """
    shape, floats = read_weights(path)
    other = [name for name in ("first", "second", "outputs", "scale") if shape.get(name) != net.shape[name]]
    if other or shape["hidden"] > net.shape["hidden"]:
        raise ValueError(f"{path}: the net has a different {', '.join(other) or 'hidden layer, and a wider one'}")
    old, new = (bucket_table(table) for table in (shape["king_buckets"], net.shape["king_buckets"]))
    hidden, count = shape["hidden"], int(old.max()) + 1
    layers = layers_of(shape)
    sizes = [count * BOARD * hidden, hidden, *(shape["outputs"] * math.prod(layers[name].shape) for name in layers.names)]
    device = net.bias.device
    inputs, bias, *later = (torch.from_numpy(part).to(device) for part in np.split(floats, np.cumsum(sizes)[:-1]))
    inputs = inputs.view(count, BOARD, hidden)[[int(old[new == bucket][0]) for bucket in range(int(new.max()) + 1)]]
    # Each half grows at its end, so that partners stay partners.
    half = hidden // 2
    place = torch.arange(hidden, device=device)
    place[half:] += net.shape["hidden"] // 2 - half
    net.common[:, place] = inputs.mean(0)
    net.inputs[:, :, place] = inputs - inputs.mean(0)
    net.bias[place] = bias
    first, *rest = net.head.parameters()
    first.zero_()
    first.unflatten(2, (2, -1))[..., :half] = later[0].view(*first.shape[:2], 2, half)
    for mine, other in zip(rest, later[1:]):
        mine.copy_(other.view_as(mine))
