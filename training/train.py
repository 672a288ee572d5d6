#!/usr/bin/env python3
"""Trains Riga's network from its own games.

    python3 training/train.py games.rdata more.rdata --out run

The folder gets net.ckpt (for `riga lab quantise`), loss.csv, loss.png and card.md. A run that
was stopped goes on with --resume.
"""

import argparse
import csv
import json
import time
from pathlib import Path

import torch

from data import load
from model import SHAPE, Net


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", nargs="+", help="files of `riga lab datagen`")
    parser.add_argument("--out", type=Path, default=Path("run"), help="folder for the results")
    parser.add_argument("--minutes", type=float, default=8, help="stop after so long (default 8)")
    parser.add_argument("--epochs", type=int, default=8, help="passes over the data (default 8)")
    parser.add_argument("--batch", type=int, default=16384, help="positions a step (default 16384)")
    parser.add_argument("--rate", type=float, default=1e-3, help="highest learning rate (0.001)")
    parser.add_argument("--decay", type=float, default=0.1, help="weight decay (default 0.1)")
    parser.add_argument("--result", type=float, default=0.0, help="share of the game's result in the target, the rest is the scores (0)")
    parser.add_argument("--trust", type=float, default=0.75, help="how much each later score counts: 0 is the own score alone (0.75)")
    parser.add_argument("--power", type=float, default=2.0, help="exponent of the loss (default 2)")
    parser.add_argument("--first-ply", type=int, default=10, help="leave out earlier positions (10)")
    parser.add_argument("--highest", type=int, default=1500, help="leave out positions with a score beyond (1500)")
    parser.add_argument("--start", type=Path, help="net.ckpt of an earlier run to go on learning from")
    parser.add_argument("--hidden", type=int, help="another size of the hidden layer, to try")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    return parser.parse_args()


class Batches:
    """The positions on the device, in a new order each epoch."""

    def __init__(self, positions, device):
        move = lambda array: torch.from_numpy(array).to(device)
        self.boards, self.black = move(positions.boards), move(positions.black)
        self.chance, self.result = move(positions.chance), move(positions.result)

    def __len__(self):
        return len(self.boards)

    def shuffled(self, size, generator):
        order = torch.randperm(len(self), device=self.boards.device, generator=generator)
        for at in range(0, len(order) - size + 1, size):
            yield order[at : at + size]

    def target(self, which, share):
        return (1 - share) * self.chance[which] + share * self.result[which].float() / 2


def measure(net, batches, options):
    """Mean loss on positions that were not learnt from."""
    total = 0.0
    with torch.no_grad():
        for which in torch.arange(len(batches), device=batches.boards.device).split(options.batch):
            predicted = torch.sigmoid(net(batches.boards[which], batches.black[which]))
            error = (predicted - batches.target(which, options.result)).abs()
            total += error.pow(options.power).sum().item()
    return total / len(batches)


def main():
    options = arguments()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.manual_seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()

    filters = {"first_ply": options.first_ply, "highest_score": options.highest}
    positions = load(options.data, trust=options.trust, scale=SHAPE["scale"], **filters)
    print(f"decoded in {time.monotonic() - began:.1f} s", flush=True)
    held_back = positions.game % 50 == 0
    learn = Batches(positions.take(~held_back), device)
    check = Batches(positions.take(held_back), device)
    if len(learn) < options.batch or not len(check):
        raise SystemExit(f"{len(learn)} positions to learn from are fewer than a batch of {options.batch}")

    shape = {**SHAPE, "hidden": options.hidden} if options.hidden else SHAPE
    net = Net(shape).to(device)
    if options.start:
        net.load(options.start)
    optimizer = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=options.decay, fused=device == "cuda")
    steps = len(learn) // options.batch * options.epochs
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, options.rate, max(steps, 2), pct_start=0.05, final_div_factor=100)
    generator = torch.Generator(device).manual_seed(options.seed)
    state, epoch, rows = options.out / "state.pt", 0, []
    if options.resume:
        saved = torch.load(state, map_location=device)
        net.load_state_dict(saved["net"])
        optimizer.load_state_dict(saved["optimizer"])
        schedule.load_state_dict(saved["schedule"])
        epoch, rows = saved["epoch"], saved["rows"]
        generator.manual_seed(options.seed + epoch)

    step = torch.compile(net) if device == "cuda" else net
    training = time.monotonic()
    while not rows or epoch < options.epochs and time.monotonic() - began < options.minutes * 60:
        total, count = torch.zeros((), device=device), 0
        for which in learn.shuffled(options.batch, generator):
            predicted = torch.sigmoid(step(learn.boards[which], learn.black[which]))
            loss = (predicted - learn.target(which, options.result)).abs().pow(options.power).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            schedule.step()
            net.clip()
            total += loss.detach()
            count += 1
        epoch += 1
        seconds = time.monotonic() - training
        rows.append((epoch, total.item() / max(count, 1), measure(net, check, options), schedule.get_last_lr()[0], round(seconds, 1)))
        print("epoch {}: loss {:.6f}, on other games {:.6f}, rate {:.2e}, {} s".format(*rows[-1]), flush=True)
        torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "schedule": schedule.state_dict(), "epoch": epoch, "rows": rows}, state)
    finish(net, options, rows, len(learn), check, device, time.monotonic() - began)


def finish(net, options, rows, learnt, check, device, seconds):
    """Writes the net, the curves and the card."""
    about = f"{learnt} positions, {len(rows)} epochs, loss {rows[-1][1]:.6f}, on other games {rows[-1][2]:.6f}"
    some = slice(None, None, max(len(check) // 64, 1))
    net.save(options.out / "net.ckpt", about, check.boards[some], check.black[some])
    with open(options.out / "loss.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["epoch", "loss", "loss on other games", "rate", "seconds"])
        writer.writerows(rows)
    plot(rows, options.out / "loss.png")
    recipe = {key: str(value) for key, value in vars(options).items() if key not in ("out", "resume", "data")}
    machine = torch.cuda.get_device_name() if device == "cuda" else "CPU"
    card = [
        "# Training run", "",
        f"- data: {', '.join(Path(path).name for path in options.data)}",
        f"- positions: {learnt:,} learnt from, {len(check):,} of other games to check",
        f"- {about.split(', ', 1)[1]}",
        f"- {seconds:.0f} s on {machine}, PyTorch {torch.__version__}",
        f"- shape: `{json.dumps(net.shape)}`",
        f"- recipe: `{json.dumps(recipe)}`", "",
    ]
    (options.out / "card.md").write_text("\n".join(card))
    print(about, flush=True)


def plot(rows, path):
    """The loss curves as a picture."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    epochs = [row[0] for row in rows]
    axes.plot(epochs, [row[1] for row in rows], label="learnt from")
    axes.plot(epochs, [row[2] for row in rows], label="other games")
    axes.set_xlabel("epoch")
    axes.set_ylabel("loss")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main()
