"""The tables of the source documents, played by Tengen.

S0 is a thesis about an AlphaGo-Zero-style program, S2 a course project about alpha-beta (docs/origins.md). What they
printed stands here as data; what Tengen does comes from games.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tengen import players
from tengen.arena import GameSetup, MatchResult
from tengen.arena.results import Tally
from tengen.errors import SetupError
from tengen.players.program import EngineError
from tengen.report.machine import machine, network, network_file, today
from tengen.report.markdown import bullet, paragraph, table
from tengen.report.matches import Watch, command, make_match, play

#: S0's model searches 1500 simulations a move, against Yixin 3500.
MODEL = "tengen:playouts=1500"
MODEL_AGAINST_ENGINE = "tengen:playouts=3500"
DOCUMENT_GAMES = 50
#: Takes the search what S0's does not have: the knowledge of fives and fours, and the solvers.
NO_SOLVERS = "threats=false,vcf_nodes=0,vcf_nodes_root=0,vcf_nodes_defence=0,vct_nodes_root=0,vct_nodes_answer=0"
#: The model without some of its parts: the network with a tree search alone, as in S0, and its first choice alone.
PARTS = (
    ("tree search and network", f"{MODEL},{NO_SOLVERS}"),
    ("network alone", f"tengen:playouts=1,{NO_SOLVERS}"),
)


@dataclass(frozen=True)
class StrengthRow:
    """A row of S0's tables.

    Attributes:
        name: The opponent as S0 names it.
        spec: The same opponent here.
        document: S0's wins, losses and draws.
        dear: Takes long: the parts of the model meet it in a tenth of the games.
    """

    name: str
    spec: str
    document: Tally
    dear: bool = False


@dataclass(frozen=True)
class TimeRow:
    """A row of S2's tables: the search's depth and width, and S2's seconds a move."""

    depth: int
    k: int
    document: float

    @property
    def spec(self) -> str:
        """The same search here."""
        return f"alphabeta:depth={self.depth},k={self.k}"


ALPHA_BETA = (
    StrengthRow("alpha-beta, depth 2", "alphabeta:depth=2", Tally(50, 0, 0)),
    StrengthRow("alpha-beta, depth 4", "alphabeta:depth=4", Tally(50, 0, 0)),
    StrengthRow("alpha-beta, depth 6", "alphabeta:depth=6", Tally(50, 0, 0)),
    StrengthRow("alpha-beta, depth 6, 8 plies of VCT", "alphabeta:depth=6,vct=8", Tally(43, 6, 1), dear=True),
)
EXPERT_MCTS = (
    StrengthRow("expert MCTS, 2000 playouts", "mcts-expert:playouts=2000", Tally(50, 0, 0)),
    StrengthRow("expert MCTS, 3000 playouts", "mcts-expert:playouts=3000", Tally(50, 0, 0)),
    StrengthRow("expert MCTS, 5000 playouts", "mcts-expert:playouts=5000", Tally(50, 0, 0)),
    StrengthRow("expert MCTS, 10000 playouts", "mcts-expert:playouts=10000", Tally(37, 13, 0)),
)
DEPTHS = (TimeRow(2, 5, 0.613), TimeRow(3, 5, 73.826), TimeRow(4, 5, 213.561))
WIDTHS = (TimeRow(2, 10, 1.17), TimeRow(2, 20, 2.27), TimeRow(2, 40, 4.25))
#: A tree search with a network, seconds a move: S0's figure 5.2 (ten games of 20.3 moves took 123 s each, 1000
#: playouts a move, on a GPU), and S2's AlphaZero without one.
NETWORK_SECONDS = (("thesis, 1000 playouts, on a GPU", 6.1), ("course project, no GPU", 10.0))


@dataclass(frozen=True)
class DocumentsReport:
    """What to play. Key method: `write`.

    Attributes:
        games: Games of each row of S0's tables; even.
        seed: Random seed of all matches.
        concurrency: Games at a time; more than one makes the times a move less sure.
        engine: Command of a Gomocup engine for S0's last row, such as Yixin; the row is not played without it.
        model: File of the network that plays; "" for the shipped one.
        folder: Where the matches are kept.
    """

    games: int = DOCUMENT_GAMES
    seed: int = 1
    concurrency: int = 1
    engine: str = ""
    model: str = ""
    folder: Path = Path("runs/report-documents")

    def __post_init__(self) -> None:
        if self.games < 2 or self.games % 2:
            raise SetupError(f"the number of games must be even, not {self.games}")
        if self.model:
            network_file(Path(self.model))  # tells what is wrong with it before any game

    @property
    def time_games(self) -> int:
        """Games of each row of S2's tables: a tenth, because a time needs fewer than a score."""
        return max(2, 2 * (self.games // 20))

    @property
    def part_games(self) -> int:
        """Games of each part of the model against each opponent: two fifths, because their scores are far apart."""
        return max(2, 2 * (self.games // 5))

    def text(self, watch: Watch) -> str:
        """Plays what has not been played yet and returns the document.

        Raises:
            SetupError: The engine does not play.
            Stopped: The games were interrupted.
        """
        self._check_engine()
        return "\n".join(self._lines(watch)) + "\n"

    def _check_engine(self) -> None:
        """Starts the engine once: its row is the last of S0's, and hours of games come before it."""
        if not self.engine:
            return
        with players.create(self._engine_spec) as player:
            try:
                player.prepare(GameSetup().board())
            except EngineError as error:
                raise SetupError(
                    f'"{self.engine}" does not play: {error}; give --engine the command of a Gomocup engine'
                ) from None

    def _player(self, spec: str) -> str:
        return f"{spec},model={self.model}" if self.model else spec

    @property
    def _engine_spec(self) -> str:
        return f"engine:{self.engine}"

    def _lines(self, watch: Watch) -> Iterator[str]:
        commands: list[str] = []
        alpha_beta, ours = self._strength(ALPHA_BETA, self._player(MODEL), watch, commands)
        expert, _ = self._strength(EXPERT_MCTS, self._player(MODEL), watch, commands)
        parts = self._parts(watch, commands)
        engine = self._engine(watch, commands)
        depths, widths = (self._times(rows, watch, commands) for rows in (DEPTHS, WIDTHS))
        yield from self._head()
        yield from ("## The thesis: against alpha-beta", "", *alpha_beta, "")
        yield from ("## The thesis: against tree search with the expert evaluation", "", *expert, "")
        yield from ("## The thesis: the same opponents against parts of the model", "", *parts, "")
        yield from ("## The thesis: against Yixin", "", *engine, "")
        yield from ("## The course project: alpha-beta, seconds a move by depth", "", *depths, "")
        yield from ("## The course project: alpha-beta, seconds a move by width", "", *widths, "")
        yield from ("## Tree search with a network, seconds a move", "")
        yield from table(
            ["document", "its seconds", "Tengen, no GPU", "times faster"],
            [[name, f"about {seconds:g}", *_against(seconds, ours)] for name, seconds in NETWORK_SECONDS],
        )
        yield ""
        yield paragraph(
            f"Tengen's is `{self._player(MODEL)}`, the mean over the first table. The thesis's is from its figure 5.2, "
            "where ten games with 20.3 moves on average took 123 s each, perhaps all ten at a time; the course project "
            "does not say how many playouts it makes."
        )
        yield ""
        yield from ("## The commands", "", "Each row is one of these, and gives the same games again:", "")
        yield from ("```sh", *commands, "```")

    def _head(self) -> Iterator[str]:
        setup = GameSetup()
        yield from ("# The tables of the source documents, played by Tengen", "")
        yield paragraph(f"Written by `{self._command()}` on {today()}; every figure is from games that it played.")
        yield ""
        yield bullet(f"Machine: {machine()}; one thread a player, games at a time: {self.concurrency}.")
        played_by = network_file(Path(self.model)) if self.model else network(setup.rule, setup.size)
        yield bullet(f"Network: {played_by}.")
        shortened = "" if self.games == DOCUMENT_GAMES else f" (the thesis played {DOCUMENT_GAMES}: this is shortened)"
        yield bullet(
            f"{self.games} games a row of the thesis's tables{shortened}, half of them with each colour; "
            f"{self.part_games} against each part of the model, and {self.time_games} where the opponent takes long, "
            "as in the course project's rows."
        )
        yield bullet(
            f"{setup.rule} on {setup.size}x{setup.size}, adjudication: none. Every balanced opening is played twice "
            "with colours swapped; the documents do not say how their games began."
        )
        yield bullet("Won, lost and drawn are the model's. Elo is what the score means, with its 95 % interval.")
        yield ""

    def _command(self) -> str:
        parts = [f"tengen report documents --games {self.games} --seed {self.seed}"]
        if self.concurrency != 1:
            parts.append(f"--concurrency {self.concurrency}")
        if self.engine:
            parts.append("--engine COMMAND")
        if self.model:
            parts.append(f"--model {shlex.quote(self.model)}")
        return " ".join(parts)

    def _strength(
        self, rows: Sequence[StrengthRow], model: str, watch: Watch, commands: list[str]
    ) -> tuple[list[str], float]:
        """The lines of a table of results, and the model's mean seconds a move."""
        cells = []
        times = []
        for row in rows:
            result = self._play([model, row.spec], self.games, watch, row.name, commands)
            cells.append([row.name, str(row.document), *_result_cells(result)])
            times.append(result.seconds_a_move(0))
        heads = ["opponent", "thesis: won-lost-drawn", "Tengen: won-lost-drawn", "as black", "as white", "Elo"]
        return table([*heads, "s/move", "opponent's"], cells), sum(times) / len(times)

    def _parts(self, watch: Watch, commands: list[str]) -> list[str]:
        """The lines about the model without its solvers, and without its search."""
        cells = []
        for row in (*ALPHA_BETA, *EXPERT_MCTS):
            games = self.time_games if row.dear else self.part_games
            cells.append([row.name, str(row.document)])
            for name, spec in PARTS:
                result = self._play([self._player(spec), row.spec], games, watch, f"{row.name}, {name}", commands)
                cells[-1] += [str(result.pair().total), _seconds(result.seconds_a_move(0))]
        heads = [head for name, _ in PARTS for head in (f"{name}: won-lost-drawn", "s/move")]
        explained = paragraph(
            "The model of the tables above also knows fives and fours at sight and has solvers for threats, which the "
            f"thesis's has not. Here they are switched off (`{NO_SOLVERS}`): what is left is the tree, which still "
            "keeps what it has proven, and the network. Then the search is switched off, too, so that the network's "
            "first choice plays (`playouts=1`)."
        )
        return [explained, "", *table(["opponent", "thesis: won-lost-drawn", *heads], cells)]

    def _engine(self, watch: Watch, commands: list[str]) -> list[str]:
        document = (
            "The thesis's model at 3500 simulations loses more than it wins against Yixin (4-dan level), even as black."
        )
        if not self.engine:
            return [
                document,
                "",
                paragraph(
                    "Not played here: no engine was named. `tengen report documents --engine COMMAND` plays this row "
                    "against any Gomocup engine."
                ),
            ]
        row = StrengthRow("the engine", self._engine_spec, Tally())
        lines, _ = self._strength([row], self._player(MODEL_AGAINST_ENGINE), watch, commands)
        return [document, "", *(line.replace(" 0-0-0 ", " more lost than won ") for line in lines)]

    def _times(self, rows: Sequence[TimeRow], watch: Watch, commands: list[str]) -> list[str]:
        cells = []
        for row in rows:
            title = f"time of alpha-beta, depth {row.depth}, k {row.k}"
            result = self._play([row.spec, row.spec], self.time_games, watch, title, commands)
            seconds = (result.seconds_a_move(0) + result.seconds_a_move(1)) / 2
            cells.append([str(row.depth), str(row.k), f"{row.document:.3g}", *_against(row.document, seconds)])
        return table(["depth", "k", "course project", "Tengen", "times faster"], cells)

    def _play(self, specs: Sequence[str], games: int, watch: Watch, title: str, commands: list[str]) -> MatchResult:
        commands.append(command(specs, games, self.seed))
        return play(make_match(specs, games, self.seed, self.concurrency), self.folder, watch, title)


def _result_cells(result: MatchResult) -> list[str]:
    pair = result.pair()
    tallies = [str(tally) for tally in (pair.total, pair.as_black, pair.as_white)]
    return [*tallies, str(pair.elo), *(_seconds(result.seconds_a_move(place)) for place in (0, 1))]


def _against(document: float, seconds: float) -> list[str]:
    return [_seconds(seconds), f"{document / seconds:,.0f}" if seconds > 0 else "-"]


def _seconds(seconds: float) -> str:
    return f"{seconds:.2g}" if seconds < 10 else f"{seconds:.0f}"
