"""`tengen solve`: find a forced win and draw it."""

from __future__ import annotations

from rich.console import Console

from tengen.board import Board, RuleName
from tengen.errors import SetupError
from tengen.parameters import Side
from tengen.terminal import describe, draw
from tengen.thinking.evaluators import best_evaluator
from tengen.threats import Kind
from tengen.threats import solve as solve_position


def solve(
    *moves: str,
    rule: RuleName = "freestyle",
    kind: Kind = "auto",
    size: Side = 15,
    width: Side | None = None,
    height: Side | None = None,
    nodes: int = 20_000_000,
    seconds: float = 60.0,
    depth: int | None = None,
) -> None:
    """Find a win by force for the side to move: by fours (VCF), or by fours and threes (VCT).

    Args:
        moves: The moves so far, like h8 i9 h9.
        rule: The rule of the game.
        kind: Fours, or fours and threes; auto is the first of them that finds a win.
        size: Points on each side.
        width: Columns, if not size.
        height: Rows, if not size.
        nodes: Positions to look at, at most.
        seconds: Time to take, at most.
        depth: Plies of the line, at most; for vct up to where fours alone win.
    """
    if not moves:
        raise SetupError("give the moves so far, like: tengen solve h8 i9 h9")
    board = Board.from_moves(" ".join(moves), size=size, rule=rule, width=width, height=height)
    guide = best_evaluator(board)
    solution = solve_position(board, kind, max_nodes=nodes, max_seconds=seconds, max_depth=depth, guide=guide)
    console = Console(highlight=False, soft_wrap=True)
    labels = {move: str(number) for number, move in enumerate(solution.line, 1)}
    console.print(draw(board, labels=labels))
    console.print(describe(board))
    effort = f"{solution.nodes:,} nodes, {solution.seconds:.3f} s"
    if solution.wins:
        line = " ".join(board.text(move) for move in solution.line)
        console.print(f"{board.turn} wins by {solution.kind.upper()} in {len(solution.line)} plies ({effort}): {line}")
    elif solution.status == "none":
        console.print(f"{board.turn} has no win by {solution.kind.upper()} ({effort})")
    else:
        console.print(f"no win found within the limits; give more --nodes or --seconds ({effort})")
