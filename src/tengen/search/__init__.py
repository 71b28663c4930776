"""Search: Monte-Carlo tree search and alpha-beta over the C++ core."""

from tengen.search.mcts import Analysis, Candidate, Mcts
from tengen.search.params import SearchParams

__all__ = ["Analysis", "Candidate", "Mcts", "SearchParams"]
