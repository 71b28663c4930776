"""Makes tactics.json: `python tests/threats/make_tactics.py` (about ten minutes).

Random games of players who like good shapes lead to positions near fours and threes. One is kept when an exhaustive
trial of every legal move (see tactics.Judge) leaves exactly one that wins, or one that saves.
"""

from __future__ import annotations

import random
import sys

from tactics import VCT_NODES_TO_BE_SURE, Judge, Tactic, save

from tengen import Board, Color, Move, Shape, threats

WANTED = {"vcf": 12, "vct": 9, "save": 13}
MIN_PLIES = {"vcf": 5, "vct": 5}


def play_move(generator: random.Random, board: Board) -> None:
    """Plays one of the moves that build or break most."""
    points: dict[Move, float] = {}
    for color, weight in ((board.turn, 1.0), (board.turn.other, 0.9)):
        for move, lines in board.shapes(color).items():
            points[move] = points.get(move, 0.0) + weight * sum(4.0**shape for shape in lines if shape)
    legal = board.legal_moves
    legal.sort(key=lambda move: points.get(move, 0.0) * generator.uniform(0.2, 1.0), reverse=True)
    board.push(generator.choice(legal[:3]) if generator.random() < 0.8 else generator.choice(legal[:20]))


def look_for_tactic(generator: random.Random, rule: str, judge: Judge, kinds: set[str]) -> Tactic | None:
    """Plays a game until a position is worth keeping."""
    board = Board(rule=rule)
    board.push("h8")
    while not board.is_over and board.ply < 50:
        play_move(generator, board)
        found = classify(board, judge, kinds) if board.ply > 10 and not board.is_over else None
        if found is not None:
            text = " ".join(board.text(played) for played in board.moves)
            return Tactic(rule, found[0], str(board.turn), board.text(found[1]), text)
    return None


def classify(board: Board, judge: Judge, kinds: set[str]) -> tuple[str, Move] | None:
    """The kind of the position and its only good move, if it has one and is of a kind that is wanted."""
    if any(Shape.FIVE in lines for color in Color for lines in board.shapes(color).values()):
        return None  # too easy
    if judge.wins_by_fours(board):
        return _unique_win(board, judge, "vcf") if "vcf" in kinds else None
    threatened = threats.defences(board) is not None
    if not threatened or "save" not in kinds:
        wanted = not threatened and "vct" in kinds and judge.wins_by_threats(board)
        return _unique_win(board, judge, "vct") if wanted else None
    saving = judge.saving_moves(board)
    if len(saving) != 1:
        return None
    board.push(saving[0])
    lost = not board.is_over and judge.wins_by_threats(board)
    board.pop()
    return None if lost or judge.wins_by_threats(board) else ("save", saving[0])


def _unique_win(board: Board, judge: Judge, kind: str) -> tuple[str, Move] | None:
    if len(threats.solve(board, kind).line) < MIN_PLIES[kind]:
        return None
    winning = judge.winning_moves(board, kind)
    if len(winning) == 1 and kind == "vct":
        winning = Judge(VCT_NODES_TO_BE_SURE).winning_moves(board, kind)
    return (kind, winning[0]) if len(winning) == 1 else None


def main() -> None:
    generator = random.Random(2024)
    judge = Judge()
    tactics: list[Tactic] = []
    for rule in ("freestyle", "renju"):
        missing = dict(WANTED)
        while any(missing.values()):
            # Wins by threes take longest to judge: they come last.
            kinds = {kind for kind, count in missing.items() if count and kind != "vct"} or {"vct"}
            tactic = look_for_tactic(generator, rule, judge, kinds)
            if tactic is not None:
                missing[tactic.kind] -= 1
                tactics.append(tactic)
                print(tactic, missing, file=sys.stderr, flush=True)
    save(sorted(tactics, key=lambda tactic: (tactic.rule, tactic.kind)))


if __name__ == "__main__":
    main()
