"""The reports of a run: loss.csv, loss.png and card.md."""

import csv
import hashlib
import json
import subprocess
import threading
from pathlib import Path

import torch

COLUMNS = ["samples", "loss", "loss on other games", "loss of the average on other games", "rate", "positions a second"]


class DataFacts:
    """Checksums and statistics of the data files, computed during training."""

    def __init__(self, riga, paths):
        self.lines = []
        self.thread = threading.Thread(target=self._find, args=(riga, [Path(path) for path in paths]), daemon=True)
        self.thread.start()

    def _find(self, riga, paths):
        for path in paths:
            sum_ = hashlib.sha256()
            with open(path, "rb") as file:
                while part := file.read(1 << 22):
                    sum_.update(part)
            self.lines.append(f"- `{path.name}`: {path.stat().st_size:,} bytes, SHA-256 `{sum_.hexdigest()}`")
            if stat := self._stat(riga, path):
                self.lines.append(f"  `{stat}`")

    def _stat(self, riga, path):
        """Statistics of the file by riga, on one line; empty if riga is too old."""
        try:
            done = subprocess.run([str(riga), "lab", "stat", "--json", str(path)], capture_output=True, text=True)
            return json.dumps(json.loads(done.stdout)) if done.returncode == 0 else ""
        except (OSError, ValueError):
            return ""

    def wait(self):
        self.thread.join()
        return self.lines


def write_losses(rows, folder):
    """The rows of all superbatches, as a table and as a plot."""
    with open(folder / "loss.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(rows)
    try:
        import matplotlib
    except ImportError:
        print("no loss.png: matplotlib is not installed", flush=True)
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    for column, label in ((1, "learnt from"), (2, "other games"), (3, "other games, averaged weights")):
        if rows[-1][column] is not None:
            axes.plot([row[0] / 1e6 for row in rows], [row[column] for row in rows], label=label)
    axes.set_xlabel("million positions")
    axes.set_ylabel("loss")
    axes.legend()
    figure.tight_layout()
    figure.savefig(folder / "loss.png", dpi=120)
    pyplot.close(figure)


def write_card(folder, about, shape, recipe, facts, checked, seconds, speed):
    """A description of the run, to reproduce the net."""
    machine = torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU"
    card = [
        "# Training run", "",
        f"- {about}",
        f"- validated on {checked:,} positions of held-out games",
        f"- {seconds:,.0f} s of training on {machine}, PyTorch {torch.__version__}, {speed:,.0f} positions a second",
        f"- shape: `{json.dumps(shape)}`",
        f"- recipe: `{json.dumps(recipe)}`", "",
        "## Data", "",
        *(facts or ["- synthetic, for timing"]), "",
    ]  # fmt: skip
    (folder / "card.md").write_text("\n".join(card))
