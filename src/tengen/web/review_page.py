"""A review as one HTML page that needs nothing else: the web board's own modules, texts and styles in one file."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tengen.errors import SetupError
from tengen.records import Game
from tengen.review import MoveReview

STATIC = Path(__file__).with_name("static")
TEMPLATE = Path(__file__).with_name("review_page.html")
MAIN = "review-page.js"
_IMPORT = re.compile(r'from "\./([\w/.-]+)"')


def check_shape(game: Game) -> None:
    """SetupError if the page cannot show the game's board."""
    if game.width != game.height:
        raise SetupError(
            f"the page shows square boards, not {game.width}x{game.height}; --sgf and --json have no limit"
        )


def page(game: Game, rule: str, playouts: int, reviews: Sequence[MoveReview]) -> str:
    """The page.

    Args:
        game: The game, on a square board.
        rule: By which it was judged.
        playouts: For each position.
        reviews: The reviews of all its moves.
    """
    check_shape(game)
    data = {
        "size": game.width,
        "rule": rule,
        "playouts": playouts,
        "black": game.black,
        "white": game.white,
        "result": game.result or "",
        "positions": [{"ply": 0}, *(_position(game, review) for review in reviews)],
    }
    places = {
        "TENGEN-STYLES": "".join(
            (STATIC / "css" / name).read_text(encoding="utf-8") for name in ("base.css", "board.css")
        ),
        '"TENGEN-MODULES"': _script(_modules(MAIN)),
        '"TENGEN-DATA"': _script(data),
    }
    template = TEMPLATE.read_text(encoding="utf-8")
    return re.sub("|".join(places), lambda place: places[place[0]], template)


def _position(game: Game, review: MoveReview) -> dict[str, Any]:
    """The position after a move, with what the page's chart wants to know about it (`messages.ReviewAnswer`)."""
    line = [move.text(game.height) for move in review.line]
    return {
        "ply": review.number,
        "move": review.move.text(game.height),
        "best": review.best.text(game.height),
        "line": line,
        "verdict": {
            "win_rate": round(review.black_win_rate, 4),
            "loss": round(review.loss, 4),
            "mistake": review.mistake or None,
            "missed": review.missed or None,
            "better": line,
        },
    }


def _modules(name: str, seen: set[str] | None = None) -> list[tuple[str, str]]:
    """Names and texts of a module and of all that it imports, which come before it."""
    seen = set() if seen is None else seen
    seen.add(name)
    source = (STATIC / "js" / name).read_text(encoding="utf-8")
    found = [module for other in _IMPORT.findall(source) if other not in seen for module in _modules(other, seen)]
    return [*found, (name, source)]


def _script(data: Any) -> str:
    """Data for a script. Names come from files: nothing in them may end it."""
    return json.dumps(data).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
