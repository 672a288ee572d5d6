"""One step of training: forward, loss, backward, optimiser, clipping. On a GPU it is one CUDA graph.

A step is many kernels, most of them short: launching them one by one would take as long as running them.
"""

import torch

from schedule import average_weight


def target(records, share):
    """The targets of the positions: a win probability, blended with the game result."""
    numbers = records.view(torch.int16)
    chance = (numbers[:, 13].int() & 0xFFFF).float() / 65535
    if share == 0:
        return chance
    return (1 - share) * chance + share * records[:, 28].float() / 2


def losses(net, records, power, share):
    """Loss of each position."""
    return (torch.sigmoid(net(records)) - target(records, share)).abs().pow(power)


class Trainer:
    """A net, its optimiser and its average. `step` never waits for the GPU."""

    def __init__(self, net, batch, decay, power=2.0, share=0.0, span=0, graph=True):
        self.net, self.power, self.share, self.span = net, power, share, span
        device = net.bias.device
        self.cuda = device.type == "cuda"
        # On a GPU the rate is a tensor: a graph would bake in a number.
        self.rate = torch.zeros((), device=device) if self.cuda else 0.0
        # Only the weights of the inputs decay, not the biases and the later layers.
        groups = [
            {"params": [net.inputs, net.common], "weight_decay": decay},
            {"params": [net.bias, *net.head.parameters()], "weight_decay": 0.0},
        ]
        self.optimizer = torch.optim.AdamW(groups, lr=self.rate, fused=True, **({"capturable": True} if self.cuda else {}))
        self.records = torch.zeros(batch, 32, dtype=torch.uint8, device=device)
        self.total = torch.zeros((), dtype=torch.float64, device=device)
        self.average = [p.detach().clone() for p in net.parameters()] if span else []
        self.updates = self.since = 0
        self.graph = None
        # The reference goes through NumPy, which no graph can record.
        self.with_graph = graph and self.cuda and net.layer.method != "reference"

    def step(self, rate):
        """Makes a step with self.records."""
        if self.cuda:
            self.rate.fill_(rate)
        else:
            for group in self.optimizer.param_groups:
                group["lr"] = rate
        if self.graph:
            self.graph.replay()
        elif self.with_graph:
            self._capture()
        else:
            self._step()
        self.since += len(self.records)
        # Averaging at every step would cost as much memory traffic as the optimiser.
        if self.span and self.since >= self.span // 256:
            self._average()

    def _step(self):
        self.optimizer.zero_grad(set_to_none=True)
        loss = losses(self.net, self.records, self.power, self.share).mean()
        loss.backward()
        self.optimizer.step()
        self.net.clip()
        self.total += loss.detach()

    def _capture(self):
        """Makes a step, which compiles the kernels and makes the optimiser's state, then records one."""
        side, here = torch.cuda.Stream(), torch.cuda.current_stream()
        side.wait_stream(here)
        with torch.cuda.stream(side):
            self._step()
        here.wait_stream(side)
        self.optimizer.zero_grad(set_to_none=True)
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        # Other threads copy the next batches meanwhile: record only this thread.
        with torch.cuda.graph(self.graph, capture_error_mode="thread_local"):
            self._step()

    @torch.no_grad()
    def _average(self):
        weight = average_weight(self.updates, self.since, self.span)
        torch._foreach_lerp_(self.average, list(self.net.parameters()), weight)
        self.updates, self.since = self.updates + 1, 0

    def take_loss(self):
        """The sum of the steps' losses since the last call; waits for the GPU."""
        total = self.total.item()
        self.total.zero_()
        return total

    def swap(self):
        """Swaps the net's weights with the average; call again to undo."""
        with torch.no_grad():
            for mine, mean in zip(self.net.parameters(), self.average):
                kept = mine.clone()
                mine.copy_(mean)
                mean.copy_(kept)

    @torch.no_grad()
    def measure(self, records):
        """Mean loss on validation positions."""
        parts = records.split(max(len(self.records), 16384))
        return sum(losses(self.net, part, self.power, self.share).double().sum() for part in parts).item() / len(records)

    def state(self):
        """Everything needed to resume."""
        return {
            "net": self.net.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average,
            "updates": self.updates,
            "since": self.since,
        }

    @torch.no_grad()
    def restore(self, state):
        """Restores a state; before the first step."""
        self.net.load_state_dict(state["net"])
        self.optimizer.load_state_dict(state["optimizer"])
        for group in self.optimizer.param_groups:
            # The state may come from another kind of machine.
            group.update(lr=self.rate, capturable=self.cuda, fused=True)
        for mine, mean in zip(self.average, state["average"]):
            mine.copy_(mean)
        self.updates, self.since = state["updates"], state["since"]
