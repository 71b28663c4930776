"""The command line: one module for each command, imported only when it is called."""

from __future__ import annotations

import os
import sys
from typing import Literal, get_origin

import cyclopts
from rich.console import Console
from rich.text import Text

from tengen import __version__
from tengen.cli.signals import INTERRUPTED, end_like_ctrl_c
from tengen.errors import TengenError

app = cyclopts.App(
    name="tengen",
    help="Tengen 天元: play Gomoku, study games, compare players and train networks.",
    version=f"tengen {__version__}",
    suppress_keyboard_interrupt=False,  # `main` says that it was
    default_parameter=cyclopts.Parameter(negative_iterable=()),  # nobody needs --empty-sprt
)
PLAY, STUDY, COMPARE, TRAIN, PROGRAMS, MAINTAINERS = (
    cyclopts.Group(name, sort_key=place)
    for place, name in enumerate(("Play", "Study", "Compare", "Train", "For programs", "For maintainers"))
)
#: Every command: its group, its name, and where it is.
COMMANDS = (
    (PLAY, "play", "play:app"),
    (PLAY, "players", "players:players"),
    (STUDY, "review", "review:review"),
    (STUDY, "solve", "solve:solve"),
    (STUDY, "prove", "prove:app"),
    (STUDY, "board", "board:board"),
    (STUDY, "explain", "explain:explain"),
    (STUDY, "puzzles", "puzzles:app"),
    (COMPARE, "match", "match:match"),
    (COMPARE, "tune", "tune:tune"),
    (COMPARE, "openings", "openings:app"),
    (TRAIN, "train", "train:train"),
    (TRAIN, "runs", "runs:runs"),
    (TRAIN, "plot", "plot:plot"),
    (TRAIN, "model", "model:app"),
    (TRAIN, "export", "export:export"),
    (TRAIN, "dqn", "dqn:app"),
    (PROGRAMS, "engine", "engine:engine"),
    (PROGRAMS, "analysis-engine", "analysis_engine:analysis_engine"),
    (MAINTAINERS, "bench", "bench:app"),
    (MAINTAINERS, "report", "report:app"),
)
#: What some were called before.
FORMER_NAMES = {
    "analyze": "review:review",
    "analysis": "analysis_engine:analysis_engine",
    "levels": "report:former_levels",
}

for order, (group, name, place) in enumerate(COMMANDS):
    app.command(f"tengen.cli.{place}", name=name, group=group, sort_key=order)
for name, place in FORMER_NAMES.items():
    app.command(f"tengen.cli.{place}", name=name, show=False)

#: What a shell expects after a wrong call.
USAGE_ERROR = 2


def main() -> None:
    """Runs the command line; a mistake of the user's is one sentence and exit code 2, never a traceback."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    end_like_ctrl_c()
    if sys.argv[1:] in ([], ["--help"], ["-h"]):
        _import_commands()
    try:
        app(exit_on_error=False, print_error=False, result_action="return_value")
    except (cyclopts.CycloptsError, TengenError) as error:
        _complain(console, _in_one_sentence(error))
        sys.exit(USAGE_ERROR)
    except (KeyboardInterrupt, EOFError):
        console.print("stopped")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # Whoever read the output (`| head`) has seen enough; Python would complain when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        _complain(console, f"{error.filename}: {error.strerror}" if error.filename else error)
        sys.exit(1)


def engine() -> None:
    """Runs `tengen engine`, with its options, as the program `pbrain-tengen`."""
    sys.argv[1:1] = ["engine"]
    main()


def _import_commands() -> None:
    """The overview shows what each command says of itself, which only those that are imported do."""
    for _, name, _ in COMMANDS:
        app[name]


def _in_one_sentence(error: Exception) -> object:
    """What is wrong with an option whose type has choices or limits, in the words that presets and specs have too."""
    if not isinstance(error, cyclopts.CycloptsError) or error.argument is None:
        return error
    from pydantic import ValidationError  # takes time to import

    from tengen.parameters import plain_type, refusal

    if isinstance(error.__cause__, ValidationError):
        value = error.__cause__.errors()[0]["input"]
    elif isinstance(error, cyclopts.CoercionError) and error.token and _is_simple(plain_type(error.argument.hint)):
        value = error.token.value
    else:
        return error
    return refusal(error.argument.name, error.argument.field_info.annotation, value)


def _is_simple(hint: object) -> bool:
    """Whether it is a number or a choice, which there are words for."""
    return hint in (int, float) or get_origin(hint) is Literal


def _complain(console: Console, error: object) -> None:
    # As Text: what a message quotes may look like rich's markup, and escaped markup is not safe after a backslash.
    console.print(Text.assemble(("error:", "bold red"), " ", " ".join(str(error).split())))
