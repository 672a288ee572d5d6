"""The options of train.py, and which of them a run can't change when it goes on."""

import argparse
from pathlib import Path

# What must stay the same for a later run to go on as if there had been one.
RECIPE = [
    "data", "records", "synthetic", "samples", "batch", "rate", "final_rate", "warmup", "decay", "power", "result",
    "average", "trust", "first_ply", "highest", "held_back", "hidden", "buckets", "start", "streams", "seed",
]  # fmt: skip


def arguments(given=None, about=""):
    """The options as the command line has them."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawTextHelpFormatter)
    add = parser.add_argument
    number = lambda text: int(float(text))
    add("data", nargs="*", help="files of `riga lab datagen`")
    add("--riga", type=Path, default=Path("target/release/riga"), help="the program that reads them (target/release/riga)")
    add("--threads", type=int, default=8, help="threads that read, of all streams together (8)")
    add("--streams", type=int, default=1, help="processes that read side by side, each all files in another order (1)")
    add("--records", type=Path, help="a file of `riga lab stream` instead: its first part checks, the rest teaches, over and over")
    add("--synthetic", action="store_true", help="made up positions, to measure the speed")
    add("--out", type=Path, default=Path("run"), help="folder for the results (run)")
    add("--minutes", type=float, default=1e9, help="end this run after so long; --resume goes on (no limit)")
    add("--resume", action="store_true", help="go on from the folder's state.pt")
    add("--samples", type=number, default=1_000_000_000, help="positions to learn from in all, each time counted (1e9)")
    add("--superbatch", type=number, default=100_000_000, help="measure and save each time after so many (1e8)")
    add("--batch", type=number, default=16384, help="positions a step (16384)")
    add("--rate", type=float, default=1e-3, help="highest learning rate (0.001)")
    add("--final-rate", type=float, default=1e-6, help="learning rate at the end (0.000001)")
    add("--warmup", type=number, help="samples until the highest rate (a fiftieth of all)")
    add("--decay", type=float, default=0.1, help="weight decay (0.1)")
    add("--power", type=float, default=2.0, help="exponent of the loss (2)")
    add("--result", type=float, default=0.0, help="share of the game's result in the target, the rest is the scores (0)")
    add("--average", type=number, help="samples that the averaged weights remember; 0 exports the last weights (a fiftieth of all)")
    add("--trust", type=float, default=0.75, help="how much each later score counts: 0 is the own score alone (0.75)")
    add("--first-ply", type=int, default=10, help="leave out earlier positions (10)")
    add("--highest", type=int, default=1500, help="leave out positions with a score beyond (1500)")
    add("--held-back", type=int, default=50, help="hold back one game in so many for the check (50)")
    add("--check", type=number, default=1_000_000, help="positions to check with, at most (1e6)")
    add("--start", type=Path, help="net.ckpt of an earlier run to start from")
    add("--hidden", type=int, help="another size of the hidden layer, to try")
    add("--buckets", help="other king buckets, to try: 1, 4, 10, or a JSON file of 8 x 4 numbers")
    add("--method", choices=["matrix", "gather", "reference"], help="how the first layer is computed (matrix; on a CPU reference)")
    add("--no-graph", action="store_true", help="launch kernels one by one, to find an error")
    add("--device", help="cuda or cpu (cuda if there is one)")
    add("--seed", type=int, default=1)
    options = parser.parse_args(given)
    if bool(options.data) + bool(options.records) + options.synthetic != 1:
        parser.error("name files of games, or --records, or --synthetic")
    for path in [*options.data, *filter(None, [options.records, options.start])]:
        if not Path(path).is_file():
            parser.error(f"there is no file {path}")
    if options.records and options.streams > 1:
        parser.error("--records has one order only: --streams must be 1")
    if options.warmup is None:
        options.warmup = options.samples // 50
    if options.average is None:
        options.average = options.samples // 50
    if options.device is None:
        import torch

        options.device = "cuda" if torch.cuda.is_available() else "cpu"
    return options


def recipe_of(options):
    """The options that make the net; of paths only the names, since folders differ between machines."""
    values = {name: getattr(options, name) for name in RECIPE}
    values["data"] = [Path(path).name for path in options.data]
    return {name: value.name if isinstance(value, Path) else value for name, value in values.items()}
