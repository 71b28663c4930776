"""A proof that others help with: the same proof, however late their answers come, and whoever is lost."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tengen.cli import prove as prove_command
from tengen.errors import SetupError
from tengen.proof import Effort, Proof, ProofFolder, check
from tengen.proof.hands import Hands, Helper, Helpers, OwnThreads
from tengen.proof.parts import CERTIFICATE, parts_of
from tengen.theory import Certificate, Claim

EASY = Claim("h8 i9 i7 j5")


@dataclass
class FakeCrew:
    """Does jobs in this process, as if they came from other machines.

    Attributes:
        hands: Jobs that are under way at a time; the results come in any order.
        losses: The probability that a node is lost with its job, which another one then does.
    """

    hands: int = 1
    losses: float = 0.0

    def __call__(self, make: Callable[[], Callable[[Any], Any]], jobs: Iterator[Any]) -> Iterator[tuple[int, Any]]:
        generator = random.Random(1)
        do = sent(make)()
        under_way: list[tuple[int, Any]] = []
        while True:
            while len(under_way) < self.hands and (job := next(jobs)) is not None:
                under_way.append(job)
            if generator.random() < self.losses:
                do = sent(make)()
                continue
            key, job = under_way.pop(generator.randrange(len(under_way)))
            yield key, sent(do(sent(job)))


def sent(message: Any) -> Any:
    return pickle.loads(pickle.dumps(message))


def finish(hands: Hands, proof: Proof) -> None:
    while not proof.done:
        assert hands.work(proof, 1.0), "it is stuck"


@pytest.mark.parametrize(
    "crew", [FakeCrew(), FakeCrew(hands=7), FakeCrew(hands=3, losses=0.2)], ids=["one", "late", "lost"]
)
def test_a_proof_of_many_holds(crew: FakeCrew) -> None:
    proof = Proof(EASY)
    helpers = Helpers(crew, Helper(EASY, Effort()))
    finish(helpers, proof)
    assert check(proof.certificate()).fault is None
    assert proof.solver_nodes > 0
    assert helpers.seconds > 0


def test_one_helper_does_what_a_thread_does() -> None:
    one, other = (Proof(EASY) for _ in range(2))
    finish(Helpers(FakeCrew(), Helper(Claim("h8"), Effort())), one)
    finish(OwnThreads(), other)
    assert one.certificate() == other.certificate()
    assert (one.positions, one.solver_nodes) == (other.positions, other.solver_nodes)


def test_it_goes_on_after_a_stop_with_others(tmp_path: Path) -> None:
    with ProofFolder(tmp_path, EASY) as folder:
        proof = Proof.resume(folder)
        helpers = Helpers(FakeCrew(hands=3), Helper(EASY, Effort()))
        while proof.proven < 3:
            folder.add(helpers.work(proof, 0.01))
        helpers.close()
    with ProofFolder(tmp_path) as folder:
        resumed = Proof.resume(folder)
        assert not resumed.done
        assert (resumed.positions, resumed.proven) == (proof.positions, proof.proven)
        while not resumed.done:
            folder.add(Helpers(FakeCrew(hands=2), Helper(EASY, Effort())).work(resumed, 1.0))
    finished = Proof.resume(ProofFolder(tmp_path))
    assert check(finished.certificate()).fault is None


def test_an_answer_counts_once() -> None:
    proof, helper = Proof(EASY), Proof(EASY)
    asked = proof.ask(5)
    answers = {number: helper.answer(question) for number, question in asked.items()}
    proof.learn(answers, 0)
    assert len(proof.take_events()) == len(asked) == 1, "at the root there is one question"
    proof.learn(answers, 0)
    proof.learn({1234: answers[1]}, 0)
    assert proof.take_events() == []


def test_without_a_win_they_are_not_waited_for() -> None:
    claim = Claim("h8 b2 a15 c2 o15 d2 o1 e2")  # white makes five whatever black does
    proof = Proof(claim)
    helpers = Helpers(FakeCrew(hands=2), Helper(claim, Effort()))
    while helpers.work(proof, 1.0):
        pass
    assert proof.cost == float("inf")


def test_the_same_helpers_prove_part_after_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prove_command, "spread_over", lambda address, complain: FakeCrew(hands=3))
    claim = Claim("e5 f6 f4 a9 g5", size=9)
    prove_command.each(*claim.moves.split(), folder=tmp_path, size=9, seconds=50, rounds=1, cluster="auto")
    parts = parts_of(claim, tmp_path)
    assert f"{len(parts)} of {len(parts)} replies are proven" in capsys.readouterr().out
    assert check(Certificate.read(tmp_path / CERTIFICATE)).fault is None


def test_threads_are_for_this_machine_alone(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="--threads is for this machine alone"):
        prove_command.prove("h8", folder=tmp_path, threads=2, cluster="auto")
