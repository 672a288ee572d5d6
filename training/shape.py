"""The shape of the network, shape.json: the same as crates/nnue/src/shape.rs. Needs NumPy alone."""

import json
from pathlib import Path

import numpy as np

SHAPE = json.loads((Path(__file__).parent / "shape.json").read_text())
# Experimental king buckets besides those of shape.json.
BUCKETS = {
    "1": [[0] * 4] * 8,
    "4": [[0, 0, 1, 1], [2] * 4] + [[3] * 4] * 6,
    "8": [[0, 1, 2, 3], [4, 4, 5, 5], [6] * 4] + [[7] * 4] * 5,
    "10": [[0, 1, 2, 3], [4, 4, 5, 5], [6, 6, 7, 7], [8] * 4] + [[9] * 4] * 4,
}


def shape_with(hidden=None, buckets=None):
    """The shape of shape.json, or an experimental one: `buckets` is a name of BUCKETS or a JSON file of 8 x 4 numbers."""
    shape = dict(SHAPE)
    if hidden:
        shape["hidden"] = hidden
    if shape["hidden"] % 2:
        raise ValueError(f"a hidden layer of {shape['hidden']} has no two halves")
    if buckets:
        shape["king_buckets"] = BUCKETS[buckets] if buckets in BUCKETS else json.loads(Path(buckets).read_text())
    table = np.array(shape["king_buckets"])
    if table.shape != (8, 4) or set(table.flatten()) != set(range(table.max() + 1)) or table.max() > 15:
        raise ValueError("king buckets must be 8 lists of 4 numbers: consecutive from 0, at most 15")
    return shape


def units(shape):
    """What 1.0 is in the engine's integers, for each tensor of the later layers, in the order of the files."""
    one = shape["first_one"]
    return {
        # A product of two hidden numbers is shifted to 7 bits; the sum of them is in units of `first_one`.
        "first": one * 2 ** shape["product_shift"] / shape["hidden_one"] ** 2,
        "first_bias": one,
        "second": shape["second_one"],
        "second_bias": one * shape["second_one"],
        "last": shape["last_one"],
        "last_bias": one * shape["last_one"],
    }
