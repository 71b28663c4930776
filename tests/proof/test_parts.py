"""Proofs in parts: which there are, in which order, and what one learns from another."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.cli import prove as prove_command
from tengen.errors import SetupError
from tengen.proof import Proof, ProofFolder, check
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


def test_parts_are_proven_one_after_the_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A claim that is nearly won: all replies are proven in a moment, each in its own folder."""
    prove_command.each(*["h8", "a1", "i8", "a3", "j8", "a5", "k8"], folder=tmp_path, seconds=5, rounds=1, threads=1)
    told = capsys.readouterr().out
    proven = [path for path in tmp_path.iterdir() if (path / CERTIFICATE).exists()]
    assert len(proven) == int(told.split()[-6])
    assert check(Certificate.read(proven[0] / CERTIFICATE)).fault is None
