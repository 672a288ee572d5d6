#!/usr/bin/env python3
"""Trains Riga's network from its own games.

    python3 training/train.py games.rdata more.rdata --samples 2e9 --out run

Writes net.ckpt (for `riga lab quantise`), loss.csv, loss.png, card.md and state.pt. A run
that was stopped, or that --minutes ended, continues with --resume and the same options.
"""

import os
import sys
import time

import torch

import report
from model import Net
from options import arguments, recipe_of
from schedule import Schedule
from shape import shape_with
from sources import batches, check_set
from start import start_from
from step import Trainer
from stream import StreamError


class Run:
    """A run and its progress."""

    def __init__(self, options):
        self.began = time.monotonic()
        self.options = options
        torch.manual_seed(options.seed)
        self.device = torch.device(options.device)
        method = options.method or ("matrix" if self.device.type == "cuda" else "reference")
        self.net = Net(shape_with(options.hidden, options.buckets), method, self.device)
        options.scale = self.net.shape["scale"]
        self.trainer = Trainer(
            self.net, options.batch, options.decay, options.power, options.result, options.average, not options.no_graph
        )
        self.schedule = Schedule(options.samples, options.rate, options.final_rate, options.warmup)
        self.steps = -(-options.samples // options.batch)
        self.step, self.rows, self.seconds = 0, [], 0.0
        self.total, self.count = 0.0, 0  # of the superbatch
        self.recipe = recipe_of(options)
        if options.start:
            start_from(self.net, options.start)
        self.before = [p.detach().clone() for p in self.net.parameters()] if options.keep else []

    def resume(self):
        state = torch.load(self.options.out / "state.pt", map_location=self.device)
        other = [name for name, value in self.recipe.items() if state["recipe"].get(name) != value]
        if other:
            raise SystemExit(f"state.pt is from a run with a different {', '.join(other)}: {state['recipe']}")
        self.trainer.restore(state["trainer"])
        for name in ("step", "rows", "seconds", "total", "count"):
            setattr(self, name, state[name])

    def save(self):
        names = ("step", "rows", "seconds", "total", "count", "recipe")
        state = {"trainer": self.trainer.state(), **{name: getattr(self, name) for name in names}}
        unfinished = self.options.out / "state.pt.new"
        torch.save(state, unfinished)
        os.replace(unfinished, self.options.out / "state.pt")

    def learn(self, check, last=None):
        """Trains until the schedule, the time or step `last` ends it; returns whether there was any data."""
        options, trainer = self.options, self.trainer
        source = batches(options, self.device, self.step)
        deadline = self.began + options.minutes * 60
        each = max(options.superbatch // options.batch, 1)
        start, first = time.monotonic(), self.step
        try:
            while self.step < min(self.steps, last or self.steps) and time.monotonic() < deadline:
                if not source.copy_next(trainer.records):
                    print(f"the data ended after {self.step * options.batch:,} positions", flush=True)
                    break
                trainer.step(self.schedule.rate(self.step * options.batch))
                self.step += 1
                self.count += 1
                if self.step % each == 0 or self.step == self.steps:
                    self.total += trainer.take_loss()
                    self.seconds += time.monotonic() - start
                    self.superbatch(check, (self.step - first) * options.batch / (time.monotonic() - start))
                    self.save()
                    start, first = time.monotonic(), self.step
        finally:
            source.close()
        self.total += trainer.take_loss()
        self.seconds += time.monotonic() - start
        return self.step > 0

    def superbatch(self, check, speed):
        """Measures and reports progress."""
        seen = self.step * self.options.batch
        other, mean = self.measure(check)
        rate = self.schedule.rate(seen - self.options.batch)
        self.rows.append((seen, self.total / self.count, other, mean, rate, round(speed)))
        self.total, self.count = 0.0, 0
        averaged = f", averaged {mean:.6f}" if mean is not None else ""
        print(
            f"{seen:,}: loss {self.rows[-1][1]:.6f}, on other games {other:.6f}{averaged}, "
            f"rate {rate:.2e}, {speed / 1e6:.2f} M positions/s",
            flush=True,
        )

    def measure(self, check):
        """Validation loss, also of the averaged weights."""
        other = self.trainer.measure(check)
        if not self.trainer.updates:
            return other, None
        self.trainer.swap()
        mean = self.trainer.measure(check)
        self.trainer.swap()
        return other, mean

    def finish(self, check, facts):
        """Writes the state, the net, the curves and the card. Ends the run: the optimiser's state no longer fits the net."""
        options, out = self.options, self.options.out
        self.save()
        seen = self.step * options.batch
        other, mean = self.measure(check)
        about = f"{seen} of {options.samples} samples, loss on other games {other:.6f}"
        if mean is not None:
            about += f", of the averaged weights {mean:.6f}"
            self.trainer.swap()
        if options.keep:
            self.net.lean_towards(self.before, options.keep)
            about += f", with {options.keep:g} of the first ones {self.trainer.measure(check):.6f}"
        self.net.arrange(check)
        # Synthetic positions may be illegal, which `riga lab quantise` would refuse.
        probes = check[:: max(len(check) // 64, 1)][:64] if not options.synthetic else ()
        self.net.save(out / "net.ckpt", about, probes)
        if self.rows:
            report.write_losses(self.rows, out)
        lines = facts.wait() if facts else []
        report.write_card(
            out, about, self.net.shape, self.recipe, lines, len(check), self.seconds, seen / max(self.seconds, 1e-9)
        )
        print(about, flush=True)


def main(given=None):
    options = arguments(given, __doc__)
    options.out.mkdir(parents=True, exist_ok=True)
    torch.backends.cuda.matmul.allow_tf32 = True
    run = Run(options)
    if options.resume:
        run.resume()
    facts = None
    if not options.synthetic:
        facts = report.DataFacts(options.riga, [options.records] if options.records else options.data)
    try:
        check = check_set(options, run.device)
        print(f"{len(check):,} validation positions", flush=True)
        if not run.learn(check):
            raise SystemExit("no training data: fewer positions than a batch")
    except StreamError as error:
        raise SystemExit(str(error)) from error
    run.finish(check, facts)


if __name__ == "__main__":
    sys.exit(main())
