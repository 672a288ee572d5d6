#!/usr/bin/env python3
"""Tests of the trainer: python3 training/test_training.py

With NumPy alone it tests the records and the schedule; with PyTorch the net, the stream and whole runs, too; with
Triton the kernels, on the GPU or, where there is none, in Triton's interpreter. Skipped tests are named.
"""

import importlib.util
import math
import os
import stat
import struct
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np

import records
from schedule import Schedule, average_weight

TEN = [[0, 1, 2, 3], [4, 4, 5, 5], [6, 6, 7, 7], [8] * 4] + [[9] * 4] * 4
FENS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
    "2k4r/ppp2ppp/8/8/8/5N2/PPP2PPP/2KR4 w - - 0 1",
    "8/5k2/8/3K4/8/8/7p/8 b - - 0 1",
    "7k/8/8/8/4K3/8/1P6/8 w - - 0 1",
    "k7/8/8/8/8/8/4Q3/7K w - - 0 1",
]


def board_of(fen):
    """A position as {square: (is White's, role)}, and whether White moves: plain and slow."""
    placed, turn = fen.split()[:2]
    board = {}
    for rank, line in zip(range(7, -1, -1), placed.split("/")):
        file = 0
        for letter in line:
            if letter.isdigit():
                file += int(letter)
            else:
                board[8 * rank + file] = (letter.isupper(), "pnbrqk".index(letter.lower()))
                file += 1
    return board, turn == "w"


def record_of(fen):
    board, white = board_of(fen)
    squares = [-1] * 64
    for square, (is_white, role) in board.items():
        squares[square if white else square ^ 56] = role + (0 if is_white == white else 8)
    return records.pack([squares])[0]


def slow_inputs(fen, king_buckets):
    """Active inputs of the side to move and of the other one, straight from docs/nnue.md."""
    board, white_moves = board_of(fen)
    sides = []
    for white in (white_moves, not white_moves):
        turned = {(square if white else square ^ 56): piece for square, piece in board.items()}
        king = next(square for square, piece in turned.items() if piece == (white, 5))
        if king % 8 >= 4:
            turned = {square // 8 * 8 + 7 - square % 8: piece for square, piece in turned.items()}
            king = king // 8 * 8 + 7 - king % 8
        bucket = king_buckets[king // 8][king % 8]
        sides.append(
            sorted(
                bucket * 768 + ((0 if is_white == white else 6) + role) * 64 + square
                for square, (is_white, role) in turned.items()
            )
        )
    return sides


def test_records_become_the_inputs_of_the_docs():
    four = [[0, 0, 1, 1], [2] * 4] + [[3] * 4] * 6
    for buckets in (four, TEN):
        for fen in FENS:
            found = records.active(np.array([record_of(fen)]), buckets)[0]
            assert [sorted(i for i in side if i >= 0) for side in found.tolist()] == slow_inputs(fen, buckets), fen
    # By hand: White's king on a1 sees a black one on e2, which sees itself on d7 and the other on h8.
    found = records.active(np.array([record_of("8/8/8/8/8/8/4k3/K7 w - - 0 1")]), four)[0]
    assert sorted(found[0].tolist())[-2:] == [320, 716]
    assert sorted(found[1].tolist())[-2:] == [3 * 768 + 320 + 51, 3 * 768 + 704 + 63]


def test_records_have_the_documented_bytes():
    data = record_of("k7/8/8/8/8/8/4Q3/7K w - - 0 1").tobytes()
    assert data[:8] == ((1 << 7) | (1 << 12) | (1 << 56)).to_bytes(8, "little")
    assert data[8:24] == bytes([0x45, 0x0D]) + bytes(14), "king 5 and queen 4, then the other king 13"
    assert data[29] == 3 and len(data) == 32
    packed = records.pack([[-1] * 64], score=-5, chance=1.0, result=2, ply=300)[0].tobytes()
    assert packed[24:] == bytes([0xFB, 0xFF, 0xFF, 0xFF, 2, 0, 44, 1])


def test_a_record_is_shown_with_the_side_to_move_as_white():
    assert records.fen(record_of(FENS[0])) == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
    assert records.fen(record_of(FENS[4])) == "8/7P/8/8/3k4/8/5K2/8 w - - 0 1"


def test_made_up_records_have_two_kings():
    made = records.synthetic(500, 3)
    squares, kinds = records.unpack(made)
    assert ((kinds == 5).sum(1) == 1).all() and ((kinds == 11).sum(1) == 1).all()
    assert ((squares >= 0).sum(1) == made["count"]).all() and made["count"].max() <= 32


def test_mixed_files_keep_held_out_records_in_front():
    from mix import mix

    with tempfile.TemporaryDirectory() as folder:
        paths, held, learnt = [], [], []
        for number, count in enumerate((1000, 5017, 250)):
            some = records.pack([[-1] * 64] * count, ply=np.arange(count), score=number)
            paths.append(Path(folder) / f"{number}.bin")
            paths[-1].write_bytes(some.tobytes())
            some = [record.tobytes() for record in some]
            held += some[: count // 50]
            learnt += some[count // 50 : count // 50 * 50]
        count = mix(Path(folder) / "all.bin", paths, block=64)
        mixed = [record.tobytes() for record in records.as_records((Path(folder) / "all.bin").read_bytes())]
        assert count == len(mixed) == len(held) + len(learnt) and len(held) == count // 50
        assert mixed[: len(held)] == held and sorted(mixed[len(held) :]) == sorted(learnt)
        changes = sum(a[24:26] != b[24:26] for a, b in zip(mixed[len(held) :], mixed[len(held) + 1 :]))
        assert changes > 20, "the files take turns"


def test_the_rate_rises_and_falls():
    schedule = Schedule(1000, 1e-3, 1e-6, 100)
    assert schedule.rate(0) < 2e-5 and math.isclose(schedule.rate(49), 1e-3 * 50 / 101)
    assert math.isclose(schedule.rate(100), 1e-3) and math.isclose(schedule.rate(1000), 1e-6)
    assert math.isclose(schedule.rate(550), (1e-3 + 1e-6) / 2) and schedule.rate(2000) == schedule.rate(1000)


def test_the_average_begins_as_a_mean():
    assert average_weight(0, 10, 1e6) == 1 and average_weight(1, 10, 1e6) == 0.5
    assert math.isclose(average_weight(10**9, 1000, 1e6), 1 - math.exp(-0.001))


def tensor(made):
    import torch

    return torch.from_numpy(made.view(np.uint8).reshape(-1, 32).copy())


def test_torch_the_net_is_what_the_docs_say():
    import torch
    from model import Net
    from shape import shape_with

    torch.manual_seed(1)
    net = Net(shape_with(16, "10"))
    with torch.no_grad():
        net.inputs.uniform_(-0.5, 0.5)
        net.bias.uniform_(-0.5, 0.5)
        for parameter in net.head.parameters():
            parameter.uniform_(-0.7, 0.7)
    values = net(tensor(np.array([record_of(fen) for fen in FENS]))).tolist()
    mine = {name: parameter.detach().double().numpy() for name, parameter in net.named_parameters()}
    whole = lambda name, unit: np.round(mine[name] * unit) / unit
    first, second, last = whole("head.first", 8192 * 512 / 255**2), whole("head.second", 512), whole("head.last", 1024)
    weights = (mine["inputs"] + mine["common"]).reshape(-1, 16)
    for fen, value in zip(FENS, values):
        products = []
        for side in slow_inputs(fen, TEN):
            hidden = np.clip(weights[side].sum(0) + mine["bias"], 0, 1)
            products += [np.floor(hidden[unit] * hidden[8 + unit] * 127.002 + 0.5) / 127.002 for unit in range(8)]
        layer = (len(board_of(fen)[0]) - 2) // 4
        sums = first[layer] @ products + mine["head.first_bias"][layer]
        both = np.concatenate([np.clip(sums, 0, 1), np.clip(sums, -1, 1) ** 2])
        sums = second[layer] @ both + mine["head.second_bias"][layer]
        expected = np.clip(sums, 0, 1) ** 2 @ last[layer] + mine["head.last_bias"][layer]
        assert abs(value - expected) < 1e-5, fen


def test_torch_rounded_weights_learn_as_if_they_were_not():
    import torch
    from head import Head
    from shape import SHAPE, units

    torch.manual_seed(1)
    head, which = Head({**SHAPE, "hidden": 32}), torch.arange(8).repeat(5)
    exact = Head({**SHAPE, "hidden": 32})
    with torch.no_grad():
        for name, mine, other in zip(units(SHAPE), head.parameters(), exact.parameters()):
            mine.uniform_(-0.3, 0.3)
            unit = units(SHAPE)[name] if "bias" not in name else 2**30
            other.copy_((mine * unit).round() / unit)
    exact.units = {name: 2.0**30 for name in exact.units}
    hidden = torch.rand(40, 2, 32)
    for one in (head, exact):
        one(hidden, which).square().sum().backward()
    for mine, other in zip(head.parameters(), exact.parameters()):
        assert torch.allclose(mine.grad, other.grad, rtol=1e-3, atol=1e-6) and mine.grad.abs().max() > 0
    head.first.data.fill_(9)
    head.clip()
    assert abs(head.first.max().item() - 127 / 64.5036) < 1e-4


def test_torch_the_engines_input_weights_fit_into_eight_bits():
    import torch
    from model import Net
    from shape import shape_with

    net, limit = Net(shape_with(16, "4")), 127 / 255
    with torch.no_grad():
        net.common.uniform_(-1.5, 1.5)
        net.inputs.uniform_(-2, 2)
        net.clip()
        sums = (net.inputs + net.common).abs()
        assert sums.max() <= limit + 1e-6 and (sums > limit - 1e-6).any() and (sums < limit / 2).any()


def test_torch_a_checkpoint_has_header_and_weights():
    import torch
    from model import Net
    from shape import SHAPE
    from start import read_checkpoint, start_from

    net, other = Net(), Net()
    some = tensor(np.array([record_of(fen) for fen in FENS]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.ckpt"
        net.save(path, "a test", some)
        assert path.read_bytes()[:8] == b"RIGACKPT"
        header, floats = read_checkpoint(path)
        start_from(other, path)
    hidden, outputs = SHAPE["hidden"], SHAPE["outputs"]
    buckets = max(map(max, SHAPE["king_buckets"])) + 1
    assert {name: header[name] for name in SHAPE} == SHAPE and header["about"] == "a test"
    assert [set(probe) for probe in header["probes"]] == [{"fen", "value"}] * len(FENS)
    later = ("first", "first_bias", "second", "second_bias", "last", "last_bias")
    parts = [net.inputs + net.common, net.bias, *(getattr(net.head, name) for name in later)]
    assert [part.numel() for part in parts[2:]] == [outputs * size for size in (16 * hidden, 16, 32 * 32, 32, 32, 1)]
    assert len(parts[0]) == buckets and len(parts[1]) == hidden
    assert np.array_equal(floats, np.concatenate([part.detach().numpy().reshape(-1) for part in parts]))
    assert torch.allclose(net(some), other(some), atol=1e-6)


def net_file(hidden, king_buckets, seed, version=3):
    """A random net: its file, byte by byte, and a function that evaluates in its integers, as the engine does."""
    random = np.random.default_rng(seed)
    whole = lambda kind, low, high, *size: random.integers(low, high + 1, size).astype(kind)
    buckets = max(map(max, king_buckets)) + 1
    rows, bias = whole("i1", -60, 60, buckets * 768, hidden), whole("<i2", 0, 120, hidden)
    layers = [
        (
            whole("i1", -40, 40, 16, hidden), whole("<i4", -4000, 4000, 16),
            whole("<i2", -300, 300, 32, 32), whole("<i4", -(10**6), 10**6, 32),
            whole("<i2", -900, 900, 32), whole("<i4", -(10**5), 10**5, 1),
        )
        for _ in range(8)
    ]  # fmt: skip
    about = b"a test"
    numbers = b"".join(part.tobytes() for part in (rows, bias, *(part for layer in layers for part in layer)))
    squares = [bucket for rank in king_buckets for bucket in rank]
    data = b"RIGANNUE" + struct.pack("<10H", version, len(about), buckets, hidden, 16, 32, 8, 255, 400, 2) + bytes(4)
    data += bytes(low | high << 4 for low, high in zip(squares[::2], squares[1::2])) + bytes(12)
    data += struct.pack("<I", zlib.crc32(about + numbers)) + about + numbers

    def centipawns(fen):
        sides = [np.clip(rows[side].sum(0, dtype=int) + bias, 0, 255) for side in slow_inputs(fen, king_buckets)]
        products = np.concatenate([side[: hidden // 2] * side[hidden // 2 :] + 256 >> 9 for side in sides])
        first, first_bias, second, second_bias, last, last_bias = layers[(len(board_of(fen)[0]) - 2) // 4]
        sums = first.astype(int) @ products + first_bias
        both = np.concatenate([np.clip(sums, 0, 8192), np.clip(sums, -8192, 8192) ** 2 >> 13])
        squares = np.clip(second @ both + second_bias >> 9, 0, 8192) ** 2 >> 13
        return (last @ squares + last_bias[0]) * 400 / (8192 * 1024)

    return data, centipawns


def test_torch_an_arranged_net_is_the_same_with_its_zeros_together():
    import torch
    from model import Net
    from shape import shape_with

    torch.manual_seed(2)
    net = Net(shape_with(32, "4"))
    some = tensor(np.array([record_of(fen) for fen in FENS]))
    with torch.no_grad():
        net.bias.uniform_(-0.3, 0.3)
        before = net(some)
        net.arrange(some)
        often = (net.head.products(net._hidden(some)) > 0).unflatten(1, (2, 16)).sum((0, 1)).tolist()
        assert often == sorted(often) and often[0] < often[-1], often
        assert torch.allclose(net(some), before, atol=1e-6)


def test_torch_a_net_file_starts_any_larger_net_with_its_evaluation():
    import torch
    from model import Net
    from shape import BUCKETS, SHAPE
    from start import start_from

    small = {**SHAPE, "king_buckets": BUCKETS["4"], "hidden": 48}
    nets = [Net(small), Net({**small, "king_buckets": TEN, "hidden": 80})]
    some = tensor(np.array([record_of(fen) for fen in FENS]))
    data, centipawns = net_file(48, BUCKETS["4"], 3)
    expected = [centipawns(fen) for fen in FENS]
    assert max(expected) - min(expected) > 100, expected
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        path = Path(folder) / "some.net"
        path.write_bytes(data)
        for net in nets:
            start_from(net, path)
            assert np.allclose((net(some) * SHAPE["scale"]).numpy(), expected, atol=1), (net(some) * 400, expected)
        assert torch.allclose(nets[0](some), nets[1](some), atol=1e-5)
        path.write_bytes(net_file(48, BUCKETS["4"], 3, version=2)[0])
        try:
            start_from(nets[0], path)
        except ValueError as error:
            assert "version 2" in str(error)
        else:
            raise AssertionError("a file of another version must be refused")


def test_torch_the_target_is_read_from_the_record():
    from step import target

    some = tensor(records.pack([[-1] * 64] * 2, chance=np.array([0.9, 0.25]), result=np.array([0, 2])))
    assert np.allclose(target(some, 0).numpy(), [0.9, 0.25], atol=1e-4)
    assert np.allclose(target(some, 0.5).numpy(), [0.45, 0.625], atol=1e-4)


def test_torch_blended_labels_lie_between_label_and_opinion():
    from relabel import blend
    from step import target

    some = records.pack([[-1] * 64] * 3, score=7, chance=np.array([0.9, 0.25, 1.0]), result=np.array([0, 2, 1]))
    mixed = some.view(np.uint8).reshape(-1, 32).copy()
    blend(mixed, np.array([0.5, 0.75, 1.0]), 0.4)
    assert np.allclose(target(tensor(mixed), 0).numpy(), [0.74, 0.45, 1.0], atol=1e-4)
    before = some.view(np.uint8).reshape(-1, 32)
    assert np.array_equal(np.delete(mixed, [26, 27], 1), np.delete(before, [26, 27], 1)), "nothing else changes"


def options_for(folder, *more):
    from options import arguments

    given = "--samples 3000 --batch 128 --superbatch 1000 --hidden 16 --check 100 --device cpu".split()
    return arguments([*given, "--out", str(folder), *map(str, more)])


def test_torch_a_resumed_run_ends_like_an_uninterrupted_one():
    import torch
    from sources import check_set
    from train import Run

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "some.bin"
        path.write_bytes(records.synthetic(2000, 5).tobytes())
        options = options_for(folder, "--records", path, "--average", 600)
        check = check_set(options, torch.device("cpu"))
        assert len(check) == 40
        whole = Run(options)
        whole.learn(check)
        part = Run(options)
        part.learn(check, last=10)
        part.save()
        rest = Run(options)
        with torch.no_grad():
            rest.net.common.zero_()
        rest.resume()
        rest.learn(check)
        rest.finish(check, None)
        names = {"net.ckpt", "state.pt", "loss.csv", "card.md"}
        assert names <= {entry.name for entry in Path(folder).iterdir()}
    assert whole.step == rest.step == 24 and len(whole.rows) == len(rest.rows) == 4
    for mine, other in zip(whole.rows, rest.rows):
        assert mine[2:5] == other[2:5] and math.isclose(mine[1], other[1], rel_tol=1e-9)
    assert whole.rows[-1][2] < whole.rows[0][2] and whole.rows[-1][3] is not None
    for mine, other in zip(whole.trainer.average, part.trainer.average):
        assert not torch.equal(mine, other)
    rest.trainer.swap()  # `finish` leaves the average in the net
    for mine, other in zip(whole.net.parameters(), rest.net.parameters()):
        assert torch.equal(mine, other)


def test_torch_a_net_that_keeps_lies_between_what_it_was_and_what_it_has_learnt():
    import torch
    from sources import check_set
    from train import Run

    with tempfile.TemporaryDirectory() as folder:
        path, start = Path(folder) / "some.bin", Path(folder) / "start.net"
        path.write_bytes(records.synthetic(2000, 5).tobytes())
        start.write_bytes(net_file(16, TEN, 4)[0])
        run = Run(options_for(folder, "--records", path, "--buckets", "10", "--average", 0, "--start", start, "--keep", 0.75))
        before = [p.detach().clone() for p in run.net.parameters()]
        check = check_set(run.options, torch.device("cpu"))
        run.learn(check)
        learnt = [p.detach().clone() for p in run.net.parameters()]
        run.net.arrange = lambda _: None
        run.finish(check, None)
        moved = [not torch.equal(one, two) for one, two in zip(before, learnt)]
        assert any(moved)
        for old, new, kept in zip(before, learnt, run.net.parameters()):
            assert torch.allclose(kept, 0.75 * old + 0.25 * new, atol=1e-6)


def test_torch_no_record_of_a_held_out_game_is_learnt_from():
    from sources import batches, check_set

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "some.bin"
        made = records.synthetic(2000, 5)
        made["ply"] = np.arange(2000)
        path.write_bytes(made.tobytes())
        # Fewer are measured than are held out.
        options = options_for(folder, "--records", path, "--check", 10, "--batch", 40)
        plies = lambda some: records.as_records(some.numpy())["ply"].tolist()
        assert plies(check_set(options, "cpu")) == list(range(10))
        source, batch, seen = batches(options, tensor(made).device, 0), tensor(made[:40]), set()
        for _ in range(60):
            assert source.copy_next(batch)
            seen |= set(plies(batch))
        source.close()
        assert seen == set(range(40, 2000)), sorted(seen)[:3]


def test_torch_streams_take_turns_and_skip_what_was_seen():
    import torch
    from sources import batches, check_set
    from stream import StreamError

    program = '''#!/usr/bin/env python3
import sys
args = dict(zip(sys.argv[4::2], sys.argv[5::2]))
assert sys.argv[1:3] == ["lab", "stream"] and sys.argv[3].endswith("games.rdata"), sys.argv
if args["--trust"] == "0.5":
    sys.exit(3)
count = 300 if args["--part"] == "check" else 700
for number in range(int(args["--skip"]), count):
    sys.stdout.buffer.write(bytes([int(args["--seed"]), number // 128]) * 16)
'''
    cpu = torch.device("cpu")
    with tempfile.TemporaryDirectory() as folder:
        riga = Path(folder) / "riga"
        riga.write_text(program)
        riga.chmod(riga.stat().st_mode | stat.S_IXUSR)
        games = Path(folder) / "games.rdata"
        games.touch()
        options = options_for(folder, games, "--riga", riga, "--streams", 2, "--seed", 7)
        options.scale = 400
        assert len(check_set(options, cpu)) == 100
        found, into = {}, torch.empty(128, 32, dtype=torch.uint8)
        for skip in (0, 3):
            source = batches(options, cpu, skip)
            found[skip] = []
            while source.copy_next(into):
                found[skip].append(tuple(into[5, :2].tolist()))
            source.close()
        assert found[0] == [(7 + turn % 2, turn // 2) for turn in range(10)]
        assert found[3] == found[0][3:]
        options.trust = 0.5
        source = batches(options, cpu, 0)
        try:
            source.copy_next(into)
        except StreamError as error:
            assert "status 3" in str(error)
        else:
            raise AssertionError("a reader that fails must be reported")
        source.close()


def test_triton_unpacks_like_numpy():
    import torch
    import unpack

    device = "cuda" if torch.cuda.is_available() else "cpu"
    made = np.concatenate([np.array([record_of(fen) for fen in FENS]), records.synthetic(200, 9)])
    expected = records.active(made, TEN).reshape(-1, 32)
    some, masks = tensor(made).to(device), unpack.bucket_masks(TEN, device)
    assert np.array_equal(unpack.to_lists(some, masks).index.cpu().numpy(), expected)
    boards = unpack.to_boards(some, masks)
    words, starts = boards.words.cpu().numpy().view(np.uint32), boards.starts.tolist()
    assert sorted(boards.order.tolist()) == list(range(len(expected)))
    bits = np.unpackbits(words.T.copy().view(np.uint8), axis=1, bitorder="little")
    for place, view in enumerate(boards.order.tolist()):
        bucket = max(b for b in range(10) if starts[b] <= place)
        assert sorted(bucket * 768 + np.flatnonzero(bits[place])) == sorted(i for i in expected[view] if i >= 0)


def test_triton_layers_agree_with_the_reference():
    import torch
    from sparse import SparseLayer

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(1)
    # Enough to give each processor of a GPU several tiles: what goes wrong between them is not seen with fewer.
    count, width = (16384, 256) if device == "cuda" else (130, 64)
    some = tensor(records.synthetic(count, 2))
    weights = [torch.randn(10, 768, width) * 0.1, torch.randn(768, width) * 0.1, torch.randn(width) * 0.1]
    slope = torch.randn(count, 2, width)

    def run(method, device, types=None):
        layer = SparseLayer(TEN, method, device)
        if types:
            layer.weight_type, layer.hidden_type = types
        mine = [w.detach().to(device, copy=True).requires_grad_() for w in weights]
        hidden = layer(layer.features(some.to(device)), *mine)
        (hidden.float() * slope.to(device)).sum().backward()
        return [hidden.detach().float().cpu(), *(w.grad.cpu() for w in mine)]

    expected = run("reference", "cpu")
    # The interpreter can't multiply matrices of bf16; fp16 stands in for it there.
    short = (torch.float16, torch.bfloat16 if device == "cuda" else torch.float16)
    # A GPU multiplies 32-bit matrices with 10 bits of their fractions.
    exact = (torch.float32, torch.float32, 2e-3 if device == "cuda" else 1e-5)
    for method in ("matrix", "gather"):
        for *types, limit in (exact, (*short, 1e-2)):
            for mine, other in zip(run(method, device, types), expected):
                assert (mine - other).norm() < limit * other.norm(), (method, types)


def test_triton_heads_agree_with_the_reference():
    import torch
    from head import Head
    from pairs import Pairs
    from shape import SHAPE

    device = "cuda" if torch.cuda.is_available() else "cpu"
    # The interpreter has fp16, but multiplies no bf16.
    short = torch.bfloat16 if device == "cuda" else torch.float16
    torch.manual_seed(1)
    # As it starts: with larger weights, rounding moves some units across the ends of their range.
    head, which = Head({**SHAPE, "hidden": 96}), torch.randint(0, 8, (150,))
    # Short numbers, so that all start from the same ones; some of them are exactly 0 or 1.
    made = (torch.randn(150, 2, 96) * 0.7).to(short).float().clamp(-0.5, 1.5)
    made[:, :, :3], made[:, :, 3:6] = 0, 1

    def run(function, device, dtype):
        mine = made.to(device, dtype, copy=True).requires_grad_()
        head.to(device).zero_grad()
        value = function(mine, which.to(device))
        value.float().sin().sum().backward()
        grads = [p.grad.to("cpu", copy=True) for p in head.parameters() if p.grad is not None]
        return [value.detach().float().cpu(), mine.grad.float().cpu(), *grads]


    def plain(hidden, _):
        exact = (hidden.clamp(0, 1)[:, :, :48] * hidden.clamp(0, 1)[:, :, 48:]).flatten(1) * 100
        return exact + ((exact + 0.5).floor() - exact).detach()

    kernel = lambda hidden, _: Pairs.apply(hidden, 100.0)
    for mine, other, dtypes in ((kernel, plain, (torch.float32, short)), (head, head, (short,))):
        expected = run(other, "cpu", torch.float32)
        for dtype in dtypes:
            found = run(mine, device, dtype)
            assert len(found) == len(expected)
            for one, two in zip(found, expected):
                limit = 1e-5 if dtype == torch.float32 else 2e-2
                assert (one - two).norm() < limit * two.norm(), (mine, dtype)


def missing():
    """The tests that can't run here, and why."""
    reasons = {}
    if not importlib.util.find_spec("torch"):
        reasons["torch"] = reasons["triton"] = "PyTorch is not installed"
        return reasons
    import torch

    if not importlib.util.find_spec("triton"):
        reasons["triton"] = "Triton is not installed"
    elif not torch.cuda.is_available():
        os.environ["TRITON_INTERPRET"] = "1"
        if tuple(map(int, np.__version__.split(".")[:2])) >= (2, 4):
            reasons["triton"] = "Triton's interpreter needs NumPy below 2.4, and there is no GPU"
    # More would wait for each other on a busy machine.
    torch.set_num_threads(1)
    return reasons


def main():
    reasons, left_out, done = missing(), [], 0
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        reason = reasons.get(name.split("_")[1])
        if reason:
            left_out.append(f"not run: {name} ({reason})")
            continue
        test()
        done += 1
        print("ok", name, flush=True)
    print("\n".join([f"{done} tests passed", *left_out]))


if __name__ == "__main__":
    sys.exit(main())
