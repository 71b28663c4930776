"""Specs: what they accept, and that whatever they refuse is one clear sentence."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from tengen.errors import SetupError
from tengen.parameters import Parameters, Spec
from tengen.players import KINDS, Player, check, describe, fingerprint, with_keys
from tengen.players.spec import Kind, keys_of, read_spec


class ToyParameters(Parameters):
    depth: Annotated[int, Field(ge=1, le=30), Spec(also="plies")] = 6
    time: Annotated[float | None, Field(gt=0)] = None
    fast: bool = False
    mode: Literal["a", "b"] = "a"
    file: str = ""


class CommandParameters(Parameters):
    command: Annotated[str, Spec(verbatim=True)]
    time: Annotated[float, Field(gt=0)] = 1.0


class BareParameters(Parameters):
    pass


class FileParameters(Parameters):
    model: str


def unbuildable(parameters: Any, name: str, seed: int | None) -> Player:
    raise AssertionError("these kinds are only parsed")


TOYS = {
    "toy": Kind("toy", "Everything.", ToyParameters, unbuildable),
    "run": Kind("run", "A command.", CommandParameters, unbuildable),
    "file": Kind("file", "A required key.", FileParameters, unbuildable),
    "bare": Kind("bare", "Nothing.", BareParameters, unbuildable),
}


def read(spec: str) -> Parameters:
    return read_spec(spec, TOYS)[1]


@pytest.mark.parametrize(
    ("spec", "parameters"),
    [
        ("toy", ToyParameters()),
        ("  toy  ", ToyParameters()),
        ("toy:depth=4", ToyParameters(depth=4)),
        ("toy:plies=4", ToyParameters(depth=4)),
        ("toy: depth = 4 , time = 0.5", ToyParameters(depth=4, time=0.5)),
        ("toy:time=2", ToyParameters(time=2.0)),
        ("toy:time=1e-3", ToyParameters(time=0.001)),
        ("toy:fast=true", ToyParameters(fast=True)),
        ("toy:fast=Off", ToyParameters(fast=False)),
        ("toy:mode=b", ToyParameters(mode="b")),
        ("toy:file=/a b/c=d.bin", ToyParameters(file="/a b/c=d.bin")),
        ('toy:file="a,b",depth=2', ToyParameters(file="a,b", depth=2)),
        ("toy:file='say \"a\", b'", ToyParameters(file='say "a", b')),
        ('toy:file="say ""a"""', ToyParameters(file='say "a"')),
        ("toy:file=it's", ToyParameters(file="it's")),
        ("toy:file=", ToyParameters(file="")),
        ("bare", BareParameters()),
        ("file:model=x", FileParameters(model="x")),
        ("run:engine --a=1,2 'b c'", CommandParameters(command="engine --a=1,2 'b c'")),
        ("run:time=0.5,engine x", CommandParameters(command="engine x", time=0.5)),
        ("run:THREADS=2 engine", CommandParameters(command="THREADS=2 engine")),
        ("run:C:\\engine.exe", CommandParameters(command="C:\\engine.exe")),
    ],
)
def test_accepts(spec: str, parameters: Parameters) -> None:
    assert read(spec) == parameters


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("", 'there is no player ""; the players are toy, run, file, bare'),
        ("tov", 'there is no player "tov" (did you mean toy?); the players are toy, run, file, bare'),
        ("Toy", 'there is no player "Toy" (did you mean toy?); the players are toy, run, file, bare'),
        (
            "toy:dept=4",
            'player "toy:dept=4": toy has no key "dept" (did you mean depth?); '
            "its keys are depth, time, fast, mode, file",
        ),
        ("bare:a=1", 'player "bare:a=1": bare has no key "a"; it has no keys'),
        ("toy:depth=0", 'player "toy:depth=0": depth must be a whole number from 1 to 30, not 0'),
        ("toy:depth=31", 'player "toy:depth=31": depth must be a whole number from 1 to 30, not 31'),
        ("toy:depth=-1", 'player "toy:depth=-1": depth must be a whole number from 1 to 30, not -1'),
        ("toy:depth=four", 'player "toy:depth=four": depth must be a whole number from 1 to 30, not "four"'),
        ("toy:depth=1.5", 'player "toy:depth=1.5": depth must be a whole number from 1 to 30, not "1.5"'),
        ("toy:depth=", 'player "toy:depth=": depth must be a whole number from 1 to 30, not ""'),
        ("toy:time=0", 'player "toy:time=0": time must be a number above 0, not 0.0'),
        ("toy:time=-1", 'player "toy:time=-1": time must be a number above 0, not -1.0'),
        ("toy:time=nan", 'player "toy:time=nan": time must be a number above 0, not nan'),
        ("toy:time=inf", 'player "toy:time=inf": time must be a number above 0, not inf'),
        ("toy:fast=maybe", 'player "toy:fast=maybe": fast must be true or false, not "maybe"'),
        ("toy:mode=c", 'player "toy:mode=c": mode must be one of a, b, not "c"'),
        ("toy:depth=1,depth=2", 'player "toy:depth=1,depth=2": depth is given twice'),
        ("toy:depth=1,plies=2", 'player "toy:depth=1,plies=2": depth is given twice'),
        (
            "toy:",
            'player "toy:": after the colon comes key=value; its keys are depth, time, fast, mode, file',
        ),
        ("toy:4", 'player "toy:4": "4" is not key=value; put a value with commas in quotes'),
        ("toy:depth=4,", 'player "toy:depth=4,": "" is not key=value; put a value with commas in quotes'),
        (
            'toy:file="a',
            'player "toy:file="a": "file="a" is not key=value; put a value with commas in quotes',
        ),
        ("file", 'player "file": file needs model=MODEL'),
        ("file:model=", 'player "file:model=": file needs model=MODEL'),
        ("run", 'player "run": run needs COMMAND'),
        ("run:", 'player "run:": run needs COMMAND'),
        ("run:time=0,x", 'player "run:time=0,x": time must be a number above 0, not 0.0'),
        ("run:x -a,time=3", 'player "run:x -a,time=3": time= comes before the command, not after it'),
    ],
)
def test_refuses_with_a_sentence(spec: str, sentence: str) -> None:
    with pytest.raises(SetupError) as error:
        read(spec)
    assert str(error.value) == sentence


def test_parameters_check_themselves_in_python_too() -> None:
    with pytest.raises(SetupError, match="depth must be a whole number from 1 to 30, not True"):
        ToyParameters(depth=True)
    with pytest.raises(SetupError, match="depth must be a whole number"):
        ToyParameters(depth=2.0)  # type: ignore[arg-type]
    with pytest.raises(SetupError, match="file must be text"):
        ToyParameters(file=3)  # type: ignore[arg-type]


SPEC_LIKE = st.one_of(
    st.text(),
    st.lists(
        st.one_of(
            st.sampled_from([*KINDS, *(key for kind in KINDS.values() for key in keys_of(kind.parameters))]),
            st.sampled_from([":", "=", ",", '"', "'", " ", "0", "-1", "1e999", "nan", "9" * 5000, "true", "\n", "٣"]),
            st.text(max_size=3),
        )
    ).map("".join),
)


@given(SPEC_LIKE)
def test_any_text_is_a_spec_or_a_setup_error(text: str) -> None:
    for kinds in (KINDS, TOYS):
        try:
            kind, parameters = read_spec(text, kinds)
        except SetupError:
            continue
        assert isinstance(parameters, kind.parameters)


@given(st.text(), st.sampled_from("\"'"))
def test_quoting_carries_any_text(text: str, quote: str) -> None:
    quoted = quote + text.replace(quote, 2 * quote) + quote
    assert read(f"toy:depth=2,file={quoted}") == ToyParameters(depth=2, file=text)


def test_describe_names_every_kind_and_explains_every_key() -> None:
    overview = describe()
    for kind in KINDS.values():
        assert kind.summary in overview
        details = " ".join(describe(kind.name).split())
        for key in keys_of(kind.parameters).values():
            assert key.field.description, f"{kind.name} {key.name}"
            assert f"{' '.join(key.field.description.split())} Allowed: " in details
    with pytest.raises(SetupError, match="there is no player"):
        describe("nobody")


@pytest.mark.parametrize(
    "spec",
    [
        "tengen",
        "tengen:playouts=1500",
        "tengen:time=1.0",
        "alphabeta:depth=6,vct=8",
        "mcts:playouts=10000",
        "mcts-expert:playouts=10000",
        "random",
        "net:model=PATH,playouts=400",
    ],
)
def test_the_documented_specs_are_right(spec: str) -> None:
    assert check(f" {spec} ") == spec


def test_a_kind_says_which_network_its_players_use(tmp_path: Path) -> None:
    model = tmp_path / "a.safetensors"
    model.write_bytes(b"one")
    shipped = fingerprint("tengen", "freestyle", 15)
    assert shipped is not None
    assert fingerprint("level:5", "freestyle", 15) == shipped
    assert fingerprint(f"tengen:model={model}", "freestyle", 15) not in (None, shipped)
    for kind in KINDS.values():  # one that is added tomorrow has its checksum too
        if "model" in keys_of(kind.parameters):
            assert fingerprint(f"{kind.name}:model={model}", "freestyle", 15) == hashlib.sha256(b"one").hexdigest()
    assert fingerprint("alphabeta", "freestyle", 15) is None
    assert fingerprint(f"net:model={tmp_path / 'missing'}", "freestyle", 15) is None


@pytest.mark.parametrize(
    ("spec", "result"),
    [
        ("tengen", "tengen:time=0.02"),
        ("tengen:c_puct=2", "tengen:time=0.02,c_puct=2"),
        ("engine:pbrain --fast, now", "engine:time=0.02,pbrain --fast, now"),
        ("build:path=before,tengen:c_puct=2", "build:path=before,tengen:time=0.02,c_puct=2"),
        ("build:path=before,tengen", "build:path=before,tengen:time=0.02"),
    ],
)
def test_keys_are_put_into_a_spec(spec: str, result: str) -> None:
    assert with_keys(spec, {"time": 0.02}) == result


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("random", 'player "random": random has no key "time"; it has no keys'),
        ("level:5", 'level has no key "time"'),
        ("tengen:time=1", "time is given twice"),
        ("build:path=before,random", 'random has no key "time"'),
    ],
)
def test_keys_that_a_player_cannot_take_are_refused(spec: str, sentence: str) -> None:
    with pytest.raises(SetupError, match=sentence):
        with_keys(spec, {"time": 0.02})
