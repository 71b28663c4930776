"""S2's experiment: what the plain and the shaped reward teach in the same number of games."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tengen.dqn.learner import best_moves
from tengen.dqn.loop import DqnTrainer
from tengen.dqn.measure import Alone, Measured, Policy, against_itself, against_random
from tengen.dqn.params import S2, S2_UNITS, DqnParams
from tengen.errors import SetupError
from tengen.nets.files import write_atomically
from tengen.train.run_folder import OpenRun

#: Games against itself that a learner is measured by.
_ALONE_GAMES = 20


@dataclass(frozen=True)
class Result:
    """One learner after some games.

    Attributes:
        name: What it learned by: "plain" or "shaped", or "random" for no learning at all.
        games: Games that it learned from.
        minutes: Time that it took.
        measured: How it plays against random.
        alone: How it plays against itself.
    """

    name: str
    games: int
    minutes: float
    measured: Measured
    alone: Alone

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        figures = {name: round(value, 4) for name, value in asdict(self.measured).items() if name != "games"}
        alone = {name: round(value, 4) for name, value in asdict(self.alone).items()}
        return {"name": self.name, "games": self.games, "minutes": round(self.minutes, 2), **figures, "alone": alone}

    @classmethod
    def from_dict(cls, values: dict[str, Any], measured_games: int) -> Result:
        """What `as_dict` made."""
        figures = dict(values)
        name, games, minutes, alone = (figures.pop(key) for key in ("name", "games", "minutes", "alone"))
        return cls(name, games, minutes, Measured(games=measured_games, **figures), Alone(**alone))


def compare(
    folder: Path, params: DqnParams, points: list[int], measured_games: int, report: Callable[[Result], None]
) -> list[Result]:
    """Trains a network with the plain and the shaped reward, and measures it after each number of games in `points`.

    Args:
        folder: Folder of the two runs and of results.json; a comparison that was stopped goes on.
        params: Size, seed and the like. Its reward says whether the two are S2's or ours.
        points: Numbers of games, ascending.
        measured_games: Games against random at each point.
        report: Called with every result.
    """
    path = folder / "results.json"
    question = {**asdict(params), "points": points, "measured_games": measured_games}
    known = _read(path, question)
    results: list[Result] = []

    def add(result: Result) -> None:
        results.append(result)
        report(result)
        if len(results) > len(known):
            text = json.dumps({"question": question, "results": [result.as_dict() for result in results]}, indent=1)
            write_atomically(path, text.encode() + b"\n")

    path.parent.mkdir(parents=True, exist_ok=True)
    add(known[0] if known else _random_player(params, measured_games))
    for reward in ("s2-plain", "s2-shaped") if params.reward.startswith("s2-") else ("plain", "shaped"):
        for games in points:
            if len(results) < len(known):
                add(known[len(results)])
                continue
            unit = S2_UNITS.get(reward, params.reward_unit)
            changed = replace(params, reward=reward, reward_unit=unit, games=games, minutes=0.0)
            add(_learn(folder / reward, changed, measured_games))
    return results


def _read(path: Path, question: dict[str, Any]) -> list[Result]:
    """The results so far; a file that answers another question is an error."""
    if not path.exists():
        return []
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored["question"] == question:
            return [Result.from_dict(values, question["measured_games"]) for values in stored["results"]]
    except (ValueError, KeyError, TypeError):
        pass
    raise SetupError(f"{path} holds another comparison; choose a new folder with --folder")


def _learn(folder: Path, params: DqnParams, measured_games: int) -> Result:
    with OpenRun(folder) as run:
        trainer = DqnTrainer(run, params, lambda entry: None)
        trainer.run()
    net = trainer.learner.net
    seed = params.seed + params.games
    # As its player plays: the best of the empty points. How often an occupied one would be better is told apart.
    figures = _figures(lambda stones, black: best_moves(net, stones, black, True), params, measured_games, seed)
    unmasked = against_itself(lambda stones, black: best_moves(net, stones, black, False), params, _ALONE_GAMES, seed)
    figures = figures[0], replace(figures[1], illegal=unmasked.illegal)
    return Result(params.reward, trainer.counters.games, trainer.counters.seconds / 60, *figures)


def _random_player(params: DqnParams, games: int) -> Result:
    random = np.random.default_rng(params.seed)

    def choose(stones: Any, black: Any) -> Any:
        free = (stones.reshape(len(stones), -1) == 0) * random.random((len(stones), stones[0].size))
        return free.argmax(axis=1).astype(np.int32)

    return Result("random", 0, 0.0, *_figures(choose, params, games, params.seed))


def _figures(policy: Policy, params: DqnParams, games: int, seed: int) -> tuple[Measured, Alone]:
    return against_random(policy, params, games, seed), against_itself(policy, params, _ALONE_GAMES, seed)


def default_params(size: int, seed: int, ours: bool = False) -> DqnParams:
    """S2's learner or ours, for a comparison of rewards over a thousand games or so.

    S2 does not say how often it learns: here a step of 32 moves after each move.
    """
    if ours:
        choices: dict[str, Any] = {"boards": 16, "reuse": 4.0, "target_steps": 200}
    else:
        choices = {**S2, "boards": 4, "batch": 32, "reuse": 32.0, "target_steps": 1000}
    return DqnParams(size=size, seed=seed, epsilon_end=0.1, minutes=0.0, games=1, **choices)


def table(results: list[Result]) -> str:
    """The results in Markdown."""
    lines = [
        "| reward | games | minutes | wins against random | stones a game | distance of own stones | to the nearest "
        "| against itself: stones a game | distance | occupied points chosen |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for result in results:
        found, alone = result.measured, result.alone
        lines.append(
            f"| {result.name} | {result.games:,} | {result.minutes:.1f} | {found.won:.0%} | {found.length:.1f} "
            f"| {found.distance:.2f} | {found.nearest:.2f} "
            f"| {alone.length:.1f} | {alone.distance:.2f} | {alone.illegal:.0%} |"
        )
    return "\n".join(lines)


def draw(results: list[Result], path: Path) -> None:
    """Curves of the results as a picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 3.2), layout="constrained")
    shown = (("won", "share won against random"), ("length", "stones a game"), ("distance", "distance of own stones"))
    for axis, (name, title) in zip(figure.subplots(1, len(shown)), shown, strict=True):
        for reward, color in (("plain", "tab:orange"), ("shaped", "tab:blue")):
            own = [result for result in results if result.name.endswith(reward)]
            axis.plot([r.games for r in own], [getattr(r.measured, name) for r in own], "o-", color=color, label=reward)
        axis.axhline(getattr(results[0].measured, name), color="gray", linestyle=":", label="random")
        axis.set_title(title, fontsize=10)
        axis.set_xlabel("games")
        axis.set_ylim(bottom=0)
    axis.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
