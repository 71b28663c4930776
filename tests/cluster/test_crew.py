"""Independent jobs on a cluster: the same results as without one, each once, whoever is killed."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from machines import cluster, ray

from tengen.arena import GameSetup, Match
from tengen.arena.openings import EMPTY_BOARD
from tengen.arena.spsa import Range, Trial
from tengen.arena.tuning import TuningMatches
from tengen.cluster import crew_of, spread_over
from tengen.errors import SetupError
from tengen.review.folder import TaskReviewer, review_folder

__all__ = ["cluster"]  # a fixture
ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # nodes cannot import a test


@dataclass(frozen=True)
class Doubler:
    """Doubles numbers; the first process that meets the fatal one dies of it."""

    fatal: int
    mark: str

    def __call__(self) -> Callable[[int], int]:
        return self.double

    def double(self, number: int) -> int:
        if number == self.fatal and not Path(self.mark).exists():
            Path(self.mark).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return 2 * number


def test_a_job_of_a_killed_process_is_done_by_another(cluster: Any, tmp_path: Path) -> None:
    said: list[str] = []
    spread = spread_over(cluster.address, said.append)
    jobs = [(str(number), number) for number in range(10)]
    found = list(spread(Doubler(fatal=4, mark=str(tmp_path / "mark")), jobs))
    assert sorted(found) == [(str(number), 2 * number) for number in range(10)]
    assert any("lost a worker" in sentence for sentence in said)


def test_a_match_is_the_same_on_a_cluster(cluster: Any) -> None:
    def played(**options: Any) -> list[tuple[int, Any]]:
        match = Match(["mcts:playouts=20", "random"], games=4, setup=GameSetup(size=7), seed=3, **options)
        return sorted((game.scheduled.index, game.record.moves) for game in match.run().games)

    assert played(crew=crew_of(cluster.address, print)) == played()


def test_a_trial_of_a_tuning_is_the_same_on_a_cluster(cluster: Any) -> None:
    def result(**options: Any) -> float | None:
        ranges = [Range("c_puct", 1.6, 0.5, 4.0, whole=False)]
        matches = TuningMatches(
            "mcts:playouts=20", ranges, setup=GameSetup(size=7), openings=[EMPTY_BOARD], seed=2, **options
        )
        return matches(Trial(plus={"c_puct": 3.0}, minus={"c_puct": 1.0}, signs={"c_puct": 1.0}), 2, 0)

    assert result(crew=crew_of(cluster.address, print)) == result() is not None


def test_a_player_whose_network_is_not_there_is_one_sentence(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.players.fingerprint", lambda *_: "another")
    match = Match(["random", "random"], games=2, setup=GameSetup(size=7), crew=crew_of(cluster.address, print))
    with pytest.raises(SetupError, match="copy its file to the same place"):
        match.run()


def test_a_folder_is_reviewed_once(cluster: Any, tmp_path: Path) -> None:
    games, to = tmp_path / "games", tmp_path / "reviews"
    games.mkdir()
    for name, moves in (("a", "h8i9h9h7g8"), ("b", "h8h9i8"), ("broken", "z99")):
        (games / f"{name}.pos").write_text(moves)
    reviewer = TaskReviewer(playouts=8, rule=None, size=15)
    spread = spread_over(cluster.address, print)
    reviews = {review["game"]: review for review in review_folder(games, to, reviewer, spread)}
    assert {path.stem for path in to.iterdir()} == set(reviews) == {"a.pos", "b.pos", "broken.pos"}
    assert len(reviews["a.pos"]["moves"]) == 5
    assert "error" in reviews["broken.pos"]
    assert list(review_folder(games, to, reviewer, spread)) == [], "what is there is not done again"
    here = {review["game"]: review for review in review_folder(games, tmp_path / "here", reviewer)}
    assert here == reviews == {path.stem: json.loads(path.read_text()) for path in to.iterdir()}
