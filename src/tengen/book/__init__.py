"""Openings to browse: how often a position was played and how its games ended."""

from tengen.book.book import Book, Tally, shipped_book
from tengen.book.games import GamesFile

__all__ = ["Book", "GamesFile", "Tally", "shipped_book"]
