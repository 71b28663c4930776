"""Proofs in parts: which there are, in which order, and what one learns from another."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.cli import prove as prove_command
from tengen.errors import SetupError
from tengen.proof import Proof, ProofFolder, check
from tengen.proof.joined import join
from tengen.proof.parts import CERTIFICATE, parts_of
from tengen.theory import Certificate, Claim


def test_second_moves_up_to_symmetry_far_ones_first(tmp_path: Path) -> None:
    parts = parts_of(Claim("h8"), tmp_path)
    names = [part.path.name for part in parts]
    assert len(names) == len(set(names)) == 35
    assert names[0] == "a15"
    assert set(names[-2:]) == {"h9", "g9"}
    assert parts[0].claim == Claim("h8 a15")
    with pytest.raises(SetupError, match="black is to move"):
        parts_of(Claim("h8 i9"), tmp_path)


def test_what_won_beside_it_is_tried_first(tmp_path: Path) -> None:
    """The proof after one far stone is nearly the proof after its neighbour."""

    def nodes(moves: str, *advice: Certificate) -> tuple[int, Certificate]:
        claim = Claim(moves)
        with ProofFolder(tmp_path / f"{moves}-{len(advice)}", claim) as folder:
            proof = Proof.resume(folder, advice=advice)
            while not proof.done:
                assert proof.run(1.0)
            return proof.solver_nodes, proof.certificate()

    _, neighbour = nodes("h8 h9 i9 h10 a1 a15")
    alone, _ = nodes("h8 h9 i9 h10 a2 a15")
    advised, certificate = nodes("h8 h9 i9 h10 a2 a15", neighbour)
    assert advised < alone
    assert check(certificate).fault is None


def test_parts_are_proven_one_after_the_other_and_joined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A claim that is nearly won: each reply is proven in a moment, in a folder of its own."""
    claim = Claim("e5 f6 f4 a9 g5", size=9)
    prove_command.each(*claim.moves.split(), folder=tmp_path, size=9, seconds=5, rounds=1, threads=1)
    parts = [Certificate.read(part.certificate) for part in parts_of(claim, tmp_path)]
    assert f"{len(parts)} of {len(parts)} replies are proven" in capsys.readouterr().out
    assert len([part for part in parts if part.positions]) > 2
    assert all(check(part).fault is None for part in parts)
    joined = Certificate.read(tmp_path / CERTIFICATE)
    assert joined.claim == claim
    report = check(joined)
    assert report.fault is None
    assert report.positions == len(joined.positions) > max(len(part.positions) for part in parts)


def test_what_is_joined_answers_each_position_once() -> None:
    """The shorter win where parts differ, and nothing that is then never reached."""
    claim = Claim("e5", size=9)
    one = {"e5/a1": "e6", "e5e6/a1b1": "e7", "e5e6e7/a1b1c1": "e8"}
    other = {"e5/b1": "e6", "e5e6/a1b1": "d4"}
    joined = join(
        claim,
        [
            Certificate(Claim("e5 a1", size=9), one, 100, dict(zip(one, (5, 4, 3), strict=True))),
            Certificate(Claim("e5 b1", size=9), other, 200, dict(zip(other, (3, 2), strict=True))),
        ],
    )
    assert joined.positions == {"/": "e5", "e5/a1": "e6", "e5/b1": "e6", "e5e6/a1b1": "d4"}
    assert joined.lengths == {"/": 6, "e5/a1": 5, "e5/b1": 3, "e5e6/a1b1": 2}
    assert joined.nodes == 200
