"""The options of train.py, and which of them can't change when a run is resumed."""

import argparse
from pathlib import Path

# What must stay the same for a resumed run to give the same result.
RECIPE = [
    "data", "records", "synthetic", "samples", "batch", "rate", "final_rate", "warmup", "decay", "power", "result",
    "average", "trust", "first_ply", "highest", "held_back", "hidden", "buckets", "start", "keep", "streams", "seed",
]  # fmt: skip


def arguments(given=None, about=""):
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawTextHelpFormatter)
    add = parser.add_argument
    number = lambda text: int(float(text))
    add("data", nargs="*", help="files of `riga lab datagen`")
    add("--riga", type=Path, default=Path("target/release/riga"), help="the program that reads them (target/release/riga)")
    add("--threads", type=int, default=8, help="reader threads of all streams together (8)")
    add("--streams", type=int, default=1, help="reader processes, each with all files in a different order (1)")
    add("--records", type=Path, help="a file of `riga lab stream` instead: its first part is for validation, the rest for training, repeatedly")
    add("--synthetic", action="store_true", help="synthetic positions, to measure the speed")
    add("--out", type=Path, default=Path("run"), help="output directory (run)")
    add("--minutes", type=float, default=1e9, help="end this run after this time; --resume continues it (no limit)")
    add("--resume", action="store_true", help="resume from state.pt in the output directory")
    add("--samples", type=number, default=1_000_000_000, help="total number of training samples (1e9)")
    add("--superbatch", type=number, default=100_000_000, help="samples between measurements and checkpoints (1e8)")
    add("--batch", type=number, default=16384, help="batch size (16384)")
    add("--rate", type=float, default=1e-3, help="highest learning rate (0.001)")
    add("--final-rate", type=float, default=1e-6, help="learning rate at the end (0.000001)")
    add("--warmup", type=number, help="warm-up samples until the highest rate (a fiftieth of all)")
    add("--decay", type=float, default=0.2, help="weight decay of the inputs (0.2)")
    add("--power", type=float, default=2.0, help="exponent of the loss (2)")
    add("--result", type=float, default=0.0, help="weight of the game result in the target, against the scores (0)")
    add("--average", type=number, help="span of the weight average in samples; 0 exports the last weights (a fiftieth of all)")
    add("--trust", type=float, default=0.75, help="lambda of TD(lambda): how much each later score counts, 0 for only the position's own (0.75)")
    add("--first-ply", type=int, default=10, help="skip positions before this ply (10)")
    add("--highest", type=int, default=1500, help="skip positions with a score beyond this (1500)")
    add("--held-back", type=int, default=50, help="hold out one game in this many for validation (50)")
    add("--check", type=number, default=1_000_000, help="maximum number of validation positions (1e6)")
    add("--start", type=Path, help="net.ckpt of an earlier run, or a net file, to start from; it may have fewer king buckets and a smaller hidden layer")
    add("--keep", type=float, default=0.0, help="share of the weights of --start in the exported net (0)")
    add("--hidden", type=int, help="experimental size of the hidden layer, even")
    add("--buckets", help="experimental king buckets: 1, 4, 8, 10, or a JSON file of 8 x 4 numbers")
    add("--method", choices=["matrix", "gather", "reference"], help="how the first layer is computed (matrix; on a CPU reference)")
    add("--no-graph", action="store_true", help="launch kernels one by one, for debugging")
    add("--device", help="cuda or cpu (cuda if there is one)")
    add("--seed", type=int, default=1)
    options = parser.parse_args(given)
    if bool(options.data) + bool(options.records) + options.synthetic != 1:
        parser.error("give training data files, --records or --synthetic")
    for path in [*options.data, *filter(None, [options.records, options.start])]:
        if not Path(path).is_file():
            parser.error(f"no such file: {path}")
    if options.keep and not options.start:
        parser.error("--keep is a share of the weights of --start")
    if not 0 <= options.keep < 1:
        parser.error("--keep must be from 0 to below 1")
    if options.records and options.streams > 1:
        parser.error("--records has a fixed order: --streams must be 1")
    if options.warmup is None:
        options.warmup = options.samples // 50
    if options.average is None:
        options.average = options.samples // 50
    if options.device is None:
        import torch

        options.device = "cuda" if torch.cuda.is_available() else "cpu"
    return options


def recipe_of(options):
    """The options that determine the net; of paths only the names, since directories differ between machines."""
    values = {name: getattr(options, name) for name in RECIPE}
    values["data"] = [Path(path).name for path in options.data]
    return {name: value.name if isinstance(value, Path) else value for name, value in values.items()}
