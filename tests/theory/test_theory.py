"""What is proven: certificates that ship, and what the winner answers by them."""

from __future__ import annotations

import functools
import random
from pathlib import Path

import pytest

from tengen import Board, players
from tengen.arena.openings import canonical
from tengen.board import SYMMETRIES, Color, Move
from tengen.errors import InputError, SetupError
from tengen.proof import check
from tengen.proof.joined import part_of
from tengen.proof.parts import parts_of
from tengen.review import reviewer_for
from tengen.review.reviewer import NEAR
from tengen.theory import Answers, Certificate, Claim, Theory, shipped_certificates, shipped_theory
from tengen.theory.lengths import measure, position
from tengen.thinking.book import by_theory, shipped_answers
from tengen.thinking.evaluators import default_evaluator
from tengen.thinking.levels import BOOK_LEVEL, Turn, find_level

SHIPPED = {(certificate.claim.rule, certificate.claim.moves): certificate for certificate in shipped_certificates()}
#: Second moves up to symmetry, and those that nothing is proven of yet.
SECOND = [part.claim.moves for part in parts_of(Claim("h8"), Path())]
OPEN = {"freestyle": [], "standard": ["h8 g9"]}
#: Openings whose proofs a test can check in a moment.
SMALL = (
    ("freestyle", "h8 i9 i7 g7"),
    ("freestyle", "h8 h9 i9 h10"),
    ("freestyle", "h8 i9 i7 a1"),
    ("freestyle", "h8 h9 i9 i10"),
    ("standard", "h8 h9 i9 h10"),
    ("standard", "h8 h9 i9 i10"),
)


@functools.cache
def opening(rule: str, moves: str) -> Certificate:
    """What a proof that ships says of an opening."""
    whole = next(proof for (of_rule, begin), proof in SHIPPED.items() if of_rule == rule and moves.startswith(begin))
    return part_of(whole, moves)


def test_the_first_player_wins() -> None:
    proof = SHIPPED["freestyle", "h8"]
    assert proof.positions["/"] == "h8"
    with pytest.raises(InputError, match="does not come"):
        opening("freestyle", "h8 i9 a1")


def test_in_exactly_five_one_second_move_is_open() -> None:
    proven = [moves for rule, moves in SHIPPED if rule == "standard"]
    assert sorted(proven + OPEN["standard"]) == sorted(SECOND)
    board = Board.from_moves("h8", rule="standard")
    replies = shipped_answers("standard").replies(board)
    assert {board.text(reply.move) for reply in replies if reply.within is None} == {"g7", "g9", "i7", "i9"}


def test_all_proofs_are_measured() -> None:
    assert all(set(proof.lengths) == set(proof.positions) for proof in SHIPPED.values())


@pytest.mark.parametrize(("rule", "moves"), SMALL)
def test_a_part_of_the_shipped_proof_holds(rule: str, moves: str) -> None:
    part = opening(rule, moves)
    assert len(part.positions) > 1
    assert check(part).fault is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "moves"), [(rule, moves) for rule in OPEN for moves in SECOND if moves not in OPEN[rule]]
)
def test_all_that_ships_holds(rule: str, moves: str) -> None:
    """After each second move; `tengen prove check` walks through all of a certificate at once."""
    assert check(opening(rule, moves)).fault is None


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_a_proof_is_found_in_every_orientation(symmetry: int) -> None:
    theory = shipped_theory("freestyle")
    straight = Board.from_moves("h8 i9 i7 g7")
    turned = straight.transform(symmetry)
    found, expected = theory.at(turned), theory.at(straight)
    assert found is not None
    assert expected is not None
    assert expected.move is not None
    assert (found.winner, found.within) == (Color.BLACK, expected.within)
    assert found.move is not None
    turned.push(found.move)
    straight.push(expected.move)
    assert canonical(turned) == canonical(straight)
    after = theory.at(turned)
    assert after is not None
    assert (after.winner, after.move, after.within) == (Color.BLACK, None, found.within - 1)


def test_most_positions_are_not_proven() -> None:
    theory = shipped_theory("freestyle")
    for board in (Board.from_moves("a1 i9"), Board(size=19), Board.from_moves("h8 i9 i7 g7", rule="renju")):
        assert theory.at(board) is None
        assert by_theory(board) is None


@pytest.mark.parametrize(("rule", "moves"), [("freestyle", ""), ("standard", "h8 b14"), *SMALL[:3], SMALL[4]])
def test_black_wins_every_game_in_time(rule: str, moves: str) -> None:
    """White plays at random, near other stones, or what holds out longest: black makes five, and no later than said."""
    answers = shipped_answers(rule)
    generator = random.Random(5)
    for _ in range(3):
        board = Board.from_moves(moves, rule=rule).transform(generator.choice(SYMMETRIES))
        answer = answers.at(board)
        while answer is not None:
            board.push(answer.move)
            left = answer.within - 1
            if board.is_over:
                break
            board.push(some_reply(board, answers, generator, left))
            answer = answers.at(board)
            assert answer is not None, board.moves
            assert answer.within <= left
        outcome = board.outcome()
        assert outcome is not None
        assert outcome.winner == Color.BLACK


def some_reply(board: Board, answers: Answers, generator: random.Random, left: int) -> Move:
    replies = answers.replies(board)
    assert all(reply.within is not None and reply.within <= left for reply in replies)
    assert len(replies) == len(board.legal_moves)
    if generator.random() < 0.5:
        return max(replies, key=lambda reply: reply.within or 0).move
    near = [reply.move for reply in replies if not reply.by_threats] or [reply.move for reply in replies]
    return generator.choice(near)


@pytest.mark.parametrize(("rule", "moves"), [*SMALL[:3], SMALL[4]])
def test_lengths_are_what_is_measured(rule: str, moves: str) -> None:
    """Or above it, where the joined proof has found a shorter win on the way."""
    shipped = opening(rule, moves)
    measured = dict(measure(shipped, default_evaluator(rule, 15)))
    assert measured.keys() == shipped.lengths.keys()
    assert all(length <= shipped.lengths[text] for text, length in measured.items())


def test_what_is_threatened_wins_if_white_passes() -> None:
    certificate = opening("freestyle", "h8 h9 i9 h10")
    threatening = 0
    for text in certificate.positions:
        board = position(certificate.claim, text)
        answer = shipped_answers("freestyle").at(board)
        assert answer is not None
        if not answer.threat:
            continue
        threatening += 1
        black = {*board.moves[::2], answer.move, *answer.threat[::2]}
        white = {*board.moves[1::2], *answer.threat[1::2]}
        assert not black & white
    assert threatening > 2


def test_a_game_that_leaves_the_theory_is_left_alone() -> None:
    board = Board.from_moves("h8 i9 i7 g7")
    answer = by_theory(board)
    assert answer is not None
    other = next(move for move in board.legal_moves if move != answer.move)
    board.push(other)
    board.push(board.legal_moves[0])
    assert by_theory(board) is None


def test_of_two_proofs_the_shorter_counts() -> None:
    claim = Claim("h8 a1", rule="standard")
    slow, fast = (Certificate(claim, {"h8/a1": move}, 1, {"h8/a1": within}) for move, within in (("i9", 9), ("h9", 8)))
    for certificates in ([slow, fast], [fast, slow]):
        board = Board.from_moves("h8 a1", rule="standard")
        known = Theory(certificates, "standard", 15).at(board)
        assert known is not None
        assert known.move is not None
        assert (known.within, board.text(known.move)) == (8, "h9")


def test_a_theory_knows_its_rule_alone() -> None:
    certificates = [certificate for certificate in shipped_certificates() if certificate.claim.rule == "freestyle"]
    assert Theory(certificates, "standard", 15).positions == 0
    assert Theory(certificates, "freestyle", 19).positions == 0


# -- players


def test_the_book_is_played_where_it_is_asked_for() -> None:
    board = Board.from_moves("h8 i9 i7 g7")
    answer = by_theory(board)
    assert answer is not None
    for spec in (f"level:book=true,{BOOK_LEVEL}", "tengen:playouts=1,book=true"):
        with players.create(spec, seed=1) as player:
            assert player.choose(board) == answer.move
            assert player.thoughts is not None
            assert player.thoughts.value == 1
            assert player.thoughts.playouts == 0
    with players.create("tengen:playouts=1", seed=1) as player:
        player.choose(board)
        assert player.thoughts is not None
        assert player.thoughts.playouts == 1


def test_the_book_is_for_strong_levels() -> None:
    with pytest.raises(SetupError, match="level 3 has no book"):
        players.create("level:book=true,3")
    board = Board.from_moves("h8 i9 i7 g7")
    assert Turn(find_level(3), board, 1, book=True).known is None
    assert Turn(find_level(BOOK_LEVEL), board, 1).known is None


def test_a_review_says_what_is_theory_and_judges_by_it_where_the_win_is_near() -> None:
    board = Board.from_moves("h8 a15")
    while (answer := by_theory(board)) is not None and answer.within > NEAR - 2:
        board.push(answer.move)
        replies = shipped_answers("freestyle").replies(board)
        board.push(max(replies, key=lambda reply: reply.within or 0).move)
    verdicts = [verdict for verdict in reviewer_for(board, playouts=50).verdicts(board) if verdict is not None]
    assert all(verdict.theory for verdict in verdicts[:5])
    assert verdicts[0].black_win_rate < 1, "a win in forty moves is nothing that a person could see"
    assert verdicts[-1].black_win_rate == 1


def test_leaving_a_long_theory_is_no_mistake() -> None:
    board = Board.from_moves("h8 h9")
    answer = by_theory(board)
    assert answer is not None
    other = next(move for move in map(board.parse_move, ("i10", "g10", "i9", "g9")) if move != answer.move)
    board.push(other)
    *_, last = (verdict for verdict in reviewer_for(board, playouts=2000).verdicts(board) if verdict is not None)
    assert last.move is not None
    assert last.move.mistake == ""
