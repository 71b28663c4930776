"""A match on disk, so that it can be stopped at any moment and gone on with.

match.json     what is played: players, networks, rule, openings, seed, ...; written once
games.jsonl    one finished game a line, in the order in which they ended: the only file that is read again
games.txt      the same games for people, in the manner of PGN
sgf/*.sgf      every game as a record
result.json    the result so far, written when the match ends or is stopped

A line that was cut off by a crash is dropped and its game played again. The files for people are made from the lines,
so whatever is missing of them comes back with the next start.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, TypeAlias

from tengen import disk, players, records
from tengen.arena.game import GameResult
from tengen.arena.match import Match
from tengen.arena.results import MatchGame, MatchResult
from tengen.errors import SetupError, TengenError
from tengen.file_lock import FolderLock
from tengen.games import GOMOKU

OnGame: TypeAlias = Callable[[MatchGame, MatchResult], None]

_LINE_WIDTH = 100


class MatchFolder:
    """The folder of one match; a context manager that keeps other processes out. Key methods: `done` and `add`.

    Nothing is made or changed before the lock is ours and the folder is found to be one for this match.
    """

    def __init__(self, path: Path, match: Match) -> None:
        """Does not open the folder yet.

        Args:
            path: The folder.
            match: What will be played; a folder with another match is refused.

        Raises:
            SetupError: The match is none that a folder can keep.
        """
        if match.setup.game != GOMOKU:
            raise SetupError(f"matches of Gomoku can be kept in a folder, not those of {match.setup.game}")
        self.path = path
        self._match = match
        self._games: IO[bytes] | None = None
        self._lock = FolderLock(path, "games.jsonl")

    def __enter__(self) -> MatchFolder:
        """Opens the folder, or makes it.

        Raises:
            SetupError: The folder cannot be used, and why.
        """
        try:
            is_ours = self._lock.take()
        except OSError as error:
            raise SetupError(f'cannot keep the match in "{self.path}": {error.strerror}') from None
        if not is_ours:
            raise SetupError(f'another match is writing to "{self.path}"')
        try:
            self._begin(description(self._match))
        except BaseException:
            self._close(undo=True)
            raise
        return self

    def _begin(self, wanted: Mapping[str, Any]) -> None:
        file = self.path / "match.json"
        is_new = not file.exists()
        # For appending, but read first.
        self._games = open(self.path / "games.jsonl", "a+b", buffering=0)  # noqa: SIM115
        if not is_new:
            self._check(file, wanted)
        elif self._games.tell():
            raise SetupError(f'"{self.path}" has games but no match.json; choose another folder')
        disk.remove_leftovers(self.path)
        (self.path / "sgf").mkdir(exist_ok=True)
        if is_new:
            _write(file, json.dumps(wanted, indent=1) + "\n")

    def _check(self, file: Path, wanted: Mapping[str, Any]) -> None:
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise SetupError(f'"{file}" cannot be read; choose another folder') from None
        different = [name for name in wanted if not isinstance(found, dict) or found.get(name) != wanted[name]]
        if different:
            raise SetupError(
                f'"{self.path}" holds another match: {_differences(found, wanted, different)}; '
                "choose another folder, or the command that it was made with"
            )

    def __exit__(self, *error: object) -> None:
        self._close()

    def _close(self, undo: bool = False) -> None:
        if self._games is not None:
            self._games.close()
        self._lock.release(undo)

    def done(self) -> list[MatchGame]:
        """The games that were finished before; files for people are completed."""
        assert self._games is not None, "the folder is not open"
        self._games.seek(0)
        schedule = {game.index: game for game in self._match.schedule()}
        games: dict[int, MatchGame] = {}
        lines = self._games.readlines()
        for number, line in enumerate(lines, start=1):
            try:
                values = json.loads(line) if line.endswith(b"\n") else {}
                scheduled = schedule[values["game"] - 1]
                record = GameResult.from_dict(values, self._match.setup)
            except (ValueError, KeyError, TypeError, TengenError):
                if number == len(lines):  # a crash can damage the end
                    self._games.truncate(sum(map(len, lines[:-1])))
                    break
                raise SetupError(
                    f'line {number} of "{self.path / "games.jsonl"}" is not a game of this match; '
                    "delete the line and the game is played again"
                ) from None
            games.setdefault(scheduled.index, MatchGame(scheduled, record))
        played = list(games.values())
        for game in played:
            if not self._sgf(game).exists():
                self._write_sgf(game)
        _write(self.path / "games.txt", "".join(game_text(game) for game in played))
        return played

    def add(self, game: MatchGame) -> None:
        """Writes a finished game; when this returns it survives whatever happens to the process."""
        assert self._games is not None, "the folder is not open"
        disk.append_whole(self.path / "games.jsonl", self._games, json.dumps(game.as_dict()).encode() + b"\n")
        os.fsync(self._games.fileno())
        self._write_sgf(game)
        with open(self.path / "games.txt", "a", encoding="utf-8") as log:
            log.write(game_text(game))

    def finish(self, result: MatchResult) -> None:
        """Writes the result."""
        _write(self.path / "result.json", json.dumps(result.as_dict(), indent=1) + "\n")

    def _sgf(self, game: MatchGame) -> Path:
        return self.path / "sgf" / f"{game.scheduled.index + 1:05d}.sgf"

    def _write_sgf(self, game: MatchGame) -> None:
        path = self._sgf(game)
        temporary = path.with_name(f"new-{path.name}")
        records.save(as_record(game), temporary)
        temporary.replace(path)


def run(match: Match, path: Path | None, on_game: OnGame | None = None) -> MatchResult:
    """Plays a match, in a folder if there is one; the games that are in the folder are not played again.

    Args:
        match: The match.
        path: Its folder, or None.
        on_game: As in `Match.run`; called for the games found in the folder too, once, with the last of them.
    """
    if path is None:
        return match.run(on_game)
    with MatchFolder(path, match) as folder:
        done = folder.done()
        if done and on_game is not None:
            on_game(done[-1], match.result(done))

        def keep(game: MatchGame, result: MatchResult) -> None:
            folder.add(game)
            if on_game is not None:
                on_game(game, result)

        result = match.run(keep, done)
        folder.finish(result)
    return result


def description(match: Match) -> dict[str, Any]:
    """Everything that the games of a match depend on, as plain values."""
    size = match.setup.size
    board = match.setup.any_board()
    facts: dict[str, Any] = {
        "players": list(match.specs),
        "networks": [_fingerprint(spec, match.setup.rule, size) for spec in match.specs],
        "rule": match.setup.rule,
        "size": size,
        "n_in_row": match.setup.n_in_row,
        "move_limit": match.setup.move_limit,
        "adjudication": str(match.adjudication),
        "sprt": None if match.sprt is None else dict(vars(match.sprt)),
        "games": match.games,
        "seed": match.seed,
        "pairings": [list(pairing) for pairing in match.pairings],
        "openings": [" ".join(board.text(move) for move in opening) for opening in match.openings],
    }
    if match.setup.game != GOMOKU:
        facts = {name: value for name, value in facts.items() if name not in ("rule", "size", "n_in_row")}
        facts["game"] = match.setup.game
    return facts


def _fingerprint(spec: str, rule: str, size: int) -> str | None:
    try:
        return players.fingerprint(spec, rule, size)
    except SetupError:
        return None  # a match may bring players that have no spec


def as_record(game: MatchGame) -> records.Game:
    """A played game as a record with what is known about it."""
    record = game.record
    sgf = records.Game.of_moves(
        record.moves,
        width=record.setup.size,
        height=record.setup.size,
        rule=record.setup.rule,
        black=record.black,
        white=record.white,
        result=record.result,
    )
    detail = f": {record.detail}" if record.detail else ""
    sgf.root.comment = (
        f"game {game.scheduled.index + 1}, opening of {record.opening_length} stones, {record.reason_text}{detail}"
    )
    sgf.root.properties["RO"] = [str(game.scheduled.pair + 1)]
    return sgf


def game_text(game: MatchGame) -> str:
    """A played game in the manner of PGN: what is known in brackets, then the moves."""
    record = game.record
    size = record.setup.size
    result = {"black": "1-0", "white": "0-1", "draw": "1/2-1/2"}[record.result]
    facts = {
        "Game": str(game.scheduled.index + 1),
        "Pair": str(game.scheduled.pair + 1),
        "Black": record.black,
        "White": record.white,
        "Rule": record.setup.rule,
        "Size": str(size),
        "Opening": " ".join(move.text(size) for move in game.scheduled.opening),
        "Result": result,
        "Reason": record.reason_text,
        "Detail": record.detail,
    }
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in facts.items() if value]
    words = []
    for number, move in enumerate(record.moves):
        if number % 2 == 0:
            words.append(f"{number // 2 + 1}.")
        words.append(move.text(size))
    return "\n".join([*lines, "", *_wrapped([*words, result]), "", ""])


def _quoted(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace('"', '\\"').split())


def _wrapped(words: Sequence[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > _LINE_WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def _differences(found: Any, wanted: Mapping[str, Any], names: Sequence[str]) -> str:
    """What is different, in words; of long lists only that they are."""
    shown = []
    for name in names:
        old = found.get(name) if isinstance(found, dict) else None
        if name in ("openings", "networks", "pairings"):
            shown.append(f"its {name} are others")
        else:
            shown.append(f"its {name} is {json.dumps(old)}, not {json.dumps(wanted[name])}")
    return ", ".join(shown)


def _write(path: Path, text: str) -> None:
    """Replaces a file in one step."""
    try:
        disk.write_atomically(path, text.encode())
    except OSError as error:
        raise SetupError(f'cannot write "{path}": {error.strerror}') from None
