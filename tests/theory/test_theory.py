"""What is proven: certificates that ship, and what the winner answers by them."""

from __future__ import annotations

import random

import pytest

from tengen import Board, players
from tengen.arena.openings import canonical
from tengen.board import SYMMETRIES, Color, Move
from tengen.errors import SetupError
from tengen.proof import check
from tengen.review import reviewer_for
from tengen.theory import Answers, Theory, shipped_certificates, shipped_theory
from tengen.theory.lengths import measure, position
from tengen.thinking.book import by_theory, shipped_answers
from tengen.thinking.evaluators import default_evaluator
from tengen.thinking.levels import BOOK_LEVEL, Turn, find_level

CERTIFICATES = {certificate.claim.moves: certificate for certificate in shipped_certificates()}
#: Those that a test can check in a moment.
SMALL = [moves for moves, certificate in CERTIFICATES.items() if len(certificate.positions) < 60]


def test_there_is_theory() -> None:
    assert len(SMALL) >= 5
    for certificate in CERTIFICATES.values():
        assert set(certificate.lengths) == set(certificate.positions), f"{certificate.claim.moves} is not measured"


@pytest.mark.parametrize("moves", SMALL[:4])
def test_shipped_proofs_hold(moves: str) -> None:
    assert check(CERTIFICATES[moves]).fault is None


@pytest.mark.slow
@pytest.mark.parametrize("moves", CERTIFICATES)
def test_all_shipped_proofs_hold(moves: str) -> None:
    assert check(CERTIFICATES[moves]).fault is None


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
    assert theory.at(Board()) is None
    assert theory.at(Board.from_moves("h8 i9 i7 g7", rule="renju")) is None
    assert theory.at(Board(size=19)) is None
    for board in (Board(), Board.from_moves("h8 i9"), Board(size=19), Board.from_moves("h8 i9 i7 g7", rule="renju")):
        assert by_theory(board) is None


@pytest.mark.parametrize("moves", [*SMALL[:3], max(CERTIFICATES, key=lambda moves: len(CERTIFICATES[moves].positions))])
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
    certificate = CERTIFICATES[moves]
    assert dict(measure(certificate, default_evaluator("freestyle", 15))) == certificate.lengths


def test_what_is_threatened_wins_if_white_passes() -> None:
    claim = CERTIFICATES["h8 i9 i7 g7"].claim
    threatening = 0
    for text in CERTIFICATES["h8 i9 i7 g7"].positions:
        board = position(claim, text)
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


def test_a_review_says_where_theory_ends() -> None:
    board = Board.from_moves("h8 i9 i7 g7")
    answer = by_theory(board)
    assert answer is not None
    board.push(answer.move)
    verdicts = [verdict for verdict in reviewer_for(board, playouts=50).verdicts(board) if verdict is not None]
    assert [verdict.theory for verdict in verdicts] == [False, False, False, False, True, True]
    assert verdicts[4].black_win_rate == verdicts[5].black_win_rate == 1
    assert verdicts[5].move is not None
    assert verdicts[5].move.theory
