#!/usr/bin/env python3
"""What a plain script takes to evaluate the positions of games: python-chess and a UCI engine.

Usage: tools/review-baseline.py FILE.pgn GAMES NODES PROCESSES [ENGINE]. Needs `pip install chess`.
Each position is searched once with the same number of nodes, on one thread per process.
"""

import sys
import time
from concurrent.futures import ProcessPoolExecutor

import chess.engine
import chess.pgn


def evaluate(task):
    """Searches every position of a game; returns their number."""
    moves, nodes, program = task
    engine = chess.engine.SimpleEngine.popen_uci(program)
    engine.configure({"Threads": 1, "Hash": 16})
    board = chess.Board()
    engine.analyse(board, chess.engine.Limit(nodes=nodes), game=1)
    for move in moves:
        board.push(move)
        if not board.is_game_over():
            engine.analyse(board, chess.engine.Limit(nodes=nodes), game=1)
    engine.quit()
    return len(moves)


def main():
    path, games, nodes, processes = sys.argv[1], *map(int, sys.argv[2:5])
    program = sys.argv[5] if len(sys.argv) > 5 else "stockfish"
    tasks = []
    with open(path, encoding="utf-8") as file:
        while len(tasks) < games and (game := chess.pgn.read_game(file)):
            tasks.append((list(game.mainline_moves()), nodes, program))
    start = time.monotonic()
    with ProcessPoolExecutor(processes) as pool:
        moves = sum(pool.map(evaluate, tasks))
    seconds = time.monotonic() - start
    print(f"{len(tasks)} games, {moves} moves in {seconds:.1f} s: {moves / seconds:.1f} per second")


if __name__ == "__main__":
    main()
