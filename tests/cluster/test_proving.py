"""A proof on a cluster of two nodes, one of which is killed under way."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from machines import NODE, cluster, ray

from tengen.cluster import spread_over
from tengen.proof import Effort, Proof, ProofFolder, check
from tengen.proof.hands import Helper, Helpers
from tengen.theory import Claim

__all__ = ["cluster"]  # a fixture
ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # nodes cannot import a test

CLAIM = Claim("h8 i9 i7 h7")


@dataclass(frozen=True)
class BothHelp(Helper):
    """Hardly gets on before a second node is there, too."""

    marks: Path

    def __call__(self) -> Callable[[Any], Any]:
        answer = super().__call__()

        def answer_with_patience(questions: Any) -> Any:
            (self.marks / ray.get_runtime_context().get_node_id()).touch()
            if len(list(self.marks.iterdir())) < 2:
                time.sleep(0.1)
            return answer(questions)

        return answer_with_patience


def test_a_proof_is_found_though_a_node_is_killed(cluster: Any, tmp_path: Path) -> None:
    other = cluster.add_node(**NODE)
    said: list[str] = []
    marks = tmp_path / "marks"
    marks.mkdir()
    helpers = Helpers(spread_over(cluster.address, said.append), BothHelp(CLAIM, Effort(), marks))
    with ProofFolder(tmp_path / "proof", CLAIM) as folder:
        proof = Proof.resume(folder)
        while len(list(marks.iterdir())) < 2:
            folder.add(helpers.work(proof, 0.01))
        assert not proof.done
        cluster.remove_node(other, allow_graceful=False)
        while not proof.done:
            folder.add(helpers.work(proof, 1.0))
    helpers.close()
    assert any("lost a worker" in sentence for sentence in said)
    found = Proof.resume(ProofFolder(tmp_path / "proof"))
    assert found.done
    assert check(found.certificate()).fault is None
