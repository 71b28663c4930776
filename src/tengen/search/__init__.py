"""Search: Monte-Carlo tree search and alpha-beta over the C++ core."""

from tengen.search.alpha_beta import AlphaBeta, AlphaBetaParams, AlphaBetaResult
from tengen.search.mcts import Analysis, Candidate, Mcts
from tengen.search.params import SearchParams

__all__ = ["AlphaBeta", "AlphaBetaParams", "AlphaBetaResult", "Analysis", "Candidate", "Mcts", "SearchParams"]
