"""A network as the guide of the threat solver: the effort to find the wins that games offer, with it and without."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cyclopts
from section import Section, finished

from tengen import core, threats
from tengen.arena import GameSetup, Match
from tengen.arena.balanced import match_openings
from tengen.board import Board
from tengen.thinking.evaluators import default_evaluator

PLAYERS = ("tengen:playouts=400", "alphabeta:depth=6")
#: Wins that cost the solver fewer nodes without a guide are no problem for anybody.
EASY = 1_500
NODES = (1_000, 5_000, 20_000, 100_000, 400_000)


@dataclass(frozen=True)
class Effort:
    """What the solver spent on a win, and whether it found it."""

    found: bool
    nodes: int
    seconds: float


def effort(board: Board, guide: core.Evaluator | None = None) -> Effort:
    """Solves a position with as many nodes as the table goes to."""
    start = time.perf_counter()
    solution = threats.solve(board, "vct", max_nodes=NODES[-1], guide=guide)
    return Effort(solution.wins, solution.nodes, time.perf_counter() - start)


def efforts(games: int, seed: int) -> Iterator[tuple[Effort, Effort]]:
    """For positions of the winners of a match, from the last one back to where no win is found: alone, and guided."""
    setup, guide = GameSetup(), default_evaluator("freestyle", 15)
    match = Match(PLAYERS, games=games, openings=match_openings(games // 2, setup, seed), setup=setup, seed=seed)
    for game in finished(match.run()).games:
        record = game.record
        if record.winner is None:
            continue
        for length in range(len(record.moves) - 1, record.opening_length - 1, -2):
            board = setup.board(record.moves[:length])
            alone, guided = effort(board), effort(board, guide)
            if not alone.found and not guided.found:
                break
            if alone.nodes >= EASY:
                yield alone, guided


def main(*, short: bool = False, games: int = 100, seed: int = 3, to: Path | None = None) -> None:
    """Measure the guide.

    Args:
        short: Few games, to see that it works.
        games: Games that the positions are taken from.
        seed: Random seed of the games.
        to: Also put the section into this document, such as docs/experiments.md.
    """
    games = 4 if short else games
    found = list(efforts(games, seed))
    rows = []
    for name, column in (("alone", 0), ("with the network", 1)):
        tried = [pair[column] for pair in found]
        shares = [sum(one.found and one.nodes <= nodes for one in tried) / max(1, len(tried)) for nodes in NODES]
        rows.append((name, *(f"{share:.0%}" for share in shares), f"{sum(one.seconds for one in tried):.2f}"))
    section = Section("guided_threats", "A network that guides the threat solver", to)
    section.text(
        f"{len(found)} positions that are won by threats, of {games} games between {PLAYERS[0]} and "
        f"{PLAYERS[1]}; those that the solver alone finds within {EASY:,} nodes are left out. Shares of the wins that "
        "are found within a number of nodes, and the time for all."
    )
    section.table(("", *(f"{nodes:,} nodes" for nodes in NODES), "seconds"), rows)
    section.write()


if __name__ == "__main__":
    cyclopts.run(main)
