"""Gomoku learned in four ways: S0's p-opposition off, fixed and adaptive, and games by the best network only.

Does p-opposition keep self-play from attack without defence, does it make it stronger, and does the gate help?
"""

from __future__ import annotations

import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cyclopts
from section import Section, finished, new_figure

from tengen.arena import GameSetup, Match, random_openings
from tengen.train.history import History
from tengen.train.loop import Trainer
from tengen.train.params import EvaluationParams, LearnParams, RunParams, SelfPlayParams, SelfPlaySearchParams
from tengen.train.run_folder import OpenRun

SIZE = 9
PLAYOUTS = 60
#: What S0's search had: no knowledge of fours and no solver, which would find the defence without learning it.
PLAIN: dict[str, Any] = {
    "memory": 16 << 20,
    "threats": False,
    "vcf_nodes": 0,
    "vcf_nodes_root": 0,
    "vcf_nodes_defence": 0,
    "vct_nodes_root": 0,
    "vct_nodes_answer": 0,
}
YARDSTICK = "mcts:playouts=300"


@dataclass(frozen=True)
class Kind:
    """A way to play: its name, and the changes of `SelfPlayParams`."""

    name: str
    changes: dict[str, Any]


KINDS = (
    Kind("off", {}),
    Kind("fixed", {"opposition_probability": 0.3, "opposition_threshold": -0.5}),
    Kind("adaptive", {"opposition_adaptive": True, "opposition_games": 200}),
    Kind("best", {"generator": "best"}),
)


def params(kind: Kind, minutes: float, seed: int) -> RunParams:
    """A run from the empty board."""
    return RunParams(
        minutes=minutes,
        seed=seed,
        publish_seconds=5.0,
        log_seconds=0.5 if minutes < 1 else 10.0,
        probe_positions=0,
        tensorboard=False,
        selfplay=SelfPlayParams(
            sizes=(SIZE,),
            full_playouts=PLAYOUTS,
            fast_playouts=20,
            opening_stones=0,
            early_temperature=1.0,
            adjudicated_share=0.0,
            longest_game=1.0,
            threads=1,
            **kind.changes,
        ),
        learn=LearnParams(radius=4, channels=32, batch=256, start_positions=500, average_rate=0.05),
        search=SelfPlaySearchParams(**PLAIN, prior_temperature=1.35),
        evaluation=EvaluationParams(
            minutes=minutes / 12,
            games=5,
            playouts=PLAYOUTS,
            yardsticks=(YARDSTICK,),
            yardstick_minutes=minutes / 6,
            yardstick_games=4,
            share=0.2,
        ),
    )


def train(folder: Path, kind: Kind, minutes: float, seed: int, short: bool) -> History:
    """A run; a short one ends when it has logged a few games."""

    def watch(entry: dict[str, Any]) -> None:
        if short and entry.get("games", 0) >= 2:
            trainer.stop()

    with OpenRun(folder) as run:
        trainer = Trainer(run, params(kind, minutes, seed), watch)
        trainer.run()
    history = History(folder)
    print(kind.name, history.last("games"), "games", flush=True)
    return history


def half(history: History, name: str) -> float:
    """The mean of a figure of the log over the second half of the run."""
    values = history.curve(name)[1]
    return statistics.fmean(values[len(values) // 2 :]) if values else float("nan")


def draw(histories: dict[str, History]) -> Any:
    """Colours, length of games and strength over time."""
    figure, (colors, length, strength) = new_figure(3)
    for number, (name, history) in enumerate(histories.items()):
        color = f"C{number}"
        colors.plot(*history.curve("black_wins"), "-", color=color, label=f"{name}: black")
        colors.plot(*history.curve("white_wins"), "--", color=color, label=f"{name}: white")
        length.plot(*history.curve("moves_per_game"), color=color, label=name)
        curve, _ = history.strength()
        minutes, elo, errors = ([getattr(point, part) for point in curve] for part in ("minutes", "elo", "margin95"))
        strength.errorbar(minutes, elo, errors, color=color, capsize=2, label=name)
    for axis, title in (
        (colors, "share of games won"),
        (length, "moves a game"),
        (strength, f"Elo ({YARDSTICK} is 0)"),
    ):
        axis.set_title(title, fontsize=10)
        axis.set_xlabel("minutes of training")
    colors.legend(fontsize="x-small")
    length.legend(fontsize="x-small")
    return figure


def main(*, short: bool = False, minutes: float = 3.0, games: int = 40, seed: int = 1, to: Path | None = None) -> None:
    """Train in each way, and let the networks play.

    Args:
        short: A few seconds each, to see that it works.
        minutes: Minutes of each run.
        games: Games of each pair of networks at the end; even.
        seed: Random seed of the runs and the match.
        to: Also put the section into this document, such as docs/experiments.md.
    """
    minutes, games = (0.9, 2) if short else (minutes, games)
    setup = GameSetup(size=SIZE)
    evaluation = params(KINDS[0], minutes, seed).evaluation
    with tempfile.TemporaryDirectory() as folder:
        histories = {kind.name: train(Path(folder) / kind.name, kind, minutes, seed, short) for kind in KINDS}
        models = [Path(folder) / kind.name / "networks" / "newest.safetensors" for kind in KINDS]
        plain = ",".join(f"{key}={str(value).lower()}" for key, value in PLAIN.items())
        specs = [f"net:model={model},playouts={PLAYOUTS},{plain}" for model in models]
        openings = random_openings(games // 2, setup, seed)
        result = finished(Match(specs, games=games, openings=openings, setup=setup, seed=seed).run())
        section = Section("selfplay", "p-opposition (the thesis), and newest against best generator, on Gomoku", to)
        section.text(
            f"Four runs of {minutes:g} minutes, one thread of self-play each, on {SIZE}x{SIZE} freestyle from the "
            f"empty board with a small line network (radius 4, 32 channels), {PLAYOUTS} playouts a move. As in "
            "the thesis, the search knows nothing of fours and has no solver: with them a defence need not be learned. "
            "`fixed` plays the opponent's point with probability 0.3 when the mover's value is below -0.5; "
            "`adaptive` sets both from the latest games. In these and in `off` the newest network plays, in `best` the "
            f"last one that passed the gate of {evaluation.gate} in {2 * evaluation.games} games, "
            f"tried every {evaluation.minutes:g} minutes. Shares and lengths are of the second half of each run."
        )
        rows = []
        for name, history in histories.items():
            figures = [half(history, part) for part in ("black_wins", "white_wins", "draws")]
            moves, opposed = half(history, "moves_per_game"), half(history, "opposition_moves")
            curve, _ = history.strength()
            elo = f"{curve[-1].elo:+.0f} ± {curve[-1].margin95:.0f}" if len(curve) > 1 else "not measured"
            shares = [f"{figure:.0%}" for figure in figures]
            rows.append((name, f"{history.last('games') or 0:,}", *shares, f"{moves:.1f}", f"{opposed:.2f}", elo))
        heads = ("way", "games", "black won", "white won", "drawn", "moves a game", "opposed moves a game")
        section.table((*heads, f"Elo at the end ({YARDSTICK} is 0; ± is half of the 95 % interval)"), rows)
        names = [kind.name for kind in KINDS]
        pairs = []
        for first, second in result.pairings:
            pair = result.pair((first, second))
            clear = "yes" if pair.elo.low > 0 or pair.elo.high < 0 else "no, noise"
            pairs.append((f"{names[first]} against {names[second]}", str(pair.total), str(pair.elo), clear))
        section.text(f"The last networks against each other, {games} games of each pair:")
        section.table(("pair", "won-lost-drawn", "Elo with its 95 % interval", "clear of 0"), pairs)
        section.text(
            "One run of each kind: differences between runs of the same kind are not known, so only large ones mean "
            "anything."
        )
        section.picture(draw(histories), "Colours, length of games and strength over time")
        section.write()


if __name__ == "__main__":
    cyclopts.run(main)
