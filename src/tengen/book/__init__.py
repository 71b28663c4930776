"""Openings to browse: how often a position was played and how its games ended, and what is proven of it."""

from tengen.book.book import Book, Tally, shipped_book
from tengen.book.games import GamesFile
from tengen.book.proofs import Proven, shipped_proofs

__all__ = ["Book", "GamesFile", "Proven", "Tally", "shipped_book", "shipped_proofs"]
