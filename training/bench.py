#!/usr/bin/env python3
"""Times the trainer on a GPU, and compares its kernels with plain PyTorch.

    python3 training/bench.py [--limit SECONDS]

Prints the comparison, whole steps by width, king buckets, batch and method, the parts of a step, sizes of
tiles, and how fast records come through a pipe. Cases skipped for lack of time are named.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import torch

import gather
import tiles
from model import Net
from pairs import Pairs
from records import synthetic
from shape import shape_with
from step import Trainer, losses
from stream import Batches, Riga

TILES = {
    "forward": [(128, 256, 8, 3), (128, 256, 8, 4), (128, 128, 4, 3), (128, 128, 8, 3), (256, 128, 8, 3), (64, 256, 4, 3)],
    "backward": [(2, 256, 64, 8, 3), (2, 128, 64, 8, 3), (2, 128, 64, 4, 3), (4, 128, 64, 8, 3), (2, 256, 64, 8, 2), (4, 128, 32, 8, 4)],
}  # fmt: skip


def milliseconds(work, repeat=20):
    """The time of some work on the GPU, without launch overhead; the median of three."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        work()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    graph.replay()
    times = []
    for _ in range(3):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        for _ in range(repeat):
            graph.replay()
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end) / repeat)
    return sorted(times)[1]


def step_time(records, width, buckets, batch, method):
    """Milliseconds of a whole step."""
    trainer = Trainer(Net(shape_with(width, buckets), method, "cuda"), batch, 0.2)
    trainer.records.copy_(records[:batch])
    for _ in range(5):
        trainer.step(1e-3)
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(30):
        trainer.step(1e-3)
    end.record()
    torch.cuda.synchronize()
    loss = trainer.take_loss() / 35
    assert np.isfinite(loss), "the loss is not a number"
    return start.elapsed_time(end) / 30


def parts(records, width, buckets, batch, method):
    """Milliseconds of the parts of a step."""
    records = records[:batch].contiguous()
    trainer = Trainer(Net(shape_with(width, buckets), method, "cuda"), batch, 0.2)
    net, layer = trainer.net, trainer.net.layer
    features = layer.features(records)
    weights = (net.inputs + net.common).flatten(0, 1).to(layer.weight_type).detach()
    bias = net.bias.detach()
    kernels = tiles if method == "matrix" else gather
    hidden = kernels.forward(features, weights, bias, layer.hidden_type)
    more = () if method == "matrix" else (len(weights),)
    two = hidden.view(batch, 2, width).detach().requires_grad_()
    which = torch.randint(0, 8, (batch,), device="cuda")
    slope = torch.rand(batch, width, device="cuda").to(hidden.dtype)
    later = [two, *net.head.parameters()]

    def optimise():
        trainer.optimizer.step()
        net.clip()

    found = {
        "unpack": milliseconds(lambda: layer.features(records)),
        "combine": milliseconds(lambda: torch.add(net.inputs.detach(), net.common.detach(), out=weights.view_as(net.inputs))),
        "forward": milliseconds(lambda: kernels.forward(features, weights, bias, layer.hidden_type)),
        "head": milliseconds(lambda: torch.autograd.grad(net.head(two, which).sum(), later)),
        "pairs alone": milliseconds(lambda: torch.autograd.grad(Pairs.apply(two, 127.0), two, slope)),
        "backward": milliseconds(lambda: kernels.backward(features, hidden, *more)),
    }
    for parameter in net.parameters():
        parameter.grad = torch.full_like(parameter, 1e-3)
    trainer.rate.fill_(1e-3)
    found["optimiser"] = milliseconds(optimise)
    return found


def tile_times(records, deadline):
    """Milliseconds of the matrix products with other tiles."""
    net = Net(shape_with(1024, "10"), "matrix", "cuda")
    features = net.layer.features(records[:16384].contiguous())
    weights = (net.inputs + net.common).flatten(0, 1).half().detach()
    grad = torch.randn(32768, 1024, device="cuda").bfloat16()
    plain = tiles.forward(features, weights, net.bias.detach(), torch.bfloat16, {**tiles.FORWARD, "stages": 1})
    for number in range(len(TILES["forward"])):
        for name, keys in (("forward", ("rows", "columns", "warps", "stages")), ("backward", ("kinds", "columns", "views", "warps", "stages"))):
            if time.monotonic() > deadline:
                print(f"  no time for {name} {TILES[name][number:]}")
                continue
            config = dict(zip(keys, TILES[name][number]))
            if name == "forward":
                work = lambda: tiles.forward(features, weights, net.bias.detach(), torch.bfloat16, config)
                if not torch.allclose(work(), plain, atol=0.01):
                    print(f"  {name} {config}: WRONG", flush=True)
            else:
                work = lambda: tiles.backward(features, grad, config)
            try:
                print(f"  {name} {config}: {milliseconds(work):.3f} ms", flush=True)
            except Exception as error:  # such as too much shared memory
                print(f"  {name} {config}: {type(error).__name__} {str(error)[:80]}", flush=True)


def difference(found, wanted):
    found, wanted = found.detach().double().cpu(), wanted.detach().double().cpu()
    return ((found - wanted).norm() / wanted.norm()).item()


def compare(records):
    """Values and gradients of the kernels and of plain PyTorch, by their relative difference."""
    torch.manual_seed(2)
    shape = shape_with(256, "10")
    exact = Net(shape)
    with torch.no_grad():
        exact.inputs.uniform_(-0.05, 0.05)
        exact.bias.uniform_(-0.1, 0.1)
    records = records[:3001].contiguous()
    losses(exact, records.cpu(), 2.0, 0.1).sum().backward()
    wanted = [exact.layer(exact.layer.features(records.cpu()), exact.inputs, exact.common, exact.bias), exact(records.cpu())]
    worst = 0
    for method in ("matrix", "gather"):
        net = Net(shape, method, "cuda")
        net.load_state_dict(exact.state_dict())
        losses(net, records, 2.0, 0.1).sum().backward()
        found = [net.layer(net.layer.features(records), net.inputs, net.common, net.bias), net(records)]
        errors = {"hidden": difference(found[0], wanted[0]), "value": difference(found[1], wanted[1])}
        for (name, mine), other in zip(net.named_parameters(), exact.parameters()):
            errors[name] = difference(mine.grad, other.grad)
        worst = max([worst, *errors.values()])
        print(f"  {method}: " + ", ".join(f"{name} {error:.1e}" for name, error in errors.items()), flush=True)
    good = worst < 2e-2
    print("  the kernels agree with plain PyTorch" if good else "  THE KERNELS ARE WRONG", flush=True)
    return good


def pipe(records, processes, batch=16384):
    """Million records per second through pipes into the GPU's memory, and while it learns."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(records.cpu().numpy().tobytes() * 32)
        file.flush()
        size = Path(file.name).stat().st_size
        trainer = Trainer(Net(shape_with(1024, "10"), "matrix", "cuda"), batch, 0.2)
        found = []
        for learning in (False, True):
            sources = [Riga(["cat"] + [file.name] * ((16 << 30) // size // processes)) for _ in range(processes)]
            batches = Batches(sources, batch, torch.device("cuda"))
            for _ in range(20):
                batches.copy_next(trainer.records)
                trainer.step(1e-3) if learning else None
            torch.cuda.synchronize()
            start, count = time.monotonic(), 0
            while time.monotonic() - start < 3 and batches.copy_next(trainer.records):
                trainer.step(1e-3) if learning else None
                count += batch
            torch.cuda.synchronize()
            found.append(count / (time.monotonic() - start) / 1e6)
            batches.close()
    print(f"  {processes} pipe(s): {found[0]:.1f} M records/s, {found[1]:.1f} M/s while learning (1024 x 10)", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--limit", type=float, default=220, help="seconds (220)")
    began = time.monotonic()
    deadline = began + parser.parse_args().limit
    if not torch.cuda.is_available():
        raise SystemExit("there is no GPU")
    print(torch.cuda.get_device_name(), "PyTorch", torch.__version__, flush=True)
    torch.backends.cuda.matmul.allow_tf32 = True  # as in train.py
    records = torch.from_numpy(synthetic(65536).view(np.uint8).reshape(-1, 32)).cuda()
    print("relative difference to plain PyTorch:")
    good = compare(records)
    print("whole step:\n  width buckets batch method      ms   M positions/s", flush=True)
    cases = [(1024, "4", batch, method) for method in ("matrix", "gather") for batch in (16384, 65536)]
    cases += [(w, b, batch, "matrix") for w in (512, 1024, 1536) for b in ("4", "10") for batch in (16384, 65536)]
    cases += [(w, b, 16384, "gather") for w in (512, 1024, 1536) for b in ("4", "10")]
    for case in dict.fromkeys(cases):
        if time.monotonic() > deadline - 60:
            print(f"  no time for {case}")
            continue
        time_ = step_time(records, *case)
        print("  {:5} {:>7} {:5} {:6}".format(*case) + f" {time_:7.3f} {case[2] / time_ / 1e3:8.2f}", flush=True)
    print("parts of a step, ms (1024 x 4):")
    for batch in (16384, 65536):
        for method in ("matrix", "gather"):
            found = parts(records, 1024, "4", batch, method)
            print(f"  {batch} {method}: " + ", ".join(f"{name} {value:.3f}" for name, value in found.items()), flush=True)
    print("pipe:")
    for processes in (1, 2):
        pipe(records, processes)
    print("tiles (1024 x 10, 16384):")
    tile_times(records, deadline)
    print(f"{time.monotonic() - began:.0f} s in total")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
