"""Games as text: the one place where the web board meets file formats."""

from __future__ import annotations

from collections.abc import Sequence

from tengen import records
from tengen.board import Board, Move
from tengen.errors import InputError
from tengen.web import limits, messages, positions


class TooLargeError(InputError):
    """A game that is larger than the web board takes."""


def read(request: messages.ImportRequest) -> tuple[messages.Game, list[messages.TreeNode]]:
    """The main line of the game in a text or file, and the game with its variations; InputError says what is wrong.

    A rule that the text does not name is the one of the request, or freestyle where that does not allow the game.
    """
    data = request.data or request.text.encode()
    _check_size(data)
    record = records.parse(request.data or request.text, size=request.size)
    try:
        board = record.board(record.rule or request.rule)
    except InputError:
        if record.rule:
            raise
        board = record.board("freestyle")
    game, tree = positions.game_of(board), _tree_of(record)
    if len(data) > limits.MAX_RECORD_BYTES // 3:
        _write(_record_of(game, tree), "sgf")  # what comes in can go out; in UTF-8 a text may be twice as long
    return game, tree


def _check_size(data: bytes) -> None:
    if len(data) > limits.MAX_RECORD_BYTES:
        raise TooLargeError(f"the game is too large: {len(data):,} bytes, at most {limits.MAX_RECORD_BYTES:,} fit")


def _check_nodes(nodes: int) -> None:
    if nodes > limits.MAX_NODES:
        raise TooLargeError(
            f"the game is too large: {nodes:,} moves with its variations, at most {limits.MAX_NODES:,} fit"
        )


def _tree_of(game: records.Game) -> list[messages.TreeNode]:
    """The variations as a list. What a node without a move says goes to the move before it."""
    parents: list[int | None] = [None]
    moves: list[Move | None] = [None]
    comments = [game.root.comment]
    pending = [(child, 0) for child in reversed(game.root.children)]
    while pending:
        node, parent = pending.pop()
        if node.move is None:
            comments[parent] = "\n".join(filter(None, (comments[parent], node.comment)))
            here = parent
        else:
            here = len(moves)
            parents.append(parent)
            moves.append(node.move)
            comments.append(node.comment)
        pending.extend((child, here) for child in reversed(node.children))
    _check_nodes(len(moves))
    return [
        messages.TreeNode(parent=parent, move=move and move.text(game.height), comment=comment)
        for parent, move, comment in zip(parents, moves, comments, strict=True)
    ]


def write(request: messages.ExportRequest) -> str:
    """A game in a format, with its variations if there are any and the format knows them."""
    game, tree = request.game, request.tree
    record = _record_of(game, tree) if tree else _record_of_line(positions.board_of(game))
    record.result = record.result or request.winner or ""
    return _write(record, request.format).decode()


def _write(record: records.Game, format: str) -> bytes:
    data = records.write(record, format)
    _check_size(data)
    return data


def _record_of_line(board: Board) -> records.Game:
    return records.Game.of_moves(
        board.moves, width=board.width, height=board.height, rule=board.rule, result=_result(board)
    )


def _record_of(game: messages.Game, tree: Sequence[messages.TreeNode]) -> records.Game:
    _check_nodes(len(tree))
    record = records.Game(width=game.size, height=game.size, rule=game.rule)
    record.root.comment = tree[0].comment
    nodes = [record.root]
    for index, entry in enumerate(tree[1:], 1):
        if entry.parent is None or entry.parent >= index or entry.move is None:
            raise InputError(f"entry {index} of the tree must have a move and follow an entry before it")
        nodes.append(nodes[entry.parent].add(Move.parse(entry.move, game.size), entry.comment))
    record.check()
    record.result = _result(record.board())
    return record


def _result(board: Board) -> str:
    outcome = board.outcome()
    return "" if outcome is None else "draw" if outcome.winner is None else str(outcome.winner)
