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

WHOLE = {certificate.claim.moves: certificate for certificate in shipped_certificates()}
#: Openings whose proofs a test can check in a moment.
SMALL = ("h8 i9 i7 g7", "h8 h9 i9 h10", "h8 i9 i7 a1", "h8 h9 i9 i10")


@functools.cache
def opening(moves: str) -> Certificate:
    """What the proof that ships says of an opening."""
    return part_of(WHOLE["h8"], moves)


def test_the_first_player_wins() -> None:
    proof = WHOLE["h8"]
    assert proof.positions["/"] == "h8"
    assert set(proof.lengths) == set(proof.positions), "it is not measured"
    with pytest.raises(InputError, match="does not come"):
        opening("h8 i9 a1")


@pytest.mark.parametrize("moves", SMALL)
def test_a_part_of_the_shipped_proof_holds(moves: str) -> None:
    assert len(opening(moves).positions) > 1
    assert check(opening(moves)).fault is None


@pytest.mark.slow
@pytest.mark.parametrize("moves", [part.claim.moves for part in parts_of(Claim("h8"), Path())])
def test_all_of_the_shipped_proof_holds(moves: str) -> None:
    """After each second move up to symmetry; `tengen prove check` walks through all of it at once."""
    assert check(opening(moves)).fault is None


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


@pytest.mark.parametrize("moves", ["", *SMALL[:3]])
def test_black_wins_every_game_in_time(moves: str) -> None:
    """White plays at random, near other stones, or what holds out longest: black makes five, and no later than said."""
    answers = shipped_answers("freestyle")
    generator = random.Random(5)
    for _ in range(3):
        board = Board.from_moves(moves).transform(generator.choice(SYMMETRIES))
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


@pytest.mark.parametrize("moves", SMALL[:3])
def test_lengths_are_what_is_measured(moves: str) -> None:
    """Or above it, where the joined proof has found a shorter win on the way."""
    measured = dict(measure(opening(moves), default_evaluator("freestyle", 15)))
    assert measured.keys() == opening(moves).lengths.keys()
    assert all(length <= opening(moves).lengths[text] for text, length in measured.items())


def test_what_is_threatened_wins_if_white_passes() -> None:
    certificate = opening("h8 h9 i9 h10")
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
