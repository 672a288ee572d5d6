"""The first layer: the sum of the weights of all active inputs. An autograd function with three implementations.

- `matrix`: matrix products on tensor cores (tiles.py), used on a GPU
- `gather`: gathered rows (gather.py), for comparison
- `reference`: plain PyTorch, on the CPU and in the tests
"""

import torch
from torch.nn.functional import embedding_bag

from records import BOARD, KING, active, as_records

METHODS = ("matrix", "gather", "reference")


class SparseLayer:
    """Unpacks records and adds up the weights of what is active in them, [positions, 2, width]."""

    def __init__(self, king_buckets, method, device):
        self.king_buckets = king_buckets
        self.method = method
        # Sums are in 32 bits; only the factors and what is kept between the passes have 16. Weights
        # are below 2, where fp16 is the more exact one; gradients need the range of bf16.
        self.weight_type, self.hidden_type = torch.float16, torch.bfloat16
        if method != "reference":
            import unpack

            self.masks = unpack.bucket_masks(king_buckets, device)
            self.to_features = unpack.to_boards if method == "matrix" else unpack.to_lists

    def features(self, records):
        """Unpacks the positions for the kernels; without a gradient."""
        if self.method == "reference":
            return torch.from_numpy(active(as_records(records.cpu().numpy()), self.king_buckets)).to(records.device)
        return self.to_features(records, self.masks)

    def __call__(self, features, inputs, common, bias):
        """`inputs` [buckets, 768, width] and `common` [768, width], which counts for each bucket."""
        if self.method == "reference":
            return _reference(features, inputs, common, bias)
        return _Sum.apply(inputs, common, bias, features, self)


def _reference(index, inputs, common, bias):
    weights = (inputs + common).flatten(0, 1)
    nothing = len(weights)
    weights = torch.cat([weights, weights.new_zeros(1, weights.shape[1])])
    index = torch.where(index < 0, nothing, index).flatten(0, 1)
    total = embedding_bag(index, weights, mode="sum", padding_idx=nothing)
    return (total + bias).unflatten(0, (-1, 2))


class _Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, inputs, common, bias, features, layer):
        ctx.features, ctx.method, ctx.buckets = features, layer.method, len(inputs)
        weights = torch.empty(inputs.shape, dtype=layer.weight_type, device=inputs.device)
        torch.add(inputs, common, out=weights)
        hidden = _kernels(layer.method).forward(features, weights.flatten(0, 1), bias, layer.hidden_type)
        return hidden.unflatten(0, (-1, 2))

    @staticmethod
    def backward(ctx, grad):
        grad = grad.flatten(0, 1).contiguous()
        if ctx.method == "matrix":
            inputs = _kernels("matrix").backward(ctx.features, grad)
        else:
            inputs = _kernels("gather").backward(ctx.features, grad, ctx.buckets * BOARD)
        inputs = inputs.unflatten(0, (ctx.buckets, BOARD))
        common = inputs.sum(0)
        # Each view has one own king, so the bias, which is always active, gets what those rows get.
        bias = common[64 * KING : 64 * KING + 64].sum(0)
        return inputs, common, bias, None, None


def _kernels(method):
    """Imported late: Triton isn't needed, and may not be installed, on a CPU."""
    if method == "matrix":
        import tiles

        return tiles
    import gather

    return gather
