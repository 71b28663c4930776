"""The review of a game: win rates, better moves, mistakes and missed wins."""

from tengen.review.reviewer import CLASSES, PLAYOUTS, MoveReview, Reviewer, Verdict, loss_class, reviewer_for

__all__ = ["CLASSES", "PLAYOUTS", "MoveReview", "Reviewer", "Verdict", "loss_class", "reviewer_for"]
