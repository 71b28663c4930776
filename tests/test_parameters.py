"""Parameters: whatever is given is refused in one sentence, or works."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field

from tengen import Board, SetupError, core
from tengen.dqn.params import DqnParams
from tengen.nets.presets import ResidualConfig
from tengen.parameters import Parameters, Phrase, Sequence, Table, fields_of
from tengen.players import KINDS
from tengen.search import AlphaBeta, AlphaBetaParams, Mcts, SearchParams
from tengen.train.params import (
    EvaluationParams,
    LearnParams,
    RunParams,
    SelfPlayParams,
    SelfPlaySearchParams,
    at,
    from_dict,
    to_dict,
)


class Engine(Parameters):
    threads: Annotated[int, Field(ge=1, le=256)] = 1
    """Number of threads."""
    speed: Annotated[float, Field(gt=0)] = 1.0
    """How fast."""
    sizes: Annotated[tuple[Annotated[int, Field(ge=3, le=22)], ...], Field(min_length=1), Sequence] = (15,)
    """Boards."""
    mode: Literal["calm", "wild"] = "calm"
    """How."""
    start: Annotated[int | None, Field(ge=1, le=9), Phrase("a day of the week")] = None
    """When."""


class FastEngine(Engine):
    speed = 3.0


class Car(Parameters):
    name: str
    engine: Annotated[FastEngine, Table] = FastEngine()

    def __post_init__(self) -> None:
        if self.name == "Car":
            raise SetupError("a car needs a better name")


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({}, "name must be given"),
        ({"name": 3}, "name must be text, not 3"),
        ({"name": "Car"}, "a car needs a better name"),
        ({"name": "a", "engine": 3}, "engine must be a table of parameters, not 3"),
        ({"name": "a", "engine": Engine()}, "engine must be a table of parameters, not Engine(threads=1, speed=1.0"),
        ({"name": "a", "engnie": {}}, 'there is no parameter "engnie" (did you mean engine?)'),
        ({"name": "a", "engine": {"thread": 2}}, 'there is no parameter "engine.thread" (did you mean threads?)'),
        ({"name": "a", "engine": {"self": 2}}, 'there is no parameter "engine.self"'),
        ({"name": "a", "engine": {"threads": -2}}, "engine.threads must be a whole number from 1 to 256, not -2"),
        ({"name": "a", "engine": {"threads": True}}, "engine.threads must be a whole number from 1 to 256, not True"),
        ({"name": "a", "engine": {"threads": "2"}}, 'engine.threads must be a whole number from 1 to 256, not "2"'),
        ({"name": "a", "engine": {"threads": 2.0}}, "engine.threads must be a whole number from 1 to 256, not 2.0"),
        ({"name": "a", "engine": {"speed": float("nan")}}, "engine.speed must be a number above 0, not nan"),
        ({"name": "a", "engine": {"speed": float("inf")}}, "engine.speed must be a number above 0, not inf"),
        ({"name": "a", "engine": {"sizes": []}}, "engine.sizes must have at least one entry"),
        (
            {"name": "a", "engine": {"sizes": 15}},
            "engine.sizes must be a list, each entry a whole number from 3 to 22, not 15",
        ),
        (
            {"name": "a", "engine": {"sizes": [15, 30]}},
            "each entry of engine.sizes must be a whole number from 3 to 22, not 30",
        ),
        ({"name": "a", "engine": {"mode": "mad"}}, 'engine.mode must be one of calm, wild, not "mad"'),
        ({"name": "a", "engine": {"start": 0}}, "engine.start must be a day of the week, not 0"),
    ],
)
def test_what_is_wrong_is_one_sentence(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SetupError) as error:
        Car(**values)
    assert str(error.value).startswith(sentence)


def test_a_new_default_keeps_limits_and_meaning() -> None:
    assert FastEngine().speed == 3.0
    assert fields_of(FastEngine)["speed"].description == "How fast."
    with pytest.raises(SetupError, match="speed must be a number above 0"):
        FastEngine(speed=0.0)


def test_replacing_checks_again() -> None:
    with pytest.raises(SetupError, match="threads must be a whole number from 1 to 256, not 0"):
        dataclasses.replace(Engine(), threads=0)


def test_files_give_lists_and_tables() -> None:
    assert Car(name="a", engine={"sizes": [9, 15], "speed": 2}).engine == FastEngine(sizes=(9, 15), speed=2.0)  # type: ignore[arg-type]


# -- every class of parameters: random values of random fields

CLASSES: tuple[type[Parameters], ...] = (
    *(SearchParams, AlphaBetaParams, SelfPlayParams, SelfPlaySearchParams, LearnParams, EvaluationParams),
    *(RunParams, DqnParams, ResidualConfig),
    *(kind.parameters for kind in KINDS.values() if fields_of(kind.parameters)),
)
ODD: tuple[Any, ...] = (
    *(None, True, False, "", "auto", "cdua", "nan", (), [], {}, [[]], [15], [0.5, 1], [[0.0, 1], [1.0, 2]]),
    *(0, -1, -2, 1, 2, 3, 2**31, 2**32, 2**63, 2**64, -(2**63), 10**30),
    *(0.0, -0.0, 0.5, 1e-320, 1e-30, 1e300, -1e300, float("nan"), float("inf"), -float("inf")),
)
VALUES = st.one_of(
    st.sampled_from(ODD), st.integers(), st.floats(), st.text(max_size=5), st.lists(st.integers(), max_size=3)
)


def limits(cls: type[Parameters], name: str) -> list[Any]:
    """The least and the most that a field allows, and its choices."""
    field = fields_of(cls)[name]
    bounds = [getattr(item, bound) for item in field.metadata for bound in ("ge", "le") if hasattr(item, bound)]
    return [*bounds, *getattr(field.annotation, "__args__", ())] or [field.default]


@st.composite
def changes(draw: st.DrawFn, cls: type[Parameters]) -> dict[str, Any]:
    names = draw(st.lists(st.sampled_from(list(fields_of(cls))), min_size=1, max_size=3, unique=True))
    return {name: draw(st.one_of(st.sampled_from(limits(cls, name)), VALUES)) for name in names}


REQUIRED = {"model": "a", "command": "a", "number": 3, "encoding": "s2", "width": 9, "height": 9, "stem": (8,)}


def build(cls: type[Any], given: dict[str, Any]) -> Any:
    """The parameters, or None if they are refused as they should be."""
    required = {name for name, field in fields_of(cls).items() if field.is_required()}
    try:
        return cls(**{**{name: REQUIRED.get(name, 1) for name in required}, **given})
    except SetupError as refused:
        sentence = str(refused)
    assert len(sentence.splitlines()) == 1
    assert "pydantic" not in sentence
    return None


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@given(data=st.data())
@settings(deadline=None)
def test_any_value_is_allowed_or_a_sentence(cls: type[Parameters], data: st.DataObject) -> None:
    params = build(cls, data.draw(changes(cls)))
    if params is not None:
        for name, field in fields_of(cls).items():
            value = getattr(params, name)
            assert not isinstance(value, float) or abs(value) < 1e15, f"{name} has no limit"
            assert not isinstance(value, int) or abs(value) < 2**64, f"{name} has no limit"
            assert field.description, f"{name} has no meaning"


@given(given=changes(SearchParams))
@settings(deadline=None, max_examples=60)
def test_a_search_works_with_all_that_is_allowed(given: dict[str, Any]) -> None:
    params = build(SearchParams, given)
    if params is not None:
        board = Board.from_moves("c3 b2", size=5)
        # How much a machine has room for is its own affair: see the next test.
        search = Mcts(core.RolloutEvaluator(1), dataclasses.replace(params, memory=min(params.memory, 1 << 28)))
        search.search(board, playouts=20, seconds=10.0)
        assert board.is_legal(search.best_move())


def test_a_tree_that_there_is_no_room_for_is_a_sentence() -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))\n"
        "from tengen import Board, core\n"
        "from tengen.search import Mcts, SearchParams\n"
        "try: Mcts(core.UniformEvaluator(), SearchParams(memory=1 << 33)).search(Board(), playouts=20)\n"
        "except ValueError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "there is no room for a tree of 8,192 MB; choose a smaller memory\n", done.stderr


@given(given=changes(AlphaBetaParams))
@settings(deadline=None, max_examples=60)
def test_alpha_beta_works_with_all_that_is_allowed(given: dict[str, Any]) -> None:
    params = build(AlphaBetaParams, given)
    if params is not None:
        board = Board.from_moves("c3 b2", size=5)
        small = dataclasses.replace(params, hash=1, nodes=min(params.nodes or 500, 500), time=params.time or 10.0)
        assert board.is_legal(AlphaBeta(small).search(board).move)


@given(selfplay=changes(SelfPlayParams), search=changes(SelfPlaySearchParams))
@settings(deadline=None, max_examples=40)
def test_self_play_works_with_all_that_is_allowed(selfplay: dict[str, Any], search: dict[str, Any]) -> None:
    params = build(SelfPlayParams, {"sizes": (7,), **selfplay})
    how = build(SelfPlaySearchParams, search)
    if params is None or how is None:
        return
    few = dataclasses.replace(
        params,
        full_playouts=min(8, round(at(params.full_playouts, 0.5))),
        fast_playouts=min(4, round(at(params.fast_playouts, 0.5))),
        opening_tries=min(8, params.opening_tries),
    )
    evaluator = core.UniformEvaluator()
    pool = core.SelfPlayPool(
        evaluator,
        few,
        few.kinds(),
        dataclasses.replace(how, threads=min(2, how.threads), memory=min(1 << 28, how.memory)),
        1,
        5,
    )
    games = b""
    for _ in range(600):
        games += pool.take_games(0.1)
        if games:
            break
    pool.stop()
    assert core.read_games(games), "a game comes to its end"


# -- runs of older versions


def test_a_run_of_an_older_version_goes_on_as_it_began() -> None:
    stored = to_dict(RunParams(minutes=7.0, seed=3))
    for part, name in (
        *(("selfplay", "longest_game"), ("selfplay", "opening_loose"), ("selfplay", "gumbel_moves")),
        *(("learn", "hidden"), ("learn", "optimizer"), ("search", "vct_nodes_answer")),
    ):
        del stored[part][name]
    del stored["evaluation"]
    stored["learn"]["architecture"] = "line"
    stored["gate_games"] = 20
    params = from_dict(stored)
    assert (params.minutes, params.seed) == (7.0, 3)
    assert (params.selfplay.longest_game, params.selfplay.opening_loose, params.selfplay.gumbel_moves) == (1.0, 0.0, 0)
    assert (params.learn.hidden, params.learn.optimizer) == (64, "adam")
    assert params.search.vct_nodes_answer == 0
    assert params.evaluation.minutes == 0
    assert from_dict(to_dict(params)) == params


def test_a_new_run_has_the_defaults_of_today() -> None:
    assert from_dict(to_dict(RunParams())) == RunParams()
    assert RunParams().learn.optimizer == "muon"


def test_damaged_parameters_of_a_run_are_one_sentence() -> None:
    with pytest.raises(SetupError, match="learn must be a table of parameters, not 3"):
        from_dict({"learn": 3})
