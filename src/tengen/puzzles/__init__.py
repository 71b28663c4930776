"""Puzzles: positions with one winning or one saving move, mined from games by the solvers."""

from tengen.puzzles.puzzle import Puzzle, shipped

__all__ = ["Puzzle", "shipped"]
