"""S0's three parallel forms of tree search: how fast each is, and who wins when all have the same time."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

import cyclopts
from section import Section, finished

from tengen import Board
from tengen.arena import GameSetup, Match
from tengen.arena.balanced import match_openings
from tengen.arena.results import MatchGame, MatchResult
from tengen.report.machine import network
from tengen.search import Mcts, SearchParams
from tengen.thinking.evaluators import best_evaluator

Form: TypeAlias = Literal["tree", "root", "leaf"]
FORMS: tuple[Form, ...] = ("tree", "root", "leaf")


def speed(form: Form, threads: int, boards: list[Board], seconds: float, rounds: int) -> float:
    """Playouts/s over some positions, in the fastest of a few rounds."""
    best = 0.0
    evaluator = best_evaluator(boards[0])
    search = Mcts(evaluator, SearchParams(parallelism=form, threads=threads, memory=256 << 20))
    for _ in range(rounds):
        found = [search.search(board, seconds=seconds) for board in boards]
        best = max(best, sum(one.playouts for one in found) / sum(one.seconds for one in found))
    return best


def show(game: MatchGame, result: MatchResult) -> None:
    """Says how far a match is."""
    print(f"\rgame {len(result.games)} of {result.scheduled}", end="", flush=True)


def main(
    *,
    short: bool = False,
    games: int = 100,
    time: float = 0.05,
    threads: int = 2,
    seed: int = 1,
    to: Path | None = None,
) -> None:
    """Compare leaf, root and tree parallelism.

    Args:
        short: Two games of each pair with very short times, to see that it works.
        games: Games of each pair; even.
        time: Seconds a move.
        threads: Threads of every player.
        seed: Random seed for openings and players.
        to: Also put the section into this document, such as docs/experiments.md.
    """
    games, time, rounds, span = (2, 0.002, 1, 0.01) if short else (games, time, 5, 0.5)
    setup = GameSetup()
    openings = match_openings(games // 2, setup, seed)
    boards = [Board.from_moves(opening) for opening in openings[:4]]
    one = speed("tree", 1, boards, span, rounds)
    section = Section("parallelism", "Leaf, root and tree parallelism (the thesis)", to)
    section.text(
        f"Freestyle on 15x15 with the network that shipped then ({network(setup.rule, setup.size)}). First the "
        f"playouts a second in {len(boards)} openings, {span:g} s each, the fastest of {rounds} rounds; then matches "
        f"of {games} games with {time:g} s a move, every opening with both colours. A playout of the root form may "
        "repeat what another tree has done, and those of the leaf form judge the same position once more: the games "
        "tell their worth."
    )
    rows = [("one thread", f"{one:,.0f}", "1.00")]
    for form in FORMS:
        playouts = speed(form, threads, boards, span, rounds)
        rows.append((f"{form}, {threads} threads", f"{playouts:,.0f}", f"{playouts / one:.2f}"))
    section.table(("search", "playouts/s", "times one thread"), rows)
    specs = [f"tengen:parallelism={form},threads={threads},time={time:g},memory={256 << 20}" for form in FORMS]
    result = finished(Match(specs, games=games, openings=openings, setup=setup, seed=seed).run(show))
    print()
    pairs = []
    for first, second in result.pairings:
        pair = result.pair((first, second))
        total = pair.total
        scores = (str(total.wins), str(total.losses), str(total.draws), f"{pair.score:.0%}", str(pair.elo))
        clear = "yes" if pair.elo.low > 0 or pair.elo.high < 0 else "no"
        pairs.append((f"{FORMS[first]} against {FORMS[second]}", *scores, clear))
    section.table(("pair", "won", "lost", "drawn", "points", "Elo with its 95 % interval", "clear of 0"), pairs)
    section.write()


if __name__ == "__main__":
    cyclopts.run(main)
