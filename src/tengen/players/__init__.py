"""Players: everything that can choose a move, made from one line of text.

`create("mcts:playouts=1000")` makes a player and `player.choose(board)` asks it for a move. `registry` lists the kinds;
each family lives in its own module: `simple`, `classical`, `network`, `engine`, `build`. A program adds its own with
`register`.
"""

from tengen.players.player import Player, Thoughts
from tengen.players.registry import KINDS, check, create, describe, fingerprint, is_whole, register, with_keys
from tengen.players.spec import Kind

__all__ = [
    "KINDS",
    "Kind",
    "Player",
    "Thoughts",
    "check",
    "create",
    "describe",
    "fingerprint",
    "is_whole",
    "register",
    "with_keys",
]
