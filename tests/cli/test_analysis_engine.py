"""`tengen analysis-engine`: JSON lines in, JSON lines out."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from typing import Any

import pytest

from tengen.cli.analysis_engine import LineAnalysis

PROGRAM = (sys.executable, "-c", "from tengen.cli import main; main()", "analysis-engine", "--threads", "1")


def answers(*queries: dict[str, Any] | str) -> list[dict[str, Any]]:
    output = io.StringIO()
    lines = "\n".join(query if isinstance(query, str) else json.dumps(query) for query in queries)
    LineAnalysis(1, output).run(io.StringIO(lines))
    return [json.loads(line) for line in output.getvalue().splitlines()]


def test_every_query_is_answered() -> None:
    found = answers(
        {"id": "a", "moves": ["h8", "i9"], "playouts": 200, "best": 3},
        {"id": "b", "moves": ["h8", "a1", "h9", "a2", "h10", "a3", "h11", "a4"], "rule": "renju"},
    )
    by_id = {answer["id"]: answer for answer in found}
    assert by_id["a"]["playouts"] >= 200
    assert 1 <= len(by_id["a"]["candidates"]) <= 3
    assert by_id["b"]["proof"] == "win"


def test_updates_come_before_the_end() -> None:
    found = answers({"id": "a", "moves": ["h8", "i9", "g9"], "playouts": 60_000, "updates": True})
    assert [answer["done"] for answer in found][-1]
    assert len(found) > 1


def test_a_query_can_be_stopped() -> None:
    found = answers({"id": "a", "moves": ["h8", "i9", "g9"], "playouts": 20_000_000}, {"id": "a", "action": "stop"})
    assert found[-1]["done"]
    assert found[-1]["playouts"] < 20_000_000


def test_a_wrong_line_is_answered_with_a_sentence() -> None:
    found = answers("nonsense", {"id": "a", "moves": ["h8", "h8"]}, {"id": "b", "size": 99}, {"id": "c", "moves": []})
    assert [bool(answer.get("error")) for answer in found[:3]] == [True] * 3
    assert found[1]["error"] == "h8 is occupied by black"
    assert [answer["id"] for answer in found[:3]] == [None, "a", "b"]
    assert "error" not in found[-1]


def test_an_interrupt_ends_the_queries_in_good_order() -> None:
    query = json.dumps({"id": "a", "moves": ["h8", "i9", "g9"], "playouts": 20_000_000, "updates": True})
    with subprocess.Popen(
        PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(query + "\n")
        process.stdin.flush()
        assert not json.loads(process.stdout.readline())["done"]  # it is under way, and the input has not ended
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == "stopped\n"


class Gone(io.StringIO):
    """A reader that has left."""

    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_the_analysis_ends_when_nobody_reads_it() -> None:
    queries = [json.dumps({"id": name, "moves": ["h8"], "playouts": 20_000_000, "updates": True}) for name in "ab"]
    with pytest.raises(BrokenPipeError):
        LineAnalysis(1, Gone()).run(io.StringIO("\n".join(queries)))


def test_bytes_that_are_no_text_are_answered_with_a_sentence() -> None:
    done = subprocess.run(PROGRAM, input=b'\xff\n{"id": "a", "playouts": 10}\n', capture_output=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, b"")
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert "error" in first
    assert second["done"]
