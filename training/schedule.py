"""How the learning rate, and the weight of the newest weights in their average, follow from the samples seen.

By samples, not by steps or time, so that a run can stop and go on anywhere.
"""

from dataclasses import dataclass
from math import cos, exp, pi


@dataclass(frozen=True)
class Schedule:
    """A rise to the highest rate in a straight line, then half a cosine down to the last."""

    samples: int
    highest: float
    final: float
    warmup: int

    def rate(self, seen):
        """The rate of the step that begins after `seen` samples."""
        if seen < self.warmup:
            return self.highest * (seen + 1) / (self.warmup + 1)
        part = (seen - self.warmup) / max(self.samples - self.warmup, 1)
        return self.final + (self.highest - self.final) * (1 + cos(pi * min(part, 1))) / 2


def average_weight(updates, samples, span):
    """How much new weights count in the average, `samples` after those before.

    It forgets with `span` samples. Until then it is a plain mean, in which the random weights at
    the start don't count longer than others.
    """
    return max(1 - exp(-samples / span), 1 / (updates + 1))
