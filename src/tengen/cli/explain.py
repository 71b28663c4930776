"""`tengen explain`: how a tree search works, drawn step by step."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterable, Iterator
from json import dumps

from rich import box
from rich.columns import Columns
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from tengen.board import Board
from tengen.errors import SetupError
from tengen.explain import CHAPTER_MOVES, EvaluatorName, Step, explained_search
from tengen.terminal import draw

_KEYS = "Enter: next step, p: next playout, e: to the end, q: quit "


def explain(
    *moves: str,
    empty: bool = False,
    size: int = 3,
    n_in_row: int = 3,
    playouts: int = 5,
    evaluator: EvaluatorName = "rollouts",
    c_puct: float = 5.0,
    seed: int = 1,
    plain: bool = False,
    json: bool = False,
) -> None:
    """Watch a tree search at work: select, expand, evaluate, back up, on a board small enough to follow.

    In a terminal each step waits for a key; the web board (tengen play) draws the tree on a page of its own, "Learn".
    Without moves the position is that of a textbook (docs/origins.md), whose own search is shown by --evaluator chapter
    --playouts 3.

    Args:
        moves: The moves before the search, like b2 a2.
        empty: Begin with an empty board.
        size: Points on each side, 3 to 6.
        n_in_row: Length of the winning row.
        playouts: Playouts of the search.
        evaluator: Judges the leaves: rollouts (a random game), even (all the same), chapter (the textbook's numbers).
        c_puct: Weight of moves that were seldom visited.
        seed: Random seed of the games.
        plain: All steps at once, without colours and keys, as in a pipe.
        json: All steps as JSON, for programs.
    """
    if moves and empty:
        raise SetupError("give either moves or --empty, not both")
    played = () if empty else moves or CHAPTER_MOVES
    steps = explained_search(played, size, n_in_row, evaluator, c_puct, seed).steps(playouts)
    if json:
        print(dumps([dataclasses.asdict(step) for step in steps], indent=1))
        return
    console = Console(highlight=False, no_color=True if plain else None)
    in_terminal = console.is_terminal and sys.stdin.isatty() and not plain
    for step in _at_the_users_pace(console, steps) if in_terminal else steps:
        console.print(drawn(step, size, n_in_row, box.ASCII2 if plain else box.SIMPLE_HEAD))


def _at_the_users_pace(console: Console, steps: Iterable[Step]) -> Iterator[Step]:
    """The steps, each after a key, until the user has seen enough."""
    skipped_playout, to_the_end = None, False
    for step in steps:
        yield step
        if to_the_end or step.playout == skipped_playout or step.kind == "play":
            continue
        key = console.input(f"[dim]{_KEYS}[/]").strip().lower()
        if key == "q":
            return
        to_the_end = key == "e"
        skipped_playout = step.playout if key == "p" else None


def drawn(step: Step, size: int, n_in_row: int, lines: box.Box) -> Group:
    """A step as the terminal shows it: a title, the sentence, the board, and the numbers."""
    head = Text.assemble((f"playout {step.playout}  {step.kind}", "bold cyan"), "  ", step.text)
    board = draw(Board.from_moves(" ".join(step.moves), size=size, n_in_row=n_in_row))
    numbers = _children(step, lines) if step.children else _updates(step, lines) if step.updates else None
    return Group(head, Columns([board, numbers] if numbers else [board], padding=(0, 4)), "")


def _children(step: Step, lines: box.Box) -> Table:
    table = Table(box=lines)
    for name in ("move", "N", "W", "Q", "P", "U", "Q + U"):
        table.add_column(name, justify="left" if name == "move" else "right")
    for child in step.children:
        numbers = (child.total, child.mean, child.prior, child.bonus, child.score)
        cells = [child.move, str(child.visits), *(f"{number:.2f}" for number in numbers)]
        chosen = child.move == step.chosen
        table.add_row(cells[0] + (" <" if chosen else ""), *cells[1:], style="bold yellow" if chosen else "")
    return table


def _updates(step: Step, lines: box.Box) -> Table:
    table = Table(box=lines)
    for name in ("node", "added", "N", "W", "Q"):
        table.add_column(name, justify="left" if name == "node" else "right")
    for update in step.updates:
        root = not update.path
        values = [f"{update.added:+.2f}", str(update.visits), f"{update.total:.2f}", f"{update.mean:.2f}"]
        shown = ["", values[1], "", ""] if root else values
        table.add_row(" ".join(update.path) or "root", *shown)
    return table
