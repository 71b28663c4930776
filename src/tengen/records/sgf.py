"""SGF (Smart Game Format, FF[4]) with GM[4], gomoku and renju.

The library sgfmill reads and writes the format itself. Its layer for games knows Go alone (a pass where the game has a
move, square boards), so this module puts our games on its layer for trees. Points count from `aa` at the top left.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from itertools import zip_longest
from typing import TypeAlias

from sgfmill import sgf_grammar, sgf_properties

from tengen.board import RULES, Color, Move
from tengen.records.game import MAX_BYTES, MAX_NODES, Game, Node, RecordError, color_at, finish

GOMOKU = "4"

_RESULT = re.compile(
    r"(?P<black>(?:B\+|Black).*|1-0)|(?P<white>(?:W\+|White).*|0-1)|(?P<draw>0|Draw|1/2-1/2)", re.IGNORECASE
)
_RESULT_TEXT = {"black": "B+", "white": "W+", "draw": "Draw"}
_SIZE = re.compile(r"(\d{1,2})(?::(\d{1,2}))?")
_STONES = ("AB", "AW")
_SETUP = (*_STONES, "AE", "PL")
#: What looks like the property with the encoding's name.
_CHARSET = re.compile(rb"[;\]]\s*CA\s*\[([^\[\]\\]*)\]")
_NAMES_TRIED = 4
#: How the names of encodings begin that files of games use.
_ENCODINGS = ("utf-8", "ascii", "iso8859", "cp12", "koi8", "gb", "big5", "shift_jis", "cp9", "euc")
_OURS = ("FF", "GM", "SZ", "CA", "AP", "RU", "PB", "PW", "RE")


_Parser: TypeAlias = Callable[[bytes], list[sgf_grammar.Coarse_game_tree]]


def read(data: bytes | str) -> Game:
    """A game from a file; the first one if there are several.

    Args:
        data: The bytes of the file, or its text; what a text says about its encoding is not true any more.

    Raises:
        RecordError: It is not an SGF file of gomoku or renju, or makes no sense.
    """
    return _game(_trees(data, lambda content: [sgf_grammar.parse_sgf_game(content)])[0])


def read_all(data: bytes | str, refused: Callable[[RecordError], None] | None = None) -> list[Game]:
    """All games of a file.

    Args:
        data: As for `read`.
        refused: Called for each game that is not one of gomoku or renju, or makes no sense; without it that is an
            error.

    Raises:
        RecordError: It is not an SGF file.
    """
    games = []
    for tree in _trees(data, sgf_grammar.parse_sgf_collection):
        try:
            games.append(_game(tree))
        except RecordError as error:
            if refused is None:
                raise
            refused(error)
    return games


def _game(tree: sgf_grammar.Coarse_game_tree) -> Game:
    return finish(_Reader(tree.sequence[0]).read(tree))


def _trees(data: bytes | str, parser: _Parser) -> list[sgf_grammar.Coarse_game_tree]:
    if len(data) > MAX_BYTES:
        raise RecordError(f"the SGF file is larger than {MAX_BYTES >> 20} MB")
    try:
        return _parse(data, parser) if isinstance(data, str) else _parse_bytes(data, parser)
    except ValueError as error:
        raise RecordError(f"this is not an SGF file: {error}") from None


def _parse(text: str, parser: _Parser) -> list[sgf_grammar.Coarse_game_tree]:
    """The trees of properties, all in UTF-8.

    The parser must not see other encodings: the second byte of a character in Shift_JIS, Big5 or GBK can be that of a
    bracket or a backslash.
    """
    return parser(text.encode("utf-8", "replace"))


def _parse_bytes(data: bytes, parser: _Parser) -> list[sgf_grammar.Coarse_game_tree]:
    """The trees of a file in the encoding that it names; what is no text in it becomes replacement characters.

    A comment may quote the property that names the encoding. So a name only counts if the file, read by it, has it
    in that property.
    """
    names = dict.fromkeys(found[1].decode("ascii", "replace").strip() for found in _CHARSET.finditer(data))
    for name in filter(None, list(names)[:_NAMES_TRIED]):
        encoding = _encoding(name)
        try:
            trees = _parse(data.decode(encoding or "latin-1", "replace"), parser)
        except ValueError:
            continue
        if _text(trees[0].sequence[0].get("CA", [b""])[0]).strip() != name:
            continue
        if not encoding:
            raise RecordError(f'the SGF file says that its text is "{name[:40]}", which is not known')
        return trees
    return _parse(_guess(data), parser)


def _encoding(name: str) -> str:
    """Python's name of an encoding; none for those that files of games do not use."""
    try:
        encoding = codecs.lookup(name).name
    except (LookupError, ValueError):
        return ""
    # Shift_JIS of 2000 and 2004 has a yen sign in place of the backslash.
    return encoding if encoding.startswith(_ENCODINGS) and b"\\".decode(encoding) == "\\" else ""


def _guess(data: bytes) -> str:
    """The text of a file that names no encoding: UTF-8, else Chinese, else Latin-1, which is FF[4]'s default."""
    for encoding in ("utf-8", "gb18030"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        # A Latin letter with an accent and the bracket after it, as in PB[André], pass for one Chinese character.
        if text.count("]") == data.count(b"]"):
            return text
    return data.decode("latin-1")


class _Reader:
    """Reads one tree of properties, all in UTF-8."""

    def __init__(self, root: dict[str, list[bytes]]) -> None:
        self._root = root

    def _simple(self, name: str) -> str:
        return " ".join(_text(self._root.get(name, [b""])[0]).split())

    def read(self, tree: sgf_grammar.Coarse_game_tree) -> Game:
        if (kind := self._simple("GM")) not in (GOMOKU, ""):
            raise RecordError(f"the SGF file is not of gomoku or renju: GM[{kind[:20]}] instead of GM[{GOMOKU}]")
        size = _SIZE.fullmatch(self._simple("SZ") or "15")
        if size is None:
            raise RecordError(f"the SGF file's board size SZ[{self._simple('SZ')[:20]}] is not known")
        rule = self._simple("RU").lower()
        result = _RESULT.fullmatch(self._simple("RE"))
        game = Game(
            width=int(size[1]),
            height=int(size[2] or size[1]),
            rule=rule if rule in RULES else "",
            black=self._simple("PB"),
            white=self._simple("PW"),
            result=(result and result.lastgroup) or "",
        )
        if rule and not game.rule:
            game.root.properties["RU"] = [self._root["RU"][0].decode()]
        self._read_tree(tree, game.root)
        return game

    def _read_tree(self, tree: sgf_grammar.Coarse_game_tree, root: Node) -> None:
        pending: list[tuple[sgf_grammar.Coarse_game_tree, Node, int]] = [(tree, root, 0)]
        nodes = 0
        while pending:
            tree, node, stones = pending.pop()
            for properties in tree.sequence:
                nodes += 1
                if nodes > MAX_NODES:
                    raise RecordError(f"the SGF file has more than {MAX_NODES:,} moves")
                if nodes > 1:
                    node = node.add(None)
                node, stones = self._read_node(properties, node, stones)
            # The first variation comes off the stack first, and so becomes the first child.
            pending.extend((child, node, stones) for child in reversed(tree.children))

    def _read_node(self, properties: dict[str, list[bytes]], node: Node, stones: int) -> tuple[Node, int]:
        """Reads one node; returns the node after which the game goes on, and how many stones there are then."""
        setup = {name: values for name, values in properties.items() if name in _SETUP}
        for name, values in properties.items():
            if name in ("B", "W"):
                if setup:
                    raise RecordError("the SGF file sets stones up and moves in one node")
                self._read_move(name, values, node, stones)
            elif name == "C":
                node.comment = _text(values[0])
            # The parser drops small letters, so a property in nothing else has no name to be written under.
            elif name not in ("", *_OURS, *_SETUP):
                node.properties[name] = [value.decode() for value in values]
        if setup:
            return self._read_setup(setup, node, stones)
        return node, stones + (node.move is not None)

    def _read_setup(self, setup: dict[str, list[bytes]], node: Node, stones: int) -> tuple[Node, int]:
        """Set-up stones become moves where black and white can have played them in turn from the empty board."""
        if stones or "AE" in setup:
            raise RecordError("the SGF file sets stones up or takes them away during the game")
        black, white = ([move for value in setup.get(name, []) for move in self._points(value)] for name in _STONES)
        if len(black) - len(white) not in (0, 1):
            raise RecordError(
                f"the SGF file sets up {len(black)} black and {len(white)} white stones; only positions that black and "
                "white reach by playing in turn are known"
            )
        placed = [stone for pair in zip_longest(black, white) for stone in pair if stone is not None]
        turn = color_at(len(placed))
        if "PL" in setup and _text(setup["PL"][0]).strip().upper()[:1] != str(turn).upper()[0]:
            raise RecordError(f"the SGF file says that it is {turn.other}'s turn after its stones, but it is {turn}'s")
        for move in placed:
            node = node.add(move)
        return node, len(placed)

    def _points(self, value: bytes) -> list[Move]:
        """One point, or all of a rectangle written as two corners."""
        corners = value.strip().split(b":")
        if len(corners) > 2 or not all(_is_point(corner) for corner in corners):
            raise RecordError(f"the SGF file sets up a stone at {value.decode()[:10]}, which is not a point")
        first, last = corners[0], corners[-1]
        return [Move(x - 97, y - 97) for y in range(first[1], last[1] + 1) for x in range(first[0], last[0] + 1)]

    def _read_move(self, name: str, values: list[bytes], node: Node, stones: int) -> None:
        color = Color.BLACK if name == "B" else Color.WHITE
        value = values[0].strip()
        if len(values) != 1 or node.move is not None or not _is_point(value):
            raise RecordError(f"move {stones + 1} of the SGF file, {name}[{value.decode()[:10]}], is not a point")
        if color != color_at(stones):
            raise RecordError(f"move {stones + 1} of the SGF file is {color}'s, but it is {color.other}'s turn")
        node.move = Move(value[0] - 97, value[1] - 97)


def _is_point(value: bytes) -> bool:
    return len(value) == 2 and all(97 <= byte <= 122 for byte in value)


def _text(raw: bytes) -> str:
    return str(sgf_properties.interpret_text(raw, _UTF8))


_UTF8 = sgf_properties.Presenter(19, "UTF-8")


def write(game: Game) -> bytes:
    """The bytes of an SGF file.

    Raises:
        RecordError: The game makes no sense.
    """
    game.check()
    size = f"{game.width}" if game.width == game.height else f"{game.width}:{game.height}"
    root = {"FF": [b"4"], "GM": [GOMOKU.encode()], "CA": [b"UTF-8"], "AP": [b"Tengen"], "SZ": [size.encode()]}
    for name, text in (("RU", game.rule), ("PB", game.black), ("PW", game.white)):
        if text:
            root[name] = [sgf_properties.serialise_simpletext(text, _UTF8)]
    if game.result:
        root["RE"] = [_RESULT_TEXT[game.result].encode()]
    tree = sgf_grammar.Coarse_game_tree()
    pending = [(tree, game.root, 0)]
    while pending:
        branch, node, stones = pending.pop()
        while True:
            branch.sequence.append(_properties(node, stones))
            stones += node.move is not None
            if len(node.children) != 1:
                break
            node = node.children[0]
        for child in node.children:
            branch.children.append(sgf_grammar.Coarse_game_tree())
            pending.append((branch.children[-1], child, stones))
    tree.sequence[0] = {**root, **tree.sequence[0]}
    return bytes(sgf_grammar.serialise_game_tree(tree))


def _properties(node: Node, stones: int) -> dict[str, list[bytes]]:
    properties = {name: [value.encode() for value in values] for name, values in node.properties.items()}
    if node.move is not None:
        name = "B" if color_at(stones) == Color.BLACK else "W"
        properties = {name: [bytes([97 + node.move.x, 97 + node.move.y])], **properties}
    if node.comment:
        properties["C"] = [sgf_properties.serialise_text(node.comment, _UTF8)]
    return properties
