"""`tengen review`: what the search thinks of a game."""

from __future__ import annotations

import json as json_module
import os
from pathlib import Path

from rich.console import Console

from tengen import records
from tengen.board import RuleName
from tengen.cluster import spread_over
from tengen.disk import check_output
from tengen.errors import InputError, SetupError
from tengen.parameters import Number, Side
from tengen.review.folder import TaskReviewer, here, review_folder
from tengen.review.report import annotate, as_dict, table
from tengen.review.reviewer import PLAYOUTS, MoveReview, final_position, reviewer_for
from tengen.web.review_page import check_shape, page


def review(
    game: str,
    /,
    *,
    playouts: Number = PLAYOUTS,
    rule: RuleName | None = None,
    size: Side = 15,
    json: bool = False,
    sgf: Path | None = None,
    html: Path | None = None,
    save: Path | None = None,
    cluster: str | None = None,
) -> None:
    """Judge every move of a game: win rates, better moves, mistakes and missed wins by force.

    A move that loses 5 points of win rate is an inaccuracy, 10 a mistake, 20 a blunder.

    Args:
        game: A file (SGF, PSQ or text), or the moves themselves, like h8i9h9; or a folder of records, with --save.
        playouts: Playouts for each position.
        rule: The rule of the game; what the file says, or freestyle, if not given.
        size: Points on each side, where the moves are given as text.
        json: Print one JSON object a line for each move.
        sgf: Write the game with remarks and better lines to this SGF file.
        html: Write a page with the win-rate curve and the board to this file.
        save: Write the reviews of a folder of records to this folder, as JSON; the same command goes on where it was
            stopped.
        cluster: Review a folder on all cores of a ray cluster: HOST:PORT of its head, or auto for the cluster of this
            machine.
    """
    if os.path.isdir(game):
        _review_folder(Path(game), save, TaskReviewer(playouts, rule, size), cluster, alone=not (json or sgf or html))
        return
    if save is not None or cluster is not None:
        raise SetupError("--save and --cluster are for a folder of records")
    is_file = os.path.exists(game) or "." in game  # not Path.exists: it fails on text that is too long for a name
    # "replace": an argument that is no UTF-8 has characters that cannot be encoded; it is answered like any wrong game.
    record = records.load(game, size) if is_file else records.parse(game.encode(errors="replace"), "pos", size)
    if not record.moves:
        raise InputError("there is nothing to review: the game has no moves")
    if sgf is not None and sgf.suffix.lower() != ".sgf":
        raise SetupError(f'"{sgf}" does not end in .sgf')
    if html is not None:
        check_shape(record)
    for path in filter(None, (sgf, html)):
        check_output(path)
    played = rule or record.rule or "freestyle"
    reviewer = reviewer_for(final_position(record, played), playouts)
    console, progress = Console(highlight=False), Console(stderr=True, highlight=False)
    if is_file and (others := _other_games(game)):
        progress.print(f"the file has {others} more {'game' if others == 1 else 'games'}; this is the first")
    reviews: list[MoveReview] = []
    with progress.status("looking at the game") as status:
        for found in reviewer.review(record, played):
            reviews.append(found)
            if json:
                print(json_module.dumps(as_dict(record, found)), flush=True)
            status.update(f"move {found.number} of {len(record.moves)}")
    if not json:
        console.print(table(record, reviews))
        console.print(_summary(reviews))
    if html is not None:
        _write(html, page(record, played, playouts, reviews))
    if sgf is not None:
        annotate(record, reviews)
        record.rule = played
        records.save(record, sgf)


def _review_folder(folder: Path, to: Path | None, reviewer: TaskReviewer, cluster: str | None, alone: bool) -> None:
    if to is None or not alone:
        raise SetupError(
            "the reviews of a folder go to another folder: give --save FOLDER, and no --json, --sgf, --html"
        )
    console = Console(highlight=False)
    spread = here if cluster is None else spread_over(cluster, Console(stderr=True, highlight=False).print)
    reviewed = 0
    for review in review_folder(folder, to, reviewer, spread):
        reviewed += 1
        blunders = sum(move["mistake"] == "blunder" for move in review.get("moves", ()))
        said = review.get("error") or f"{len(review['moves'])} moves, {blunders} blunders"
        console.print(f"{review['game']}: {said}", markup=False, soft_wrap=True)
    console.print(
        f"{reviewed} {'game' if reviewed == 1 else 'games'} reviewed; the reviews are in {to}", soft_wrap=True
    )


def _other_games(path: str) -> int:
    """How many games a file has after the first; none if they cannot be read, which does not harm the first."""
    try:
        return len(records.load_all(path)) - 1
    except records.RecordError:
        return 0


def _summary(reviews: list[MoveReview]) -> str:
    parts = []
    for color in ("black", "white"):
        own = [review for review in reviews if str(review.color) == color]
        counts = [
            f"{sum(review.mistake == name for review in own)} {plural}"
            for name, plural in (("blunder", "blunders"), ("mistake", "mistakes"), ("inaccuracy", "inaccuracies"))
        ]
        counts.append(f"{sum(bool(review.missed) for review in own)} missed wins")
        parts.append(f"{color}: {', '.join(counts)}")
    return "\n".join(parts)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f'"{path}" cannot be written: {error.strerror}') from None
