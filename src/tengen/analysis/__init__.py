"""What a search thinks of a game: win rates, better moves, mistakes and missed wins."""

from tengen.analysis.review import CLASSES, MoveReview, Reviewer, loss_class

__all__ = ["CLASSES", "MoveReview", "Reviewer", "loss_class"]
