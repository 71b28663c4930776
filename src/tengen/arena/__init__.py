"""The arena: games and matches between players, fair openings, and the statistics of the results."""

from tengen.arena.game import GameResult, GameSetup, play_game
from tengen.arena.match import Match, gauntlet, round_robin
from tengen.arena.openings import Opening, random_openings, read_openings
from tengen.arena.results import MatchResult, PairResult
from tengen.arena.statistics import Elo, Sprt, elo_from_pairs

__all__ = [
    "Elo",
    "GameResult",
    "GameSetup",
    "Match",
    "MatchResult",
    "Opening",
    "PairResult",
    "Sprt",
    "elo_from_pairs",
    "gauntlet",
    "play_game",
    "random_openings",
    "read_openings",
    "round_robin",
]
