"""A review as JSON, as a table for the terminal, and as an SGF file with remarks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rich.table import Table

from tengen.board import Color, Move
from tengen.records import Game, Node
from tengen.review.reviewer import MoveReview

_STYLES = {"blunder": "bold red", "mistake": "red", "inaccuracy": "yellow", "": ""}
#: SGF's own marks: a doubtful move, a bad move, a very bad move.
_SGF_MARKS = {"inaccuracy": ("DO", ""), "mistake": ("BM", "1"), "blunder": ("BM", "2")}

#: What `annotate` writes at the end of a comment, with the mistake if there was one.
_REMARK = re.compile(r"(?:\A|\n\n)black wins \d+\.\d %(?:; (inaccuracy|mistake|blunder), .*)?\Z")


def as_dict(game: Game, review: MoveReview) -> dict[str, Any]:
    """One move for JSON; rates are from 0 to 1, points as text."""
    return {
        "number": review.number,
        "color": str(review.color),
        "move": review.move.text(game.height),
        "win_rate": round(review.win_rate, 4),
        "win_rate_after": round(review.win_rate_after, 4),
        "black_win_rate": round(review.black_win_rate, 4),
        "loss": round(review.loss, 4),
        "mistake": review.mistake,
        "best": review.best.text(game.height),
        "line": [move.text(game.height) for move in review.line],
        "missed": review.missed,
        "win": [move.text(game.height) for move in review.win],
        "theory": review.theory,
    }


def table(game: Game, reviews: Sequence[MoveReview]) -> Table:
    """The moves for a terminal, a row each."""
    result = Table(box=None, header_style="dim", pad_edge=False)
    for heading in ("#", "", "move", "black wins", "loss", "judgement", "best", "missed"):
        result.add_column(heading, justify="right" if heading in ("#", "black wins", "loss") else "left", no_wrap=True)
    for review in reviews:
        missed = f"{review.missed.upper()} in {(len(review.win) + 1) // 2}" if review.missed else ""
        result.add_row(
            str(review.number),
            "●" if review.color == Color.BLACK else "○",
            review.move.text(game.height),
            f"{100 * review.black_win_rate:.1f} %",
            f"{100 * review.loss:.1f}" if review.loss >= 0.0005 else "",
            review.mistake or ("theory" if review.theory else ""),
            review.best.text(game.height) if review.best != review.move else "",
            missed,
            style=_STYLES["blunder" if review.missed else review.mistake],
        )
    return result


def annotate(game: Game, reviews: Sequence[MoveReview]) -> None:
    """Adds remarks, SGF's marks of bad moves, and better lines as variations to a game, in place of earlier remarks."""
    before = game.root
    nodes = [node for node in game.main_line() if node.move is not None]
    for node, review in zip(nodes, reviews, strict=True):
        _forget_remark(node)
        remark = f"black wins {100 * review.black_win_rate:.1f} %"
        if review.mistake:
            name, value = _SGF_MARKS[review.mistake]
            node.properties[name] = [value]
            remark += f"; {review.mistake}, loses {100 * review.loss:.1f} points"
            remark += f"; better {review.best.text(game.height)}"
            if review.missed:
                remark += f", {review.missed.upper()}"
            _add_line(before, review.line)
        node.comment = f"{node.comment}\n\n{remark}" if node.comment else remark
        before = node


def _forget_remark(node: Node) -> None:
    """Takes the remark of an earlier review away, with the mark that it set."""
    if (remark := _REMARK.search(node.comment)) is not None:
        node.comment = node.comment[: remark.start()]
        if remark[1]:
            node.properties.pop(_SGF_MARKS[remark[1]][0], None)


def _add_line(node: Node, line: Sequence[Move]) -> None:
    for move in line:
        node = next((child for child in node.children if child.move == move), None) or node.add(move)
