"""Values that make no sense, through the doors that people use: refused in one sentence, before they do harm."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tengen.cli import main


def refusal(arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """What the command line says to a wrong call."""
    monkeypatch.setattr(sys, "argv", ["tengen", *arguments])
    with pytest.raises(SystemExit) as exit_:
        main()
    assert exit_.value.code == 2
    return capsys.readouterr().err.strip()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[selfplay]\nsizes = []", "selfplay.sizes must have at least one entry"),
        ("[selfplay]\nrules = []", "selfplay.rules must have at least one entry"),
        ("[selfplay]\nthreads = -2", "selfplay.threads must be a whole number from 0 to 1,024, not -2"),
        ("[selfplay]\nfull_share = 5", "selfplay.full_share must be a number from 0 to 1, not 5"),
        ("[selfplay]\nlongest_game = 0", "selfplay.longest_game must be a number from 0.1 to 1, not 0"),
        (
            "[selfplay]\nfull_playouts = -5",
            "selfplay.full_playouts must be a number from 1 to 1,000,000, "
            "or a list of points [progress from 0 to 1, number], not -5",
        ),
        (
            "[selfplay]\nfull_playouts = []",
            "selfplay.full_playouts must be a number from 1 to 1,000,000, "
            "or a list of points [progress from 0 to 1, number], not []",
        ),
        (
            "[selfplay]\nfull_playouts = [[0.5, 8], [0.0, 9]]",
            "the points of a schedule come in the order of their progress, not as [(0.5, 8), (0.0, 9)]",
        ),
        ("[learn]\nchannels = 16", "learn.channels must be one of 32, 64, 128, not 16"),
        ("[learn]\nhidden = 32", "learn.hidden must be one of 64, 128, 256, not 32"),
        ("[learn]\nradius = 9", "learn.radius must be one of 4, 5, not 9"),
        ("[learn]\nbatch = 0", "learn.batch must be a whole number from 1 to 65,536, not 0"),
        (
            "[learn]\nlearning_rate = []",
            "learn.learning_rate must be a number from 0 to 1, "
            "or a list of points [progress from 0 to 1, number], not []",
        ),
        ("[learn]\nreuse = nan", "learn.reuse must be a number above 0 and up to 1,000, not nan"),
        ("[learn]\nbuffer = -1", "learn.buffer must be a whole number from 1 to 1,000,000,000, not -1"),
        (
            "[learn]\nbuffer = 100\nbuffer_least = 100",
            "learning begins at 2000 positions, which a buffer of 100 never holds",
        ),
        ('[learn]\ndevice = "cdua"', 'learn.device must be auto, cpu, cuda or cuda:N, not "cdua"'),
        ("[evaluation]\nplayouts = -1", "evaluation.playouts must be a whole number from 1 to 1,000,000, not -1"),
        ("[search]\nthreads = -2", "search.threads must be a whole number from 1 to 256, not -2"),
        ("minutes = nan", "minutes must be a number above 0 and up to 10,000,000, not nan"),
        ("seed = -1", "seed must be a whole number from 0 to 1,000,000,000, not -1"),
        ("[selfplay]\nfull_plyouts = 3", 'there is no parameter "selfplay.full_plyouts" (did you mean full_playouts?)'),
    ],
)
def test_a_preset_is_refused(
    text: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    preset = tmp_path / "odd.toml"
    preset.write_text(text)
    said = refusal(("train", "--preset", str(preset), "--runs", str(tmp_path / "runs")), monkeypatch, capsys)
    assert said == f"error: {sentence}"
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("mcts:threads=-2", "threads must be a whole number from 1 to 256, not -2"),
        ("mcts:playouts=-5", "playouts must be a whole number from 1 to 1,000,000,000, not -5"),
        ("mcts:c_puct=nan", "c_puct must be a number from 0.001 to 1,000, not nan"),
        ("mcts:memory=0", "memory must be a whole number from 262,144 to 1,099,511,627,776, not 0"),
        ("mcts:prior_temperature=0", "prior_temperature must be a number from 0.01 to 100, not 0.0"),
        ("alphabeta:depth=2,k=-1", "width must be a whole number from 0 to 484, not -1"),
        ("alphabeta:hash=0", "hash must be a whole number from 1 to 65,536, not 0"),
        ("alphabeta:time=inf", "time must be a number above 0 and up to 1,000,000,000, not inf"),
        ("dqn:model=a,epsilon=2", "epsilon must be a number from 0 to 1, not 2.0"),
    ],
)
def test_a_spec_is_refused(
    spec: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refusal(("match", spec, "random", "--games", "2"), monkeypatch, capsys)
    assert said == f'error: player "{spec}": {sentence}'


def test_an_option_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    said = refusal(("dqn", "train", "--boards", "0"), monkeypatch, capsys)
    assert said == "error: --boards must be a whole number from 1 to 65,536, not 0"
    said = refusal(("dqn", "train", "--n-in-row", "16"), monkeypatch, capsys)
    assert said == "error: n_in_row is from 3 to the board's size, not 16"
