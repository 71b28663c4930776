"""Game records and the sample buffer: what goes in comes out, and damage is noticed."""

from __future__ import annotations

import collections
import functools
import math
import time
from types import SimpleNamespace

import numpy as np
import numpy.typing as npt
import pytest

from tengen import Board, core
from tengen.nets.planes import plane_spec
from tengen.search import SearchParams
from tengen.train.params import SelfPlayParams


def play_games(seconds_at_most: float = 30.0, wanted: int = 6, **changes: object) -> bytes:
    params = SelfPlayParams(
        **{"rules": ("freestyle", "renju"), "sizes": (9, 11), "full_playouts": 40, "fast_playouts": 10, **changes}  # type: ignore[arg-type]
    )
    pool = core.SelfPlayPool(
        core.UniformEvaluator(), params, params.kinds(), SearchParams(memory=8 << 20), threads=2, seed=5
    )
    games = b""
    for _ in range(int(seconds_at_most / 0.1)):
        games += pool.take_games(0.1)
        if len(core.read_games(games)) >= wanted:
            break
    pool.stop()
    return games + pool.take_games(0)


@pytest.fixture(scope="module", params=[0, 8], ids=["puct", "gumbel"])
def games(request: pytest.FixtureRequest) -> bytes:
    return play_games(gumbel_moves=request.param)


@pytest.mark.parametrize("game", ["gomoku", "othello6"])
def test_games_under_way_go_on_in_another_pool(game: str) -> None:
    evaluator = core.UniformEvaluator()
    params = SelfPlayParams(game=game, sizes=(9,), full_playouts=200, full_share=1.0, opening_stones=2)

    pool = functools.partial(core.SelfPlayPool, evaluator, params, params.kinds(), SearchParams(memory=8 << 20), 4)

    first = pool(1)
    while sum(len(game.samples) for game in core.read_games(first.games_under_way)) < 8:
        time.sleep(0.001)
    first.stop()
    begun = core.read_games(first.games_under_way)
    assert begun
    for record in begun:
        assert record.result == 2  # as a game that was broken off
        assert len(record.samples) <= len(record.moves) - record.opening_plies
    second = pool(2, begun=b"".join(record.data for record in begun))
    games: list[core.GameRecord] = []
    while not all(any(_goes_on(record, later) for later in games) for record in begun):
        games += core.read_games(second.take_games(1.0))
    second.stop()


def _goes_on(game: core.GameRecord, later: core.GameRecord) -> bool:
    plies = len(game.moves)
    return (
        later.moves[:plies] == game.moves
        and later.opening_plies == game.opening_plies
        and later.samples[: len(game.samples)] == game.samples
        and [ply for ply, _, _ in later.samples] == sorted({ply for ply, _, _ in later.samples})
    )


@pytest.mark.parametrize(("stones", "share"), [(7, 0.0), (7, 0.25), (7, 1.0), (0, 0.0)])
def test_as_many_games_begin_with_an_empty_board_as_are_asked_for(stones: int, share: float) -> None:
    data = play_games(
        wanted=200, sizes=(9,), full_playouts=2, fast_playouts=2, opening_stones=stones, opening_empty=share
    )
    games = core.read_games(data)
    empty = sum(game.opening_plies == 0 for game in games) / len(games)
    assert empty == (1 if stones == 0 else pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / len(games))))


@pytest.mark.parametrize("gumbel_moves", [0, 8])
def test_positions_that_surprise_are_recorded_more_often_and_others_less(gumbel_moves: int) -> None:
    games = core.read_games(
        play_games(
            wanted=60, rules=("freestyle",), gumbel_moves=gumbel_moves, root_noise=0, full_share=1, surprise_share=1
        )
    )
    # The priors are even, so the surprise of a search is what its policy lacks of the largest entropy.
    times: collections.Counter[int] = collections.Counter()
    sharpness = collections.defaultdict(list)
    for game in games:
        recorded = collections.Counter(ply for ply, _, visits in game.samples if len(visits) > 1)
        for ply, visits in {ply: visits for ply, _, visits in game.samples if len(visits) > 1}.items():
            weights = np.array([weight for _, weight in visits]) / sum(weight for _, weight in visits)
            sharpness[recorded[ply]].append(float((weights * np.log(weights)).sum()))
        for ply in range(game.opening_plies, len(game.moves) - 10):  # before anything is proven
            times[recorded[ply]] += 1
    assert times[0] > 0
    assert sum(count for number, count in times.items() if number > 1) > 0
    everything = sum(number * count for number, count in times.items()) / sum(times.values())
    assert everything == pytest.approx(1, abs=0.35)
    often = [sharp for number, each in sharpness.items() if number > 1 for sharp in each]
    assert np.mean(often) > np.mean(sharpness[1])


@pytest.mark.parametrize("loose", [0.0, 1.0])
def test_the_stones_of_openings_are_close_or_loose(loose: float) -> None:
    games = core.read_games(
        play_games(wanted=40, sizes=(15,), rules=("freestyle",), full_playouts=2, fast_playouts=2, opening_loose=loose)
    )
    farthest, edges = 0, 0
    for game in games:
        stones = [divmod(cell, 15) for cell in game.moves[: game.opening_plies]]
        edges += any(not 2 <= coordinate <= 12 for stone in stones for coordinate in stone)
        for i, (y, x) in enumerate(stones[1:], start=1):
            farthest = max(farthest, min(max(abs(y - b), abs(x - a)) for b, a in stones[:i]))
    assert farthest == (4 if loose else 2)
    assert edges == 0 or not loose


def test_games_follow_the_rules(games: bytes) -> None:
    for game in core.read_games(games):
        board = Board(width=game.width, height=game.height, rule=game.rule.name)
        for cell in game.moves:
            board.push(board._move(cell))
        outcome = board.outcome()
        if outcome is not None and outcome.winner is not None:
            assert game.result == (1 if outcome.winner == 0 else -1)
        assert game.opening_plies <= len(game.moves)
        for ply, value, visits in game.samples:
            assert game.opening_plies <= ply <= len(game.moves)
            assert -1 <= value <= 1
            stones = set(game.moves[:ply])
            assert not stones & {move for move, _ in visits}


def test_a_file_cut_off_anywhere_is_good_up_to_the_last_whole_game(games: bytes) -> None:
    whole = core.read_games(games)
    for cut in (1, 7, 100, len(games) // 2, len(games) - 1):
        part = core.read_games(games[:cut])
        assert len(part) < len(whole)
        assert [game.moves for game in part] == [game.moves for game in whole[: len(part)]]


def test_a_flipped_byte_is_noticed(games: bytes) -> None:
    rng = np.random.default_rng(1)
    whole = [game.moves for game in core.read_games(games)]
    for position in rng.integers(0, len(games), 60):
        damaged = bytearray(games)
        damaged[position] ^= 0x40
        assert len(core.read_games(bytes(damaged))) < len(whole)


def test_the_buffer_gives_positions_from_the_movers_view(games: bytes) -> None:
    buffer = core.SampleBuffer(10_000)
    assert buffer.add(games) == len(games)
    assert buffer.positions == sum(len(game.samples) for game in core.read_games(games))
    groups = buffer.sample(200, 1.0, 3)
    assert sum(len(group["stones"]) for group in groups) == 200
    for group in groups:
        own = (group["stones"] == 1).sum(1)
        opponents = (group["stones"] == 2).sum(1)
        # Black, who moved first, has as many stones as white when it is to move, and white one fewer than black.
        assert ((opponents - own) == group["turns"]).all()
        totals = group["policy"].sum(1)
        assert (np.isclose(totals, 1, atol=1e-5) | (totals == 0)).all()
        assert (group["policy"][group["stones"] > 0] == 0).all()
        assert np.allclose(group["outcome"].sum(1), 1, atol=1e-5)


def test_the_buffer_drops_the_oldest_games(games: bytes) -> None:
    buffer = core.SampleBuffer(10_000)
    buffer.add(games)
    before = buffer.positions
    buffer.set_capacity(before // 2)
    assert 0 < buffer.positions <= before // 2
    buffer.add(games)
    assert buffer.positions <= before // 2


def test_p_opposition_plays_the_opponents_points() -> None:
    params = SelfPlayParams(
        sizes=(9,), full_playouts=30, fast_playouts=10, opposition_threshold=1.0, opposition_probability=1.0
    )
    search = SearchParams(memory=8 << 20)
    pool = core.SelfPlayPool(core.UniformEvaluator(), params, params.kinds(), search, threads=1, seed=2)
    while pool.counts.games < 3:
        pool.take_games(0.1)
    pool.stop()
    assert pool.counts.opposition_moves > 0


@pytest.mark.parametrize(("head", "opposes"), [(-0.8, True), (0.8, False)])
def test_p_opposition_goes_by_the_value_head(head: float, opposes: bool) -> None:
    """S0: the search's value, which is of the other sign here after the first reply, does not matter."""

    def answer(planes: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        return np.zeros((len(planes), 81), np.float32), np.full(len(planes), head, np.float32)

    queue = core.BatchQueue(answer, plane_spec("s4").planes, 9, 9, moves=81, max_batch=4, patience=0.002)
    evaluator = core.BatchedEvaluator(queue, plane_spec("s4"), False, 1)
    params = SelfPlayParams(
        sizes=(9,), full_playouts=8, fast_playouts=2, opposition_threshold=-0.5, opposition_probability=1.0
    )
    search = SearchParams(memory=1 << 20)
    pool = core.SelfPlayPool(evaluator, params, params.kinds(), search, threads=1, seed=2)
    while pool.counts.games < 1:
        pool.take_games(0.1)
    pool.stop()
    assert (pool.counts.opposition_moves > 0) == opposes


@pytest.mark.parametrize("gumbel_moves", [0, 8])
def test_playouts_are_counted_that_were_made(gumbel_moves: int) -> None:
    """A proof ends a search, and there is nothing to search in the rest of a game that is proven."""
    params = SelfPlayParams(
        sizes=(9,),
        full_share=1.0,
        full_playouts=100,
        opening_stones=0,
        gumbel_moves=gumbel_moves,
        adjudicated_share=0.0,
    )
    pool = core.SelfPlayPool(
        core.ExpertEvaluator(), params, params.kinds(), SearchParams(memory=8 << 20), threads=1, seed=2
    )
    while pool.counts.games < 5:
        pool.take_games(0.1)
    pool.stop()
    assert 0 < pool.counts.playouts < 100 * pool.counts.moves


def test_kept_playouts_may_count() -> None:
    """Then a quick search after a full one has little left to do."""

    def playouts_a_move(count_kept: bool) -> float:
        params = SelfPlayParams(sizes=(9,), full_playouts=100, fast_playouts=50, opening_tries=1, count_kept=count_kept)
        search = SearchParams(memory=8 << 20)
        pool = core.SelfPlayPool(core.ExpertEvaluator(), params, params.kinds(), search, threads=1, seed=2)
        while pool.counts.games < 10:
            pool.take_games(0.1)
        pool.stop()
        return float(pool.counts.playouts / pool.counts.moves)

    assert playouts_a_move(count_kept=True) < 0.9 * playouts_a_move(count_kept=False)


@pytest.mark.parametrize(
    ("what", "changes", "search", "threads"),
    [
        ("at least one thread", {}, {}, 0),
        ("at least one thread", {}, {}, -3),
        ("a rule and a size", {"kinds": []}, {}, 1),
        ("full_playouts must be at least 1", {"full_playouts": 0}, {}, 1),
        ("opening_stones must be at least 0", {"opening_stones": -1}, {}, 1),
        ("root_noise must be a finite number", {"root_noise": math.nan}, {}, 1),
        ("c_puct must be a finite number", {}, {"c_puct": math.inf}, 1),
        ("threads must be at least 1", {}, {"threads": 0}, 1),
        ("1 to 22 points a side", {"width": 30}, {}, 1),
    ],
)
def test_the_core_refuses_what_it_cannot_play(
    what: str, changes: dict[str, object], search: dict[str, object], threads: int
) -> None:
    """Whatever was checked above it: such values were a crash or an endless wait."""
    params = SelfPlayParams(sizes=(9,))
    kind = SimpleNamespace(rule=core.Rule.freestyle, n_in_row=5, width=changes.pop("width", 9), height=9, game="gomoku")
    given = SimpleNamespace(**{**vars(params), "kinds": [kind], **changes})
    how = SimpleNamespace(**{**vars(SearchParams(memory=8 << 20)), **search})
    with pytest.raises(ValueError, match=what):
        core.SelfPlayPool(core.UniformEvaluator(), given, given.kinds, how, threads, 1)


def test_a_pool_refuses_new_parameters_that_its_network_cannot_play() -> None:
    params = SelfPlayParams(sizes=(9,), full_playouts=10, fast_playouts=5)
    pool = core.SelfPlayPool(core.UniformEvaluator(), params, params.kinds(), SearchParams(memory=8 << 20), 1, 1)
    with pytest.raises(ValueError, match="a rule and a size"):
        pool.set_params(params, [])
    pool.stop()


def test_selfplay_with_one_thread_and_a_seed_is_reproducible() -> None:
    def first_game() -> list[int]:
        params = SelfPlayParams(sizes=(9,), full_playouts=30, fast_playouts=10, threads=1)
        kinds = params.kinds()
        search = SearchParams(memory=8 << 20)
        pool = core.SelfPlayPool(core.UniformEvaluator(), params, kinds, search, threads=1, seed=9)
        games = b""
        while not core.read_games(games):
            games += pool.take_games(0.1)
        pool.stop()
        return list(core.read_games(games)[0].moves)

    assert first_game() == first_game()


@functools.cache
def tic_tac_toe_value(moves: tuple[int, ...]) -> int:
    """For the side to move: 1, 0 or -1."""
    game = core.make_game("tictactoe")
    for move in moves:
        game.play(move)
    if game.result != core.Result.open:
        return 0 if game.result == core.Result.draw else -1
    return max(-tic_tac_toe_value((*moves, move)) for move in game.legal_moves)


def test_long_gumbel_searches_teach_the_best_moves() -> None:
    """With enough playouts for proofs, only moves that keep the result are learned from."""
    params = SelfPlayParams(game="tictactoe", full_playouts=3000, full_share=1.0, gumbel_moves=9, opening_stones=5)
    pool = core.SelfPlayPool(
        core.UniformEvaluator(), params, params.kinds(), SearchParams(memory=8 << 20), threads=1, seed=4
    )
    games = b""
    while len(core.read_games(games)) < 20:
        games += pool.take_games(0.1)
    pool.stop()
    learned = 0
    for game in core.read_games(games):
        for ply, value, visits in game.samples:
            before = tuple(game.moves[:ply])
            best = tic_tac_toe_value(before)
            assert round(value) == best
            assert bool(visits) == (best >= 0), "nothing is to be learned about the moves of a lost position"
            assert all(-tic_tac_toe_value((*before, move)) == best for move, _ in visits)
            learned += len(visits)
    assert learned > 20


def test_nonsense_is_no_game() -> None:
    assert core.read_games(b"") == []
    assert core.read_games(bytes(100)) == []
    assert core.read_games(np.random.default_rng(2).bytes(5000)) == []


def test_a_batch_has_positions_by_one_rule_and_all_rules_get_their_turn() -> None:
    buffer = core.SampleBuffer(10_000)
    for rule in ("freestyle", "renju"):
        buffer.add(play_games(rules=(rule,), wanted=2, full_share=1.0))
    drawn = [buffer.sample(20, 1.0, seed) for seed in range(40)]
    rules = [{core.Rule(int(rule)) for group in groups for rule in group["rules"]} for groups in drawn]
    assert all(len(of_batch) == 1 for of_batch in rules)
    assert set.union(*rules) == {core.Rule.freestyle, core.Rule.renju}
