"""Records of games: read and written as SGF, Piskvork PSQ and `pos` text."""

from tengen.records.files import FORMATS, load, load_all, parse, save, write
from tengen.records.game import Game, Node, RecordError

__all__ = ["FORMATS", "Game", "Node", "RecordError", "load", "load_all", "parse", "save", "write"]
