"""Blind spots: positions after a natural move that loses, because of answers that the search does not look at.

What is seldom looked at is never found: more time does not help where a winning move has a prior of two per cent.
A blind spot is a position in which the side to move wins by force, as a solver has proven, though a short search thinks
nothing of it. `Miner` finds them in quick games of the network against itself; `playouts_needed` says how long a search
has to think until it knows. No solver of threats is asked at the root of these searches: inside a tree nobody asks it.

They ship as one file for each rule, a line each:

    h8 i9 ... k10 > l7  # prior 0.013, value +0.12, game 40       the moves, the last one natural > the answer to it

Every other game is kept aside: what is tuned or trained on the first half is judged by the second.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from tengen import core, threats
from tengen.arena import GameSetup
from tengen.arena.balanced import match_openings
from tengen.board import Board, Move
from tengen.errors import InputError, SetupError
from tengen.search import Analysis, Mcts, SearchParams
from tengen.thinking.evaluators import best_evaluator

Half: TypeAlias = Literal["first", "aside", "all"]

SHIPPED = Path(__file__).with_name("shipped")
RULES = ("freestyle", "standard", "renju")
#: Playouts of the searches that are tried one after the other until one of them knows.
BUDGETS = (100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000)
#: A search knows that the side to move wins when it gives the position at least this value, from -1 to 1.
WINNING = 0.5

_SHORT = 1_000  # playouts of a search that a blind spot is hidden from
_EVEN = (-0.5, 0.3)  # what a natural move leaves the other side with
_GAME_PLAYOUTS = 60
_PROOF_NODES = 15_000
_OPENINGS = 100
_VARIED = 6  # moves after the opening that are drawn by their visits, so that no two games are the same
_LONGEST = 60
_SEARCH = SearchParams(memory=128 << 20, vct_nodes_root=0, vct_nodes_answer=0)
_LINE = re.compile(r"([\w ]+) > (\w+)  # prior ([\d.]+), value ([+-][\d.]+), game (\d+)")


@dataclass(frozen=True)
class BlindSpot:
    """A position in which the side to move wins, and a short search does not know it.

    Attributes:
        board: The position; its last move was a natural one.
        answer: A winning move.
        prior: What the network thinks of it, 0 to 1.
        value: What a search of 1,000 playouts thinks of the position, for the side to move.
        game: Number of the game that it was found in.
    """

    board: Board
    answer: Move
    prior: float
    value: float
    game: int

    def __str__(self) -> str:
        moves = " ".join(map(self.board.text, self.board.moves))
        facts = f"prior {self.prior:.4f}, value {self.value:+.2f}, game {self.game}"
        return f"{moves} > {self.board.text(self.answer)}  # {facts}"


class Miner:
    """Plays quick games, and asks a solver about every position in which the side to move does not seem to win."""

    def __init__(self, rule: str, seed: int) -> None:
        """Gets ready.

        Args:
            rule: The rule, on 15x15.
            seed: The same seed gives the same games, as long as network and openings are the same.
        """
        self._setup = GameSetup(rule=rule)
        self._evaluator = best_evaluator(self._setup.board())
        self._openings = match_openings(_OPENINGS, self._setup, seed)
        self._seed = f"{rule}/{seed}"

    def game(self, number: int) -> Iterator[BlindSpot]:
        """The blind spots of one game."""
        chance = random.Random(f"{self._seed}/{number}")
        board = self._setup.board(self._openings[number % len(self._openings)])
        opening = board.ply
        searcher = Mcts(self._evaluator, _SEARCH)
        while not board.is_over and board.ply < _LONGEST:
            found = searcher.search(board, playouts=_GAME_PLAYOUTS)
            natural = board.ply > opening and found.proof is None and _EVEN[0] < found.value < _EVEN[1]
            if natural and (spot := _blind_spot(board, self._evaluator, number)) is not None:
                yield spot
            move = found.candidates[0].move
            if board.ply < opening + _VARIED and found.proof is None:
                weights = [entry.visits for entry in found.candidates]
                move = chance.choices(found.candidates, weights)[0].move
            board.push(move)


def _blind_spot(board: Board, evaluator: core.Evaluator, number: int) -> BlindSpot | None:
    """The position as a blind spot, if a solver proves a win and a short search does not see it."""
    solution = threats.solve(board, "auto", max_nodes=_PROOF_NODES, guide=evaluator)
    if not solution.wins or _knows(seen := _search(board, _SHORT)):
        return None
    answer = solution.line[0]
    _, cells, priors = evaluator.judge(board._core)
    prior = dict(zip(map(board._move, cells), priors, strict=True)).get(answer, 0.0)
    return BlindSpot(board.copy(), answer, prior, seen.value, number)


def _search(board: Board, playouts: int) -> Analysis:
    return Mcts(best_evaluator(board), _SEARCH).search(board, playouts=playouts, best=1)


def _knows(found: Analysis) -> bool:
    return found.proof == "win" or found.value >= WINNING


def playouts_needed(spot: BlindSpot, budgets: Sequence[int] = BUDGETS) -> int | None:
    """The first budget whose search, with a tree of its own, knows that the side to move wins; None if none does."""
    return next((playouts for playouts in budgets if _knows(_search(spot.board, playouts))), None)


def summary(needed: Sequence[int | None]) -> dict[str, float | int | str]:
    """The distribution of `playouts_needed`: its median, and the share found within each budget."""
    figures: dict[str, float | int | str] = {"positions": len(needed)}
    ranked = sorted(BUDGETS[-1] + 1 if playouts is None else playouts for playouts in needed)
    if ranked:
        median = ranked[(len(ranked) - 1) // 2]
        figures["median_playouts"] = median if median <= BUDGETS[-1] else f"more than {BUDGETS[-1]:,}"
        for budget in BUDGETS:
            found = sum(playouts <= budget for playouts in ranked)
            figures[f"found_within_{budget}"] = f"{100 * found / len(ranked):.1f} %"
    return figures


def read(path: Path, rule: str) -> list[BlindSpot]:
    """The blind spots of a file; SetupError says which line is none."""
    spots = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("#"):
            continue
        try:
            moves, answer, prior, value, game = _LINE.fullmatch(line).groups()  # type: ignore[union-attr]
            board = GameSetup(rule=rule).board(moves)
            spots.append(BlindSpot(board, board.parse_move(answer), float(prior), float(value), int(game)))
        except (AttributeError, InputError):
            raise SetupError(f"{path}, line {number}: this is no blind spot") from None
    return spots


def shipped_file(rule: str) -> Path:
    """Where the blind spots of a rule are."""
    return SHIPPED / f"blindspots-{rule}.txt"


def shipped(rule: str, half: Half = "all") -> list[BlindSpot]:
    """The shipped blind spots of a rule."""
    spots = read(shipped_file(rule), rule)
    # By games, not by lines: positions of one game have much in common.
    return [spot for spot in spots if half == "all" or (half == "aside") == (spot.game % 2 == 0)]
