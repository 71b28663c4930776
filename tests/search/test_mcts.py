"""The tree search: right moves, honest counts, limits, reuse, and the same result from the same seed."""

from __future__ import annotations

import os
import random
import threading
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tengen import Board, Color, GameOverError, SetupError, core
from tengen.nets.line_random import random_network
from tengen.nets.planes import plane_spec
from tengen.search import Analysis, Mcts, SearchParams
from tengen.search.params import NoiseAt, Selection

MODES = [
    SearchParams(threads=1),
    SearchParams(threads=1, graph=False),
    SearchParams(threads=3, parallelism="tree"),
    SearchParams(threads=3, parallelism="tree", in_flight="virtual-loss"),
    SearchParams(threads=3, parallelism="root"),
    SearchParams(threads=3, parallelism="leaf"),
    SearchParams(threads=1, selection="uct", c_puct=1.2, threats=False),
]
MODE_NAMES = ["one thread", "no graph", "tree", "virtual loss", "root", "leaf", "uct"]
each_mode = pytest.mark.parametrize("params", MODES, ids=MODE_NAMES)


def rollout_search(params: SearchParams) -> Mcts:
    return Mcts(core.RolloutEvaluator(params.seed), params)


def random_game(rng: random.Random, plies: int, **keywords: object) -> Board:
    """A position after random moves near each other, not over."""
    while True:
        board = Board(**keywords)  # type: ignore[arg-type]
        for _ in range(plies):
            near = [board._move(cell) for cell in board._core.candidates()]
            legal = [move for move in near if board.is_legal(move)] or board.legal_moves
            if not legal:
                break
            board.push(rng.choice(legal))
        if not board.is_over:
            return board


@each_mode
def test_plays_the_winning_move(params: SearchParams) -> None:
    board = Board.from_moves("h8 a1 h9 a2 h10 a3 h11 a4")
    search = rollout_search(params)
    search.search(board, playouts=2000)
    assert board.text(search.best_move()) in ("h12", "h7")


@each_mode
def test_blocks_a_four(params: SearchParams) -> None:
    board = Board.from_moves("h8 h7 h9 a2 h10 a4 h11")
    search = rollout_search(params)
    search.search(board, playouts=3000)
    assert board.text(search.best_move()) == "h12"


@each_mode
def test_an_open_four_is_a_proven_loss_for_the_other_side(params: SearchParams) -> None:
    board = Board.from_moves("h8 a1 h9 a2 h10 a4 h11")
    analysis = rollout_search(params).search(board, playouts=30_000)
    assert analysis.value < -0.9
    if params.threats:
        assert analysis.proof == "loss"


@each_mode
def test_counts_add_up(params: SearchParams) -> None:
    board = Board.from_moves("h8 i9 h9")
    analysis = rollout_search(params).search(board, playouts=600, best=500)
    assert 600 <= analysis.playouts <= 600 + params.threads
    assert analysis.visits == analysis.playouts
    roots = params.threads if params.parallelism == "root" else 1
    first_visit = params.threads if params.parallelism in ("root", "leaf") else 1
    assert sum(candidate.visits for candidate in analysis.candidates) == analysis.visits - first_visit
    assert roots >= 1
    assert len({candidate.move for candidate in analysis.candidates}) == len(analysis.candidates)


def snapshot(analysis: Analysis) -> list[tuple[object, ...]]:
    return [(c.move, c.visits, c.value, c.prior, c.proof, c.line) for c in analysis.candidates]


@pytest.mark.parametrize("params", [MODES[0], MODES[6]], ids=["puct", "uct"])
@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_one_thread_and_a_seed_reproduce_the_search(params: SearchParams, rule: str) -> None:
    board = random_game(random.Random(5), 12, rule=rule)
    noisy = SearchParams(**{**vars(params), "root_noise": 0.25, "seed": 7})
    runs = [rollout_search(noisy).search(board, playouts=800, best=300) for _ in range(2)]
    assert snapshot(runs[0]) == snapshot(runs[1])
    other_seed = SearchParams(**{**vars(noisy), "seed": 8})
    assert snapshot(rollout_search(other_seed).search(board, playouts=800, best=300)) != snapshot(runs[0])


def solve(board: Board) -> int:
    """Plain minimax: 1, 0 or -1 for the side to move."""
    outcome = board.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else -1
    best = -1
    for move in board.legal_moves:
        board.push(move)
        best = max(best, -solve(board))
        board.pop()
        if best == 1:
            break
    return best


@each_mode
@pytest.mark.parametrize("rule", ["freestyle", "standard", "caro"])  # renju is played with five in a row alone
def test_proofs_agree_with_minimax_on_small_boards(params: SearchParams, rule: str) -> None:
    rng = random.Random(11)
    proven = 0
    for n_in_row, width, height, plies in ((3, 3, 3, 2), (3, 4, 3, 5), (4, 4, 4, 8), (3, 5, 3, 7)):
        for _ in range(6):
            board = random_game(rng, plies, width=width, height=height, n_in_row=n_in_row, rule=rule)
            analysis = rollout_search(params).search(board, playouts=20_000)
            exact = {"win": 1, "draw": 0, "loss": -1}
            if analysis.proof is not None:
                proven += 1
                assert exact[analysis.proof] == solve(board), repr(board)
    assert proven >= 15


def test_in_caro_a_five_is_also_stopped_at_its_ends() -> None:
    # Black makes five at c8 and at h8; a stone at h8 closes both rows, one at c8 only the first.
    board = Board.from_stones(["d8", "e8", "f8", "g8"], ["b8", "a1", "o1"], turn=Color.WHITE, rule="caro")
    search = Mcts(core.UniformEvaluator())
    assert search.search(board, playouts=100).proof is None
    assert search.best_move() == board.parse_move("h8")
    board.push("h8")
    assert not board.shapes(Color.BLACK).get(board.parse_move("c8"), ()), board


@pytest.mark.parametrize("first", ["a1", "b2", "a2"])
def test_tic_tac_toe_is_proven_a_draw(first: str) -> None:
    board = Board.from_moves(first, size=3, n_in_row=3)
    analysis = rollout_search(SearchParams()).search(board, playouts=200_000)
    assert analysis.proof == "draw"


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju", "caro"])
def test_never_plays_an_illegal_move(rule: str) -> None:
    rng = random.Random(3)
    for size in (5, 7, 9, 15):
        for _ in range(8):
            board = random_game(rng, rng.randrange(0, min(40, size * size - 6)), size=size, rule=rule)
            search = Mcts(core.UniformEvaluator(), SearchParams(threads=2))
            search.search(board, playouts=60)
            assert board.is_legal(search.best_move())


def test_black_never_plays_a_forbidden_point_even_if_it_is_the_only_block() -> None:
    # White threatens five at h8, where black would make an overline.
    black = ["e8", "f8", "g8", "i8", "j8", "k8"]
    white = ["h9", "h10", "h11", "h12", "a1", "a3"]
    board = Board.from_stones(black, white, turn=Color.BLACK, rule="renju")
    assert not board.is_legal("h8")
    analysis = Mcts(core.UniformEvaluator()).search(board, playouts=50)
    assert analysis.proof == "loss" or not board.forbidden_points()


def test_keeps_the_tree_between_moves() -> None:
    board = Board.from_moves("h8 i9 h9")
    search = rollout_search(SearchParams())
    first = search.search(board, playouts=2000)
    reply = first.candidates[0]
    board.push(reply.move)
    second = search.search(board, playouts=100)
    assert second.visits == reply.visits + 100
    board.pop()
    assert search.search(board, playouts=100).visits == 100, "going back starts anew"


def test_keeps_the_tree_when_memory_is_compacted() -> None:
    board = Board.from_moves("h8 i9 h9")
    search = rollout_search(SearchParams(memory=1 << 20))
    first = search.search(board, playouts=1_000_000)
    assert first.playouts < 1_000_000, "the budget ends the search"
    reply = first.candidates[0]
    board.push(reply.move)
    assert search.search(board, playouts=50).visits >= reply.visits + 50


@pytest.mark.parametrize("threads", [1, 2])
def test_what_earlier_moves_left_behind_is_freed_when_memory_runs_out(threads: int) -> None:
    """The first search takes less than half of the budget, and little of it is of use for the second."""
    params = SearchParams(memory=4 << 20, threads=threads, threats=False)
    board = Board.from_moves("h8 i9 h9")
    search = Mcts(core.UniformEvaluator(), params)
    first = search.search(board, playouts=3000)
    assert first.memory < params.memory / 2
    board.push(first.candidates[0].move)
    needed = Mcts(core.UniformEvaluator(), params).search(board, playouts=8000)
    assert needed.memory > params.memory - first.memory, "it only fits without the first tree"
    assert needed.ended == "playouts"
    analysis = search.search(board, playouts=8000, best=500)
    assert analysis.ended == "playouts"
    assert analysis.memory <= params.memory
    assert sum(candidate.visits for candidate in analysis.candidates) == analysis.visits - 1


@pytest.mark.parametrize("threads", [1, 3])
def test_memory_budget_is_respected(threads: int) -> None:
    for budget in (1 << 18, 1 << 20, 1 << 22):
        params = SearchParams(memory=budget, threads=threads)
        analysis = Mcts(core.UniformEvaluator(), params).search(Board.from_moves("h8"), playouts=10_000_000)
        assert analysis.memory <= max(budget, (1 << 18) * 9 // 8)
        assert analysis.playouts < 10_000_000
        assert analysis.candidates


def test_stops_from_another_thread() -> None:
    search = rollout_search(SearchParams(threads=2))
    board = Board.from_moves("h8")
    search.set_position(board)
    stopper = threading.Timer(0.2, search.stop)
    stopper.start()
    analysis = search.search(board, seconds=60)
    assert analysis.seconds < 30
    assert board.is_legal(search.best_move())


def test_reports_while_it_runs() -> None:
    search = rollout_search(SearchParams(threads=2))
    board = Board.from_moves("h8 i9")
    search.set_position(board)
    worker = threading.Thread(target=lambda: search.search(board, seconds=0.6))
    worker.start()
    seen = []
    while worker.is_alive():
        analysis = search.analysis(3)
        seen.append(analysis.playouts)
        for candidate in analysis.candidates:
            assert -1.01 <= candidate.value <= 1.01
        time.sleep(0.02)
    worker.join()
    assert len(set(seen)) > 3


def test_a_stopped_search_still_has_a_move() -> None:
    search = rollout_search(SearchParams())
    search.search(Board(), playouts=1)
    assert search.best_move() == (7, 7)


def test_bad_limits_are_refused() -> None:
    search = rollout_search(SearchParams())
    for limits in ({"playouts": -1}, {"seconds": -0.5}, {}):
        with pytest.raises(SetupError):
            search.search(Board(), **limits)  # type: ignore[arg-type]
    finished = Board.from_moves("h8 a1 h9 a2 h10 a3 h11 a4 h12")
    with pytest.raises(GameOverError):
        search.search(finished, playouts=10)


@pytest.mark.parametrize(
    ("name", "value"),
    [("threads", 0), ("c_puct", -1.0), ("memory", 0), ("parallelism", "forest"), ("root_noise", 1.5), ("seed", -1)],
)
def test_bad_parameters_name_the_key(name: str, value: object) -> None:
    with pytest.raises(SetupError, match=name):
        SearchParams(**{name: value})  # type: ignore[arg-type]


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_an_impatient_search_tells_what_it_knows_and_ends_later() -> None:
    board = Board.from_moves("h8 i9")
    for _ in range(20):
        search = Mcts(core.UniformEvaluator(), SearchParams(memory=16 << 20))
        assert search.search(board, seconds=0.003, patience=1e-9).visits >= 1
        assert search.best_move() in board.legal_moves
        assert search.search(board, playouts=50).playouts == 50
    with pytest.raises(SetupError, match="patience"):
        search.search(board, seconds=1.0, patience=-1.0)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux's /proc")
def test_a_thousand_searches_leave_nothing_behind() -> None:
    """Each search has a new position and half of them a new searcher; the memory stays what the first hundred took."""
    rng = random.Random(3)
    evaluator = core.NetworkEvaluator(random_network(4, 32, 1))
    params = SearchParams(memory=64 << 20)
    kept = Mcts(evaluator, params)
    before = 0
    for number in range(1000):
        searcher = kept if number % 2 else Mcts(evaluator, params)
        searcher.search(random_game(rng, 10), playouts=10_000)
        if number == 100:
            before = resident_bytes()
    assert resident_bytes() - before < 16 << 20


def test_an_only_move_is_judged_if_that_is_wanted() -> None:
    board = Board.from_moves("h8 g8 i8 a2 j8 a3 k8")
    assert Mcts(core.ExpertEvaluator()).search(board, playouts=50).playouts == 1
    analysis = Mcts(core.ExpertEvaluator()).search(board, playouts=50, only_move_ends=False)
    assert analysis.playouts == 50
    (only,) = analysis.candidates
    assert (board.text(only.move), only.visits) == ("l8", 50)
    assert len(only.line) > 2


def test_a_lost_game_is_lost_with_a_legal_move() -> None:
    """White threatens five at f6, which is forbidden for black."""
    board = Board.from_moves("f5 f3 e6 g7 c8 g4 h9 c9 b9 d7 d9 g5 g6 e7 c7 h7 f7 d8", size=9, rule="renju")
    assert board.forbidden_points() == [board.parse_move("f6")]
    searcher = Mcts(core.UniformEvaluator())
    analysis = searcher.search(board, playouts=100)
    assert analysis.proof == "loss"
    assert board.is_legal(searcher.best_move())


@pytest.mark.parametrize("selection", ["puct", "uct"])
def test_virtual_loss_spreads_threads_by_its_coefficient(selection: Selection) -> None:
    """S0: the score less the visits under way times a coefficient."""
    board = Board.from_moves("e5", size=9)

    def share_of_d6(virtual_loss: float) -> float:
        params = SearchParams(
            selection=selection,
            c_puct=0.3,
            threads=4,
            in_flight="virtual-loss",
            virtual_loss=virtual_loss,
            threats=False,
        )
        analysis = Mcts(fond_of_a_point(), params).search(board, playouts=600, best=100)
        return next(c.visits for c in analysis.candidates if board.text(c.move) == "d6") / analysis.playouts

    assert share_of_d6(1e-6) > 2 * share_of_d6(100.0)


def fond_of_a_point() -> core.Evaluator:
    """Likes d6, and values what it leads to; waits until all threads ask, so that visits are under way."""

    def answer(planes: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        logits = np.zeros((len(planes), 81), np.float32)
        logits[:, 3 * 9 + 3] = 4.0
        stones = planes[:, :2, 3, 3]  # own and the opponent's
        return logits, (stones[:, 0] - stones[:, 1]) * 0.5

    spec = plane_spec("s4")
    queue = core.BatchQueue(answer, spec.planes, 9, 9, moves=81, max_batch=16, patience=60)
    return core.BatchedEvaluator(queue, spec, False, 1)


def test_noise_at_the_root_is_new_with_every_search_and_in_expansions_it_stays() -> None:
    """S3 adds 0.25 of Dir(0.3) wherever it expands a position."""
    board = Board.from_moves("e5", size=9)

    def priors(search: Mcts) -> dict[str, float]:
        found = search.search(board, playouts=40, best=100).candidates
        return {board.text(candidate.move): candidate.prior for candidate in found}

    places: list[tuple[NoiseAt, bool]] = [("root", False), ("expansions", True)]
    for noise_at, stays in places:
        params = SearchParams(root_noise=0.25, root_noise_total_alpha=0.3 * 24, noise_at=noise_at, threats=False)
        search = Mcts(core.UniformEvaluator(), params)
        first, second = priors(search), priors(search)
        assert len(first) > 1, "of the 24 points around the stone"
        assert all(prior >= 0.75 / 24 - 1e-6 for prior in first.values())
        assert max(first.values()) > 1.5 * min(first.values())
        known = first.keys() & second.keys()
        assert (all(first[move] == second[move] for move in known)) == stays


def test_noise_in_expansions_reaches_below_the_root() -> None:
    params = SearchParams(root_noise=0.25, noise_at="expansions", threats=False)
    search, board = Mcts(core.UniformEvaluator(), params), Board.from_moves("e5", size=9)
    analysis = search.search(board, playouts=400)
    child = board.copy()
    child.push(analysis.candidates[0].move)
    kept = search.search(child, playouts=1, best=100).candidates
    assert len({round(candidate.prior, 6) for candidate in kept}) > 1, "the tree was kept: its priors had noise before"


def test_without_proofs_the_end_of_a_game_is_a_value_among_others() -> None:
    """As in AlphaGo Zero and the documents: a losing move keeps its visits, and nothing is ever certain."""
    board = Board.from_moves("h8 h7 h9 a2 h10 a4 h11")
    found = {}
    for proofs in (True, False):
        params = SearchParams(proofs=proofs, threats=False, vcf_nodes_root=0, vct_nodes_root=0, vct_nodes_answer=0)
        search = Mcts(core.UniformEvaluator(), params)
        analysis = search.search(board, playouts=6000, best=300)
        found[proofs] = [candidate.proof for candidate in analysis.candidates]
        assert board.text(search.best_move()) == "h12"
    assert "loss" in found[True]
    assert set(found[False]) == {None}
