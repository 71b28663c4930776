"""The review of a game: win rates, better moves, mistakes and missed wins."""

from tengen.review.reviewer import CLASSES, MoveReview, Reviewer, loss_class

__all__ = ["CLASSES", "MoveReview", "Reviewer", "loss_class"]
