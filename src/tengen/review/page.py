"""A review as one HTML page that needs nothing else: the curve of win rates and the board, move by move."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tengen.records import Game
from tengen.review.report import as_dict
from tengen.review.reviewer import MoveReview

TEMPLATE = Path(__file__).with_name("page.html")
_PLACE = '"TENGEN-DATA"'


def page(game: Game, rule: str, playouts: int, reviews: Sequence[MoveReview]) -> str:
    """The page.

    Args:
        game: The game.
        rule: By which it was judged.
        playouts: For each position.
        reviews: The reviews of all its moves.
    """
    data = {
        "width": game.width,
        "height": game.height,
        "rule": rule,
        "playouts": playouts,
        "black": game.black,
        "white": game.white,
        "result": game.result,
        "moves": [{**as_dict(game, review), "x": review.move.x, "y": review.move.y} for review in reviews],
        "bestPoints": [[review.best.x, review.best.y] for review in reviews],
    }
    # Names come from files: nothing in them may end the script.
    text = json.dumps(data).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return TEMPLATE.read_text(encoding="utf-8").replace(_PLACE, text, 1)
