"""Learning rate and weight averaging as functions of the samples seen.

By samples, not by steps or time, so that a run can be stopped and resumed anywhere.
"""

from dataclasses import dataclass
from math import cos, exp, pi


@dataclass(frozen=True)
class Schedule:
    """Linear warm-up to the highest rate, then cosine decay to the last."""

    samples: int
    highest: float
    final: float
    warmup: int

    def rate(self, seen):
        """The rate of the step after `seen` samples."""
        if seen < self.warmup:
            return self.highest * (seen + 1) / (self.warmup + 1)
        part = (seen - self.warmup) / max(self.samples - self.warmup, 1)
        return self.final + (self.highest - self.final) * (1 + cos(pi * min(part, 1))) / 2


def average_weight(updates, samples, span):
    """The weight of new weights in the average, `samples` after the previous ones.

    An exponential average over `span` samples. Until then it is a plain mean, so that the random
    weights at the start don't dominate.
    """
    return max(1 - exp(-samples / span), 1 / (updates + 1))
