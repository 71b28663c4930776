"""The core and the plain reference must agree on every position of many random games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest
import reference
from reference import BLACK, DIRECTIONS, WHITE, Point, Position

from tengen import Board, Color, IllegalMoveError, Move, Shape

RULES = ("freestyle", "standard", "renju", "caro")
SYMMETRIES = range(8)


class Setup(NamedTuple):
    """A kind of board."""

    rule: str
    width: int
    height: int
    n: int
    on_forbidden: str = "refuse"

    def board(self) -> Board:
        """The empty board of the core."""
        return Board(
            width=self.width, height=self.height, rule=self.rule, n_in_row=self.n, on_forbidden=self.on_forbidden
        )

    def position(self) -> Position:
        """The empty board of the reference."""
        return Position(self.width, self.height, self.rule, self.n, self.on_forbidden)

    def board_with(self, position: Position, turn: int) -> Board:
        """The core's board with the stones of a position."""
        black = [point for point, color in position.stones.items() if color == BLACK]
        white = [point for point, color in position.stones.items() if color == WHITE]
        return Board.from_stones(
            black=black,
            white=white,
            turn=Color(turn),
            width=self.width,
            height=self.height,
            rule=self.rule,
            n_in_row=self.n,
            on_forbidden=self.on_forbidden,
        )


SIZES = (
    (3, 3, 3), (5, 5, 4), (5, 5, 5), (7, 9, 4), (9, 9, 5), (13, 13, 5),
    (15, 15, 5), (11, 10, 6), (19, 19, 5), (22, 3, 3), (22, 22, 5), (8, 9, 7),
)  # fmt: skip
RENJU_SIZES = (
    (3, 3), (5, 5), (7, 9), (9, 9), (13, 13), (15, 15),
    (15, 15), (19, 19), (22, 22), (15, 4), (8, 12), (15, 15),
)  # fmt: skip


def setups(rule: str) -> list[Setup]:
    """All boards on which a rule is tested."""
    if rule == "renju":
        return [
            Setup(rule, width, height, 5, on_forbidden)
            for (width, height), on_forbidden in zip(RENJU_SIZES, ("refuse", "loses") * 6, strict=True)
        ]
    return [Setup(rule, width, height, n) for width, height, n in SIZES]


CHEAP_POSITIONS = 425  # for each of 4 rules on 12 boards: 20,400
FULL_POSITIONS = 75  # as above: 3,600
SCATTERED_POSITIONS = 1000

# The second variant covers ten times as much, with other random numbers.
rounds = pytest.mark.parametrize("rounds", [1, pytest.param(10, marks=pytest.mark.slow)])
each_rule = pytest.mark.parametrize("rule", RULES)


def clustered_move(position: Position, rng: random.Random) -> Point:
    """A random empty point close to the stones: more often than not one that lengthens or stops a row."""
    for _ in range(30):
        if not position.moves:
            break
        x, y = anchor = rng.choice(position.moves[-16:])
        dx, dy = rng.choice([(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)])
        if rng.random() < 0.6:
            while position.stones.get((x, y)) == position.stones[anchor]:
                x, y = x + dx, y + dy
        else:
            step = rng.randint(1, 3)
            x, y = x + step * dx, y + step * dy
        if position.on_board((x, y)) and (x, y) not in position.stones:
            return x, y
    return rng.choice(position.empty_points())


def show(position: Position) -> str:
    """The position as a picture with what is needed to set it up again; every failure prints it."""
    rows = ["".join(".XO"[position.stones.get((x, y), -1) + 1] for x in range(position.width))
            for y in range(position.height)]  # fmt: skip
    kind = f"{position.rule} {position.width}x{position.height}, {position.n} in a row, {position.on_forbidden}"
    return "\n".join([kind, *rows, f"moves: {position.moves}", f"to move: {position.turn}"])


def assert_same_outcome(board: Board, position: Position) -> None:
    """Both must agree whether and how the game ended; the order of the winning row may be either way round."""
    outcome = board.outcome()
    assert board.is_over == (position.result is not None), show(position)
    if position.result is None:
        assert outcome is None, show(position)
        return
    assert outcome is not None, show(position)
    assert (outcome.winner, outcome.reason) == (position.result.winner, position.result.reason), show(position)
    rows = position.result.rows or ((),)
    assert outcome.line in rows or outcome.line[::-1] in rows, show(position)


def assert_same_game(board: Board, position: Position) -> None:
    """Everything about a position but its shapes."""
    assert (board.turn, board.ply, board.moves) == (position.turn, len(position.moves), position.moves)
    assert_same_outcome(board, position)
    assert board.legal_moves == position.legal_moves(), show(position)
    assert board.forbidden_points() == position.forbidden_points(), show(position)


def assert_same_shapes(board: Board, position: Position) -> None:
    """All shapes of both colours."""
    for color in Color:
        assert board.shapes(color) == position.shapes(color), show(position)
        fours = [move for move, lines in board.shapes(color).items() if Shape.FOUR in lines]
        assert board.makes(color, Shape.FOUR) == [move for move in fours if board.piece_at(move) is None]


def refused_as_forbidden(board: Board, position: Position, point: Point) -> bool:
    """Tries a forbidden point if `point` is one: the core must refuse it for the right reason and change nothing."""
    if position.rule != "renju" or position.turn == WHITE or position.on_forbidden == "loses":
        return False
    reasons = position.forbidden_reasons(point)
    if not reasons:
        return False
    before = board.hash
    with pytest.raises(IllegalMoveError) as error:
        board.push(point)
    assert str(error.value).endswith(tuple(reasons)), show(position)
    assert board.hash == before
    return True


def random_game(setup: Setup, rng: random.Random) -> Iterator[tuple[Board, Position]]:
    """Plays one game on both boards at once and stops after every move."""
    board, position = setup.board(), setup.position()
    while position.result is None and board.legal_moves:
        point = clustered_move(position, rng)
        if refused_as_forbidden(board, position, point):
            point = rng.choice(position.legal_moves())
        board.push(point)
        position.play(point)
        yield board, position


def random_positions(setup: Setup, rng: random.Random, number: int) -> Iterator[tuple[Board, Position]]:
    """Plays games until `number` positions have been seen."""
    seen = 0
    while seen < number:
        for board, position in random_game(setup, rng):
            yield board, position
            seen += 1
            if seen == number:
                return


def what_happened(position: Position) -> str:
    """A word on the last move, to prove that the random games are worth their time."""
    if position.result is not None:
        return f"{position.result.reason} {position.result.winner}"
    longest = max(len(position.row(position.moves[-1], direction)) for direction in DIRECTIONS)
    return "long row that does not win" if longest >= position.n else "quiet"


@rounds
@each_rule
def test_random_games(rule: str, rounds: int) -> None:
    """Turn, moves, outcome with its row, legal moves and forbidden points after every move."""
    rng = random.Random(f"games {rule} {rounds}")
    events: Counter[str] = Counter()
    for setup in setups(rule):
        for board, position in random_positions(setup, rng, CHEAP_POSITIONS * rounds):
            assert_same_game(board, position)
            events[what_happened(position)] += 1

    assert events.total() == 12 * CHEAP_POSITIONS * rounds
    expected = ["five 0", "five 1", "draw None"]
    if rule == "renju":
        expected.append("forbidden 1")
    if rule == "standard":
        expected.append("long row that does not win")
    for event in expected:
        assert events[event] >= 3 * rounds, events


@rounds
@each_rule
def test_shapes_in_random_games(rule: str, rounds: int) -> None:
    """All shapes of both colours, through moves and takebacks."""
    rng = random.Random(f"shapes {rule} {rounds}")
    seen: Counter[Shape] = Counter()
    for setup in setups(rule):
        for board, position in random_positions(setup, rng, FULL_POSITIONS * rounds):
            assert_same_shapes(board, position)
            for shapes in board.shapes(board.turn).values():
                seen.update(shapes)
            if position.moves and rng.random() < 0.1:
                for _ in range(rng.randint(1, min(4, len(position.moves)))):
                    assert board.pop() == position.moves[-1]
                    position.undo()
                assert_same_game(board, position)
                assert_same_shapes(board, position)
    for shape in Shape:
        assert seen[shape] >= 100 * rounds, seen


@each_rule
def test_shapes_one_by_one(rule: str) -> None:
    """`shape` answers for single points as `shapes` does for all, also for those without one and those of the enemy."""
    rng = random.Random(f"one by one {rule}")
    for setup in setups(rule):
        for board, position in random_positions(setup, rng, 30):
            for point in rng.sample(position.points(), 5):
                for index, direction in enumerate(DIRECTIONS):
                    for color in Color:
                        expected = position.shape(point, direction, color)
                        assert board.shape(Move(*point), index, color) == expected, show(position)


def scattered_position(setup: Setup, rng: random.Random, black: float, white: float) -> Position:
    """Stones thrown on a part of the board, in the densities given; none of them makes a winning row."""
    position = setup.position()
    side = min(rng.randint(6, 10), setup.width, setup.height)
    left, top = rng.randint(0, setup.width - side), rng.randint(0, setup.height - side)
    for x in range(left, left + side):
        for y in range(top, top + side):
            dice = rng.random()
            if dice < black + white:
                position.stones[x, y] = BLACK if dice < black else WHITE
                if position.winning_rows((x, y)):
                    del position.stones[x, y]
    return position


@rounds
def test_forbidden_points_among_scattered_stones(rounds: int) -> None:
    """Forbidden points where they are frequent; games alone have too few of them."""
    rng = random.Random(f"scattered {rounds}")
    kinds: Counter[str] = Counter()
    for i in range(SCATTERED_POSITIONS * rounds):
        setup = Setup("renju", *rng.choice([(15, 15), (11, 13), (10, 10), (19, 19)]), n=5)
        position = scattered_position(setup, rng, black=rng.uniform(0.2, 0.4), white=rng.uniform(0.0, 0.15))
        board = setup.board_with(position, turn=i % 2)
        forbidden = board.forbidden_points()
        assert forbidden == position.forbidden_points(), show(position)
        for point in forbidden:
            reasons = position.forbidden_reasons(point)
            kinds.update([" and ".join(sorted(reasons)), *reasons])
            position.turn = board.turn
            assert board.turn == WHITE or refused_as_forbidden(board, position, point)
    for kind in ("overline", "double four", "double three"):
        assert kinds[kind] >= 300 * rounds, kinds
    for mixture in ("double four and double three", "double four and overline", "double three and overline"):
        assert kinds[mixture] >= 3 * rounds, kinds


@rounds
@each_rule
def test_crowded_positions(rule: str, rounds: int) -> None:
    """Shapes, and the outcome of every move, where rows are broken and grow together and the rules differ most."""
    rng = random.Random(f"crowded {rule} {rounds}")
    events: Counter[str] = Counter()
    for n in (5,) * 5 if rule == "renju" else (3, 4, 5, 6, 7):
        setup = Setup(rule, 10, 9, n, "loses")
        for i in range(12 * rounds):
            position = scattered_position(setup, rng, black=0.4, white=0.4)
            position.turn = i % 2
            board = setup.board_with(position, position.turn)
            assert_same_shapes(board, position)
            for point in position.empty_points():
                board.push(point)
                position.play(point)
                assert_same_outcome(board, position)
                events[what_happened(position)] += 1
                board.pop()
                position.undo()
    expected = {"five 0", "five 1"}
    if rule in ("standard", "caro"):
        expected.add("long row that does not win")
    for event in expected:
        assert events[event] >= 15 * rounds, events


@each_rule
def test_takebacks_restore_everything(rule: str) -> None:
    """Taking a whole game back passes through exactly the positions it came from."""
    rng = random.Random(f"takebacks {rule}")
    for setup in setups(rule):
        states = [everything(setup.board())]
        board = setup.board()
        for board, _ in random_game(setup, rng):
            states.append(everything(board))
        for state in reversed(states):
            assert everything(board) == state
            if board.ply:
                board.pop()
        assert board == setup.board()


def everything(board: Board) -> tuple[object, ...]:
    """All that a board can say about itself."""
    shapes = [board.shapes(color) for color in Color]
    moves = (board.moves, board.last_move, board.legal_moves, board.forbidden_points())
    return (board.turn, board.ply, *moves, board.outcome(), board.is_over, board.hash, str(board), *shapes)


@each_rule
def test_order_of_moves_does_not_matter(rule: str) -> None:
    """The same stones placed in another order give the same hash, shapes and forbidden points."""
    rng = random.Random(f"order {rule}")
    compared = 0
    for setup in setups(rule):
        for board, position in random_positions(setup, rng, 40):
            if rng.random() < 0.75:
                continue
            shuffled = setup.position()
            shuffled.stones = dict(rng.sample(list(position.stones.items()), len(position.stones)))
            other = setup.board_with(shuffled, position.turn)
            assert other == board, show(position)
            assert other.hash == board.hash, show(position)
            assert other.forbidden_points() == board.forbidden_points(), show(position)
            for color in Color:
                assert other.shapes(color) == board.shapes(color), show(position)
            other_turn = setup.board_with(shuffled, 1 - position.turn)
            assert other_turn != board, show(position)
            assert other_turn.hash != board.hash, show(position)
            compared += 1
    assert compared > 50


def test_different_positions_have_different_hashes() -> None:
    """64 bits leave no room for accidents among some thousand positions."""
    rng = random.Random("hashes")
    stones_of: dict[int, tuple[frozenset[tuple[Point, int]], int]] = {}
    for _, position in (pair for _ in range(60) for pair in random_game(Setup("freestyle", 15, 15, 5), rng)):
        key = (frozenset(position.stones.items()), position.turn)
        hash_value = Setup("freestyle", 15, 15, 5).board_with(position, position.turn).hash
        assert stones_of.setdefault(hash_value, key) == key
        assert 0 <= hash_value < 2**64
    assert len(stones_of) > 1000


def image(setup: Setup, point: Point, symmetry: int) -> Point:
    """Where a symmetry takes a point: bit 0 mirrors x, bit 1 mirrors y, then bit 2 swaps the two."""
    x, y = point
    if symmetry & 1:
        x = setup.width - 1 - x
    if symmetry & 2:
        y = setup.height - 1 - y
    return (y, x) if symmetry & 4 else (x, y)


def image_of_direction(index: int, symmetry: int) -> int:
    """The index of the direction that a symmetry makes of another one."""
    flat = Setup("freestyle", 9, 9, 5)
    dx, dy = DIRECTIONS[index]
    (x0, y0), (x1, y1) = image(flat, (4, 4), symmetry), image(flat, (4 + dx, 4 + dy), symmetry)
    step = (x1 - x0, y1 - y0)
    return next(i for i, (dx, dy) in enumerate(DIRECTIONS) if step in ((dx, dy), (-dx, -dy)))


@each_rule
def test_symmetric_games(rule: str) -> None:
    """Moves, shapes, forbidden points and outcome go along with a symmetry of the board."""
    rng = random.Random(f"symmetries {rule}")
    for setup in setups(rule):
        for board, position in random_positions(setup, rng, 60):
            if position.result is None and rng.random() < 0.9:
                continue
            for symmetry in SYMMETRIES:
                assert_symmetric(setup, board, board.transform(symmetry), symmetry)


def assert_symmetric(setup: Setup, board: Board, mirrored: Board, symmetry: int) -> None:
    """`mirrored` must be `board` seen in the mirror of a symmetry."""

    def images(points: list[Move]) -> list[Point]:
        return [image(setup, point, symmetry) for point in points]

    sides = (setup.height, setup.width) if symmetry & 4 else (setup.width, setup.height)
    assert (mirrored.width, mirrored.height) == sides
    assert (mirrored.rule, mirrored.n_in_row, mirrored.on_forbidden) == (setup.rule, setup.n, setup.on_forbidden)
    assert (mirrored.turn, mirrored.moves) == (board.turn, images(board.moves))
    assert all(board.transform_move(point, symmetry) == image(setup, point, symmetry) for point in board.moves)
    assert sorted(mirrored.forbidden_points()) == sorted(images(board.forbidden_points()))
    assert sorted(mirrored.legal_moves) == sorted(images(board.legal_moves))
    for color in Color:
        expected = {}
        for point, shapes in board.shapes(color).items():
            turned = [Shape.NONE] * 4
            for index, shape in enumerate(shapes):
                turned[image_of_direction(index, symmetry)] = shape
            expected[image(setup, point, symmetry)] = tuple(turned)
        assert mirrored.shapes(color) == expected
    before, after = board.outcome(), mirrored.outcome()
    if before is None or after is None:
        assert before is after
        return
    assert (after.winner, after.reason) == (before.winner, before.reason)
    if sorted(after.line) != sorted(images(list(before.line))):
        # Of two rows completed at once, the mirror may name the other.
        position = setup.position()
        for move in board.moves:
            position.play(move)
        assert position.result is not None
        assert sorted(after.line) in [sorted(image(setup, p, symmetry) for p in row) for row in position.result.rows]


def test_reference_looks_far_enough() -> None:
    """The reference cuts lines to windows to be quick; on whole lines it must say the same."""
    rng = random.Random("windows")
    differences = Counter[int]()
    for _ in range(1500):
        rule, color, n = rng.choice(RULES), rng.choice((BLACK, WHITE)), rng.choice((3, 4, 5, 6))
        if rule == "renju":
            n = 5
        line = "".join(rng.choices("xo.", weights=(5, 1, 6), k=rng.randint(n, 15)))
        at = rng.randrange(len(line))
        line = reference.add(line, at)
        window = ("#" * n + line + "#" * n)[at : at + 2 * n + 1]
        shape = reference.window_shape(window, rule, color, n)
        assert reference.line_shape(line, at, rule, color, n) == shape, (line, at, rule, color, n)
        assert reference.line_shape(line, at, rule, color, n, additions=3) == shape, (line, at, rule, color, n)
        differences[shape] += 1
    assert len(differences) == len(Shape)


def test_plan_covers_enough() -> None:
    """The default run compares at least 20,000 positions, of which some thousand with all shapes."""
    boards = sum(len(setups(rule)) for rule in RULES)
    assert boards * CHEAP_POSITIONS >= 20_000
    assert boards * FULL_POSITIONS >= 3_000
