"""What `tengen train` shows: one live screen in a terminal, a plain line for each entry of the log elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from tengen import core
from tengen.cli.nodes_table import nodes_table
from tengen.games import replay
from tengen.terminal import draw

if TYPE_CHECKING:
    from tengen.train.loop import Trainer

#: Moves of the shown game in a second.
_PACE = 3.0
#: Seconds for which its end stays.
_PAUSE = 2.0
_SHOWN_MESSAGES = 3
#: Narrower terminals have no room for the board beside the numbers.
_WIDE = 86


class Screen:
    """Shows a run while it goes on. Key method: `show`, called with every entry of the log."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._entry: dict[str, Any] = {}
        self._strength: dict[str, Any] = {}
        self._messages: list[str] = []
        self._replay = _Replay()
        self._trainer: Trainer | None = None
        self._live: Live | None = None
        if console.is_terminal:
            self._live = Live(console=console, get_renderable=self._render, refresh_per_second=_PACE)

    def __enter__(self) -> Screen:
        if self._live is not None:
            self._live.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        if self._live is not None:
            self._live.__exit__(*error)

    def watch(self, trainer: Trainer) -> None:
        """Says which run it is."""
        self._trainer = trainer

    def show(self, entry: dict[str, Any]) -> None:
        """Takes a line of the log, or a message."""
        if "message" in entry:
            self._messages.append(entry["message"])
        else:
            self._entry = {**self._entry, **entry}  # not every line has losses, or games
            self._strength = entry.get("evaluation", self._strength)
        if self._live is None:
            self._console.print(entry.get("message") or plain_line(entry), soft_wrap=True, markup=False)

    def _render(self) -> RenderableType:
        trainer = self._trainer
        if trainer is None:
            return Text("starting ...", style="dim")
        parts: list[RenderableType] = [_heading(trainer), self._numbers(trainer)]
        if self._strength:
            parts.append(_yardsticks(self._strength))
        if nodes := trainer.nodes():
            parts.append(nodes_table(nodes))
        parts += [Text(message, style="yellow") for message in self._messages[-_SHOWN_MESSAGES:]]
        if self._console.width < _WIDE:
            return Group(*parts)
        grid = Table.grid(padding=(0, 3))
        grid.add_row(Group(*parts), self._replay.render(trainer.recent.latest))
        return grid

    def _numbers(self, trainer: Trainer) -> Table:
        table = Table.grid(padding=(0, 2))
        table.add_column(style="dim", no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_row("now", trainer.stage)
        for name, text in _ROWS:
            try:
                table.add_row(name, text(self._entry))
            except KeyError:  # not known yet
                table.add_row(name, Text("...", style="dim"))
        if self._strength:
            table.add_row("strength", _strength(self._strength))
        return table


def plain_line(entry: dict[str, Any]) -> str:
    """An entry of the log as one line of text."""
    return " ".join(f"{key}={_short(value)}" for key, value in entry.items() if key != "evaluation") + _short_verdict(
        entry.get("evaluation")
    )


def _short_verdict(verdict: dict[str, Any] | None) -> str:
    if verdict is None:
        return ""
    results = [f"{spec} {result}" for spec, result in verdict["yardsticks"].items()]
    if verdict["best"] is not None:
        results.insert(0, f"best {verdict['best']} {verdict['score']:.2f}")
    return f" network={verdict['network']}" + (f" ({', '.join(results)})" if results else "")


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


#: What the table shows: title, and how it is made from an entry.
_ROWS: tuple[tuple[str, Callable[[dict[str, Any]], str]], ...] = (
    ("games", lambda e: f"{e['games']:,}  ({e['games_per_second']:.1f}/s, {e['playouts_per_second']:,.0f} playouts/s)"),
    ("positions", lambda e: f"{e['positions']:,}  ({e['buffer']:,} in the buffer)"),
    ("learned from", lambda e: f"{e['samples']:,}  ({e['samples_per_second']:,.0f}/s)"),
    ("playouts a move", lambda e: f"{e['full_playouts']:,}, fast {e['fast_playouts']:,}"),
    ("policy loss", lambda e: f"{e['policy_loss']:.3f}  (targets {e['policy_entropy']:.3f})"),
    ("value loss", lambda e: f"{e['value_loss']:.3f}"),
    ("change", lambda e: f"KL {e['kl']:.3f}; explains {e['variance_after']:.0%} of the results' variance"),
    ("a game", lambda e: f"{e['moves_per_game']:.1f} moves, black wins {e['black_wins']:.0%}, draws {e['draws']:.0%}"),
)


def _heading(trainer: Trainer) -> RenderableType:
    minutes, total = trainer.counters.seconds / 60, trainer.params.minutes
    left = max(0.0, total - minutes)
    heading = Table.grid(padding=(0, 1))
    heading.add_row(
        Text(f"tengen train: {trainer.folder.path.name}", style="bold"),
        ProgressBar(total=1.0, completed=trainer.progress, width=20),
        f"{minutes:.1f} of {total:g} minutes, {_duration(left)} left",
    )
    return heading


def _duration(minutes: float) -> str:
    hours, rest = divmod(round(minutes), 60)
    return f"{hours} h {rest:02d} min" if hours else f"{rest} min" if minutes >= 1 else f"{60 * minutes:.0f} s"


def _strength(verdict: dict[str, Any]) -> str:
    text = f"Elo {verdict['elo']:.0f} ± {verdict['margin95']:.0f}"
    if verdict["best"] is None:
        return text
    result = "kept" if verdict["kept"] else "not kept"
    return f"{text}, {verdict['score']:.0%} against {verdict['best']}: {verdict['network']} is {result}"


def _yardsticks(verdict: dict[str, Any]) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for spec, result in verdict["yardsticks"].items():
        table.add_row(Text(spec, style="dim"), result)
    return table


class _Replay:
    """The newest game of self-play, move by move; another one when it is over."""

    def __init__(self) -> None:
        self._game: core.GameRecord | None = None
        self._began = 0.0

    def render(self, newest: core.GameRecord | None) -> RenderableType:
        if (self._game is None or self._shown > len(self._game.moves) + _PAUSE * _PACE) and newest is not None:
            self._game, self._began = newest, time.monotonic()
        game = self._game
        if game is None:
            return ""
        board = replay(game, self._shown)
        return Group(draw(board), Text(f"   self-play, move {board.ply} of {len(game.moves)}", style="dim"))

    @property
    def _shown(self) -> int:
        """Moves that have been shown by now, those of the opening included; it goes on counting after the last one."""
        opening = self._game.opening_plies if self._game is not None else 0
        return opening + int((time.monotonic() - self._began) * _PACE)
