"""Plays the book as black against Tengen's players, which are made to begin with each proven second move in turn.

    python benchmarks/book_games.py [--rule standard] [GAMES [PLAYER ...]]

1,000 games if not said, and without players, against Tengen's own. It prints a row for each opponent, and fails if
black does not win every game, or wins one later than the book said.
"""

from __future__ import annotations

import argparse
import itertools
import time
from pathlib import Path
from typing import get_args

from tengen import Board, Color, players
from tengen.proof.parts import parts_of
from tengen.theory import Claim
from tengen.theory.claim import RuleName
from tengen.thinking.book import by_theory

#: White, and its share of the games.
OPPONENTS = {
    "random": 0.25,
    "beginner": 0.2,
    "mcts:playouts=200": 0.05,
    "mcts-expert:playouts=200": 0.1,
    "alphabeta:depth=2": 0.1,
    "level:1": 0.05,
    "level:3": 0.05,
    "level:5": 0.05,
    "level:7": 0.03,
    "level:9": 0.02,
    "tengen:playouts=30": 0.1,
}


def play(black: players.Player, white: players.Player, board: Board) -> int:
    """Plays to the end; returns the number of the move with which black has won."""
    known = by_theory(board)
    assert known is not None
    latest = board.ply // 2 + known.within
    while not board.is_over:
        board.push((black if board.turn == Color.BLACK else white).choose(board))
    outcome = board.outcome()
    moves = " ".join(board.text(move) for move in board.moves)
    assert outcome is not None
    assert outcome.winner == Color.BLACK, f"black did not win: {moves}"
    won = (board.ply + 1) // 2
    assert won <= latest, f"black won with move {won}, not within {latest}: {moves}"
    return won


def main(rule: RuleName, games: int, opponents: dict[str, float]) -> None:
    """Plays all games and prints what came of them."""
    second = (part.claim.board for part in parts_of(Claim("h8", rule=rule), Path()))
    in_turn = itertools.cycle([board for board in second if by_theory(board) is not None])
    total = 0
    for spec, share in opponents.items():
        count = round(games * share)
        start = time.process_time()
        with players.create("tengen:playouts=1,book=true", 1) as black, players.create(spec, 1) as white:
            won = []
            for number in range(count):
                black.new_game(number)
                white.new_game(number)
                won.append(play(black, white, next(in_turn).copy()))
        total += count
        spent = time.process_time() - start
        print(
            f"{spec:20} {count:4} games, all won by black, with move {sum(won) / count:.1f} on average, "
            f"{max(won)} at the latest ({spent:.0f} s)",
            flush=True,
        )
    print(f"{total} games: no loss, no draw")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rule", choices=get_args(RuleName), default="freestyle")
    parser.add_argument("games", type=int, nargs="?", default=1000)
    parser.add_argument("players", nargs="*")
    given = parser.parse_args()
    main(given.rule, given.games, {spec: 1 / len(given.players) for spec in given.players} or OPPONENTS)
