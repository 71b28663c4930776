"""The command line: one module for each command, imported only when it is called."""

from __future__ import annotations

import os
import sys

import cyclopts
from rich.console import Console
from rich.text import Text

from tengen import __version__
from tengen.cli.signals import INTERRUPTED, end_like_ctrl_c
from tengen.errors import TengenError

app = cyclopts.App(
    name="tengen",
    help="Tengen 天元: play, train, match and analyse Gomoku.",
    version=f"tengen {__version__}",
    suppress_keyboard_interrupt=False,  # `main` says that it was
)
app.command("tengen.cli.analysis:analysis", name="analysis")
app.command("tengen.cli.analyze:analyze", name="analyze")
app.command("tengen.cli.board:board", name="board")
app.command("tengen.cli.bench:app", name="bench")
app.command("tengen.cli.dqn:app", name="dqn")
app.command("tengen.cli.engine:engine", name="engine")
app.command("tengen.cli.export:export", name="export")
app.command("tengen.cli.levels:app", name="levels")
app.command("tengen.cli.model:app", name="model")
app.command("tengen.cli.match:match", name="match")
app.command("tengen.cli.openings:app", name="openings")
app.command("tengen.cli.play:play", name="play")
app.command("tengen.cli.players:players", name="players")
app.command("tengen.cli.report:app", name="report")
app.command("tengen.cli.plot:plot", name="plot")
app.command("tengen.cli.runs:runs", name="runs")
app.command("tengen.cli.solve:solve", name="solve")

app.command("tengen.cli.train:train", name="train")

#: What a shell expects after a wrong call.
USAGE_ERROR = 2


def main() -> None:
    """Runs the command line; a mistake of the user's is one sentence and exit code 2, never a traceback."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    end_like_ctrl_c()
    try:
        app(exit_on_error=False, print_error=False, result_action="return_value")
    except (cyclopts.CycloptsError, TengenError) as error:
        _complain(console, error)
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


def _complain(console: Console, error: object) -> None:
    # As Text: what a message quotes may look like rich's markup, and escaped markup is not safe after a backslash.
    console.print(Text.assemble(("error:", "bold red"), " ", " ".join(str(error).split())))
