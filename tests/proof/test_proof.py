"""Proofs, from finding to checking. The positions are of real openings, and proven in a second or two."""

from __future__ import annotations

import dataclasses
import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from slow_checker import SlowChecker

from tengen import Board, Color, core
from tengen.board import SYMMETRIES
from tengen.cli import prove as prove_command
from tengen.errors import InputError, SetupError
from tengen.proof import Effort, Proof, ProofFolder, check
from tengen.proof.check import SLACK, confirmed, measured, mended
from tengen.proof.joined import part_of
from tengen.theory import Certificate, Claim
from tengen.thinking.evaluators import default_evaluator

#: Black wins after a few quiet moves, and no sooner.
EASY = Claim("h8 i9 i7 j5")


@pytest.fixture(scope="module")
def certificate() -> Certificate:
    return prove(EASY, LITTLE).certificate()


#: So little for each question that a proof has several levels.
LITTLE = Effort(position_nodes=1_000, pass_nodes=10_000, reply_nodes=200)


def prove(claim: Claim, effort: Effort | None = None) -> Proof:
    proof = Proof(claim, effort)
    while not proof.done:
        assert proof.run(1.0), "it is stuck"
    return proof


def changed(certificate: Certificate, positions: dict[str, str]) -> Certificate:
    return dataclasses.replace(certificate, positions=positions)


def by_level(certificate: Certificate) -> list[str]:
    """A position of each number of stones."""
    return list({sum(map(str.isalpha, text)): text for text in certificate.positions}.values())


def test_a_proof_is_found_and_its_certificate_holds(certificate: Certificate) -> None:
    report = check(certificate)
    assert report.fault is None
    assert report.positions == len(certificate.positions) > 2
    empty = 15 * 15 - Board.from_moves(EASY.moves).ply - 1
    assert report.replies > (report.positions - 1) * (empty - 40)
    assert 0 < report.by_threats < report.replies
    assert report.tree_replies > report.tree_positions > report.trees > 0


def test_a_win_that_only_the_tree_search_sees_is_found() -> None:
    """The solver may miss a win by fours in a full table; the search that looks next has no moves to choose from."""
    claim = Claim("h8 a1 i8 a3 j8 a5")
    proof = Proof(claim)
    event = core.ProofEvent()
    event.kind = core.ProofEventKind.tried
    event.position = core.ProofPosition(claim.read_position("h8i8j8/a1a3a5"))
    event.effort = Effort.position_nodes
    proof._core.replay(event)
    assert not proof.done
    assert len(proof.run(1.0)) < 10
    assert proof.done


def test_where_a_proof_is_stuck_a_longer_search_looks_again(tmp_path: Path) -> None:
    claim = Claim("h8 i9 i7 g7")
    effort = Effort(position_nodes=300, pass_nodes=3000, reply_nodes=100, playouts=50)
    with ProofFolder(tmp_path, claim) as folder:
        proof = Proof(claim, effort)
        while not proof.done:
            events = proof.run(1.0)
            assert events, "it is stuck"
            folder.add(events)
    pondered = [event for event in ProofFolder(tmp_path).events() if event.kind == core.ProofEventKind.pondered]
    assert {event.effort for event in pondered} >= {6 * effort.playouts}
    assert all(len(event.moves) == len(event.costs) > 1 for event in pondered)
    again = Proof.resume(ProofFolder(tmp_path), effort)
    assert again.done
    assert again.certificate() == proof.certificate()
    assert check(again.certificate()).fault is None


def test_what_a_longer_search_sees_stands_above_the_first_guess() -> None:
    claim = Claim("h8 i9 i7 g7")
    proof = Proof(claim)
    root = proof.node(claim.root).position  # type: ignore[union-attr]

    def learn(kind: core.ProofEventKind, **facts: object) -> None:
        event = core.ProofEvent()
        event.kind, event.position = kind, root
        for name, value in facts.items():
            setattr(event, name, value)
        proof._core.replay(event)

    first, second, new = (claim.cell(point) for point in ("j8", "h9", "j9"))
    learn(core.ProofEventKind.tried, effort=Effort.position_nodes, moves=[first, second], costs=[5.0, 9.0])
    assert proof.cost == 5.0
    learn(core.ProofEventKind.quiet, move=first)
    learn(core.ProofEventKind.pondered, effort=24_000, moves=[first, new], costs=[2.0, 7.0])
    costs = {move.cell: move.cost for move in proof._core.root.moves}
    assert costs == {first: pytest.approx(300), second: 9.0, new: 7.0}, "a move that threatens nothing stays put off"
    assert proof.cost == 7.0


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_long_lines_of_fours_are_followed_whatever_the_orientation(symmetry: int) -> None:
    """After white's b8 black's c7 threatens fours that take more nodes in some orientations than in others."""
    moves = "h10 g9 h8 l9 k8 f8 f7 i8 g7 e7 i7 h7 j7 k7 f6 d6 j6 h6 c5 e5 f5 i5 j5 f4 g4 j4 g3"
    straight = Board.from_moves(moves)
    board = straight.transform(symmetry)
    reply = straight.transform_move(straight.parse_move("b8"), symmetry)
    cell = reply.y * board.width + reply.x
    found = core.threat_answers(board._core, [cell], default_evaluator("freestyle", 15), 480_000)
    assert [cell] in [replies for _, _, replies in found]


def test_a_certificate_survives_a_file(certificate: Certificate, tmp_path: Path) -> None:
    file = tmp_path / "certificate.gz"
    certificate.write(file)
    assert Certificate.read(file) == certificate
    again = tmp_path / "again.gz"
    Certificate.read(file).write(again)
    assert again.read_bytes() == file.read_bytes()


def test_a_wrong_move_is_found_at_every_level(certificate: Certificate) -> None:
    # Where threats win with a little more effort, a move that does nothing is not wrong.
    hard = [text for text in certificate.positions if not won_by_threats(certificate, text)]
    levels = {sum(map(str.isalpha, text)): text for text in hard}
    assert len(levels) >= 4
    for text in levels.values():
        fault = check(changed(certificate, {**certificate.positions, text: "a1"})).fault
        assert fault is not None, text
        assert "a1" in fault


def test_a_missing_answer_is_found_at_every_level(certificate: Certificate) -> None:
    strict = next(weak for weak in weaker(certificate) if check(weak).fault is None)
    needed = {sum(map(str.isalpha, text)): text for text in strict.positions if not won_by_threats(strict, text)}
    assert len(needed) >= 4
    for text in needed.values():
        positions = {other: move for other, move in strict.positions.items() if other != text}
        assert check(changed(strict, positions)).fault is not None, text


def test_a_certificate_with_too_few_nodes_gets_more(certificate: Certificate) -> None:
    failing = list(itertools.takewhile(lambda weak: check(weak).fault, weaker(certificate)))
    raised, report = confirmed(failing[-1])
    assert report.fault is None
    assert raised.nodes > failing[-1].nodes
    assert raised.positions == certificate.positions


def test_no_number_of_nodes_confirms_a_wrong_move(certificate: Certificate) -> None:
    wrong = {**certificate.positions, by_level(certificate)[-1]: "a1"}
    assert confirmed(changed(certificate, wrong))[1].fault is not None


def won_by_threats(certificate: Certificate, text: str) -> bool:
    black, white = ([EASY.point(cell) for cell in cells] for cells in EASY.read_position(text))
    board = Board.from_stones(black, white)
    return bool(core.threat_tree(board._core, default_evaluator("freestyle", 15), SLACK * certificate.nodes))


def weaker(certificate: Certificate) -> Iterator[Certificate]:
    """The same with as few nodes as possible, then more and more."""
    return (dataclasses.replace(certificate, nodes=50 << i) for i in range(12))


def test_a_move_on_a_stone_is_found_at_every_level(certificate: Certificate) -> None:
    for text in by_level(certificate):
        fault = check(changed(certificate, {**certificate.positions, text: "h8"})).fault
        assert fault is not None
        assert "empty" in fault


def test_positions_that_are_none_are_refused_at_every_level(certificate: Certificate) -> None:
    for text in by_level(certificate):
        black, white = text.split("/")
        move = certificate.positions[text]
        for bad in (f"{black}{black}/{white}", f"{black}/{white}a1", f"{black}{white}", f"{black}z9/{white}", "h8/h8"):
            positions = {other: move for other, move in certificate.positions.items() if other != text} | {bad: move}
            with pytest.raises(InputError):
                check(changed(certificate, positions))


def test_a_position_that_belongs_elsewhere_is_found(certificate: Certificate) -> None:
    fault = check(changed(certificate, {**certificate.positions, "a1b1/o15n15": "c1"})).fault
    assert fault is not None
    assert "never reached" in fault


def test_a_position_counts_once_in_all_its_orientations(certificate: Certificate) -> None:
    mirrored = EASY.write_position(
        Board.from_moves(EASY.moves).transform(symmetry)._core.stones(color) for symmetry in [3] for color in Color
    )
    with pytest.raises(InputError, match="twice"):
        check(changed(certificate, {**certificate.positions, mirrored: "a1"}))


def test_the_loser_must_not_make_five() -> None:
    claim = Claim("h8 a1 i8 b1 c14 c1 n3 d1")
    fault = check(Certificate(claim, {"h8i8c14n3/a1b1c1d1": "o15"}, 1_000)).fault
    assert fault is not None
    assert "make five at " in fault


@pytest.mark.parametrize("rule", ["freestyle", "standard"])
def test_the_slow_checker_agrees(rule: str) -> None:
    claim = Claim("h8 i9 i7 j5" if rule == "freestyle" else "h8 l12 h9 i9", rule=rule)
    certificate = prove(claim, LITTLE).certificate()
    slow = SlowChecker(certificate, default_evaluator(rule, 15), random.Random(1))
    assert slow.faults(positions=3, replies=6) == []
    assert slow.positions == min(3, len(certificate.positions))
    assert slow.replies > 10
    text = min(certificate.positions, key=len)
    wrong = dataclasses.replace(certificate, positions={text: "a1"}, nodes=100)
    assert SlowChecker(wrong, default_evaluator(rule, 15), random.Random(1)).faults(positions=1, replies=5)


def test_a_folder_resumes_where_it_was(tmp_path: Path) -> None:
    with ProofFolder(tmp_path, EASY) as folder:
        proof = Proof(EASY)
        while proof.proven < 3:
            folder.add(proof.run(0.05))
        with pytest.raises(SetupError, match="another process"), ProofFolder(tmp_path, EASY):
            pass
    with open(tmp_path / "events.txt", "ab") as file:
        file.write(b"won h8i7/g")  # the process was killed here
    with ProofFolder(tmp_path) as folder:
        assert (tmp_path / "events.txt").read_bytes().endswith(b"\n")
        resumed = Proof.resume(folder, Effort(playouts=1))  # which moves are promising is not searched for again
        assert (resumed.positions, resumed.proven) == (proof.positions, proof.proven)
        assert resumed.cost == pytest.approx(proof.cost, rel=1e-3), "guesses are kept with four digits"
        while not resumed.done:
            folder.add(resumed.run(1.0))
    finished = Proof.resume(ProofFolder(tmp_path))
    assert finished.done
    assert finished.solver_nodes == 0
    assert check(finished.certificate()).fault is None


def test_the_status_of_a_position_that_the_proof_never_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ProofFolder(tmp_path, EASY)
    prove_command.status(tmp_path, *EASY.moves.split(), "a1")
    assert capsys.readouterr().out.split(":")[0] == "the proof knows no reply here"


def test_two_threads_prove_it_too() -> None:
    proof = Proof(EASY, threads=2)
    while not proof.done:
        proof.run(1.0)
    assert check(proof.certificate()).fault is None


def test_the_loser_to_move() -> None:
    claim = Claim("h8 l12 h9 i9 i8")
    proof = Proof(claim)
    for _ in range(60):
        if proof.done:
            break
        proof.run(1.0)
    assert proof.done
    certificate = proof.certificate()
    assert check(certificate).fault is None
    assert all(reply.proven for reply in proof.replies(claim.board))
    fault = check(dataclasses.replace(certificate, claim=Claim("h8 l12 h9 i9 a1"))).fault
    assert fault is not None
    assert "another move" in fault


def test_a_win_by_threats_needs_no_positions() -> None:
    claim = Claim("h8 a1 i8 e1 j9 a5 j10 o1")
    certificate = prove(claim).certificate()
    assert certificate.positions == {}
    assert check(certificate).fault is None
    open_position = dataclasses.replace(certificate, claim=Claim("h8 i9"))
    fault = check(open_position).fault
    assert fault is not None
    assert "no win by threats" in fault


def test_without_a_win_there_is_no_proof() -> None:
    # White makes five whatever black does.
    claim = Claim("h8 b2 a15 c2 o15 d2 o1 e2", rule="freestyle")
    proof = Proof(claim)
    for _ in range(5):
        proof.run(0.5)
    assert not proof.done
    with pytest.raises(InputError, match="not proven"):
        proof.certificate()


@pytest.mark.parametrize("name", ["position_nodes", "pass_nodes", "reply_nodes", "playouts"])
def test_effort_must_be_positive(name: str) -> None:
    with pytest.raises(SetupError, match=name):
        Effort(**{name: 0})  # type: ignore[arg-type]


@pytest.mark.parametrize("rule", ["renju", "caro"])
def test_rules_that_the_referee_does_not_know(rule: str) -> None:
    with pytest.raises(SetupError, match="freestyle and standard"):
        Claim("h8", rule=rule)


def test_errors_name_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="game is over"):
        Claim("h8 a1 i8 a2 j8 a3 k8 a4 l8")
    with pytest.raises(InputError, match="first move"):
        Claim("", Color.WHITE).root  # noqa: B018
    with pytest.raises(SetupError, match="no proof"):
        ProofFolder(tmp_path / "nothing")
    ProofFolder(tmp_path, EASY)
    with pytest.raises(SetupError, match="another claim"):
        ProofFolder(tmp_path, Claim("h8"))
    file = tmp_path / "not.gz"
    file.write_bytes(b"nothing")
    with pytest.raises(InputError, match="not a certificate"):
        Certificate.read(file)
    with pytest.raises(InputError, match="no file"):
        Certificate.read(tmp_path / "missing.gz")


def test_trees_of_threats_are_whole() -> None:
    board = Board.from_moves("h8 a1 i8 e1 j9 a5 j10 o1")
    tree = core.threat_tree(board._core, default_evaluator("freestyle", 15), 10_000)
    move, replies = tree[-1]
    assert move >= 0
    assert -1 in dict(replies)
    assert all(0 <= node < len(tree) for _, nodes in tree for _, node in nodes)
    assert core.threat_tree(Board.from_moves("h8 i9")._core, default_evaluator("freestyle", 15), 10_000) == []


def test_an_answer_that_the_checker_does_not_find_is_proven_anew(certificate: Certificate) -> None:
    strict = next(weak for weak in weaker(certificate) if check(weak).fault is None)
    root, *texts = sorted(strict.positions, key=len)
    kept = ({other: strict.positions[other] for other in (root, *texts) if other != text} for text in texts)
    # Without what only the missing position led to.
    torn = next(part for some in kept if check(part := part_of(changed(strict, some), EASY.moves)).fault is not None)
    whole, report = mended(torn)
    assert report.fault is None
    assert torn.positions.items() < whole.positions.items()
    assert whole.nodes == torn.nodes


def test_an_answer_that_is_missed_when_lengths_are_measured_is_proven_anew(
    certificate: Certificate, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the solver, asked in another order than by the checker, did not find a win by threats after one reply."""
    missed: list[tuple[int, int]] = []
    ask = core.threat_answers

    def miss_one(board: core.Board, *rest: Any) -> Any:
        found = ask(board, *rest)
        missed.append((board.hash, found[-1][2][-1]))
        return [
            (nodes, lengths, [reply for reply in answered if (board.hash, reply) != missed[0]])
            for nodes, lengths, answered in found
        ]

    monkeypatch.setattr(core, "threat_answers", miss_one)
    certificate.write(tmp_path / "certificate.gz")
    prove_command.measure(tmp_path / "certificate.gz", to=tmp_path / "measured.gz")
    whole = Certificate.read(tmp_path / "measured.gz")
    assert certificate.positions.items() < whole.positions.items()
    assert whole.positions.keys() == whole.lengths.keys()
    assert check(whole).fault is None
    assert f"{len(whole.positions) - len(certificate.positions)} positions were added" in capsys.readouterr().out


def test_what_cannot_be_won_is_not_mended() -> None:
    """White makes five next: there is no proof to be had from there."""
    lost = Certificate(Claim("h8 a1 i8 a2 o15 a3 o13 a4"), {"h8i8o15o13/a1a2a3a4": "o11"}, 1000)
    same, report = mended(lost, seconds=1)
    assert report.fault is not None
    assert same == lost
    with pytest.raises(InputError, match="no answer"):
        measured(lost, seconds=1)
