"""The tree search behind the engine."""

from __future__ import annotations

import math
import os
import random
import threading
import time
from collections.abc import Callable, Iterable
from concurrent import futures
from dataclasses import replace
from pathlib import Path

from tengen import core
from tengen.board import Board, Move
from tengen.protocol.engine import Answer, Question
from tengen.protocol.settings import Settings
from tengen.search import Analysis, Mcts, SearchParams
from tengen.thinking import openings
from tengen.thinking.evaluators import default_evaluator
from tengen.thinking.levels import Level
from tengen.thinking.thought import Budget, Thinking

#: Of the process without its tree (interpreter, core, tables of the network) where the system does not tell.
BASE_MEMORY = 128 << 20
#: What threads and reports may still need on top of what was measured.
SPARE_MEMORY = 32 << 20
MIN_TREE, MAX_TREE = 4 << 20, 1 << 30
#: When a tree is cut down to what is still of use, old and new exist for a moment.
TREE_SHARE = 0.45
#: Bytes that are useful for each second a move: more would only be slow to cut down.
TREE_PER_SECOND = 256 << 20
#: Nodes of the root's searches for threats for each second a move: the search sees its clock, but has other work too.
ROOT_NODES_PER_SECOND = 40_000
#: So long after the deadline the answer is what is known: on a busy machine a thread that computes may have to wait for
#: a processor longer than a move may take. One that slept, and needs nothing that others hold, gets it at once.
PATIENCE_SECONDS = 0.004
#: How often a search tells what it has found, if it was asked to.
DETAIL_SECONDS = 0.5

MakeEvaluator = Callable[[str, int], core.Evaluator]


class Thinker:
    """Answers questions. Key method: `think`. One thread uses it; only `interrupt` may be called by others."""

    def __init__(
        self,
        make_evaluator: MakeEvaluator = default_evaluator,
        now: Callable[[], float] = time.monotonic,
        level: Level | None = None,
        seed: int | None = None,
    ) -> None:
        """A thinker without a tree.

        Args:
            make_evaluator: What judges positions, for a rule and a size.
            now: The clock that deadlines are told by.
            level: Plays at this level of the web board; None plays as well as the settings allow.
            seed: Of the level's chance and of opening stones; None plays differently every time.
        """
        self._level = level
        self._seed = random.getrandbits(53) if seed is None else seed
        self._make_evaluator = make_evaluator
        self._now = now
        self._loader = futures.ThreadPoolExecutor(1)
        self._loading: tuple[tuple[str, int], futures.Future[tuple[core.Evaluator, int]]] | None = None
        self._stand_in = core.ExpertEvaluator()
        self._search: Mcts | None = None
        self._key: object = None
        self._board: Board | None = None
        self._base = BASE_MEMORY
        self._stop = threading.Event()
        self._tell: Callable[[str], None] | None = None
        self._thinking: Thinking | None = None

    def think(
        self,
        question: Question,
        stop: threading.Event | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> Answer:
        """The answer to a question; whatever happens, a legal move where a move is asked for.

        Args:
            question: The question.
            stop: Set it, and then call `interrupt`, for an answer now.
            tell: Called from another thread with what the search has found so far, if the manager wants to know.
        """
        self._stop = stop or threading.Event()
        self._tell = tell
        try:
            if question.kind == "prepare":
                self._search_for(question, math.inf)
                return Answer()
            if question.kind == "swap2":
                return self._swap2(question)
            return self._move(question)
        except Exception as error:  # a lost game is better than no answer, and a move is better than a lost game
            if question.kind == "move" and (moves := question.board.legal_moves):
                return Answer((moves[0],), (f"the search failed: {error}",))
            return Answer(error=str(error) or type(error).__name__)

    def anticipate(self, question: Question) -> None:
        """Begins to make ready what the questions of such a game need, and does not wait for it."""
        self._load_for(question.board)

    def ponder(self, board: Board, stop: threading.Event) -> None:
        """Thinks about a position of the opponent's until it is interrupted."""
        if self._search is not None:
            self._stop = stop
            self._begin(self._search, board, Budget(), 1).run()

    def settle(self, board: Board) -> None:
        """Takes over a position that was reached by the engine's own move, so that cutting the tree costs no time."""
        if self._search is not None and board.is_same_game(self._board):
            self._search.set_position(board)

    def interrupt(self) -> None:
        """Ends the search that runs; call it after setting the flag that `think` or `ponder` was given."""
        if (thinking := self._thinking) is not None:
            thinking.stop()

    # -- the search

    def _search_for(self, question: Question, patience: float | None = None) -> Mcts:
        """A search for a question.

        Args:
            question: The question.
            patience: How many seconds to wait for the network; half of the time if not given.
        """
        board = question.board
        if patience is None:
            patience = max(0.0, (question.deadline - self._now()) / 2)
        evaluator = self._evaluator_for(board, patience)
        params = search_params(question.settings, self._base)
        key = (question.game, board.width, board.height, board.rule, params, evaluator)
        if self._search is None or key != self._key:
            self._search = None  # its memory first
            self._search = Mcts(evaluator, params)
            self._search.set_position(board)
            self._key = key
            self._board = board
        return self._search

    def _evaluator_for(self, board: Board, patience: float) -> core.Evaluator:
        """The network, or the expert evaluation while the network's tables are not ready.

        Managers name the rule after START, and some ask for a move in the same moment: tables of another rule take
        longer than a short move may last.
        """
        try:
            evaluator, self._base = self._load_for(board).result(None if patience == math.inf else patience)
        except futures.TimeoutError:
            return self._stand_in
        return evaluator

    def _load_for(self, board: Board) -> futures.Future[tuple[core.Evaluator, int]]:
        key = board.rule, max(board.width, board.height)
        if self._loading is None or self._loading[0] != key:
            self._search = None  # so that the tree is not measured
            self._loading = key, self._loader.submit(self._load, board)
        return self._loading[1]

    def _load(self, board: Board) -> tuple[core.Evaluator, int]:
        """An evaluator that is ready for use, and how many bytes the process needs with it but without a tree."""
        evaluator = self._make_evaluator(board.rule, max(board.width, board.height))
        _warm_up(evaluator, board)
        resident = _resident_memory()
        return evaluator, resident + SPARE_MEMORY if resident else BASE_MEMORY

    def _begin(self, search: Mcts, board: Board, budget: Budget, best: int) -> Thinking:
        return self._attend(Thinking(board, search, budget, best=best))

    def _attend(self, thinking: Thinking) -> Thinking:
        self._thinking = thinking
        if self._stop.is_set():  # before there was anything to stop
            thinking.stop()
        return thinking

    def _look(self, search: Mcts, board: Board, settings: Settings, deadline: float, best: int) -> Analysis:
        search.set_position(board)  # before the clock is read: it may have to cut the tree
        seconds = max(1e-3, deadline - self._now())
        budget = Budget(playouts=settings.playouts, seconds=seconds, depth=settings.max_depth)
        tell = self._tell if settings.show_detail else None
        return self._begin(search, board, budget, best).run(
            PATIENCE_SECONDS, DETAIL_SECONDS, tell and (lambda found: tell(_summary(board, found)))
        )

    def _move(self, question: Question) -> Answer:
        board, settings = question.board, question.settings
        if self._level is not None:
            return self._move_of_level(self._level, question)
        if board.ply == 0:
            return Answer((Move(board.width // 2, board.height // 2),))
        search = self._search_for(question)
        analysis = self._look(search, board, settings, question.deadline, max(1, question.best))
        move = analysis.candidates[0].move
        messages: list[str] = []
        if question.best:
            messages = list(_best_lines(board, analysis))
        elif settings.show_detail:
            messages = [_summary(board, analysis)]
        return Answer((move,), tuple(messages))

    def _move_of_level(self, level: Level, question: Question) -> Answer:
        seconds = max(1e-3, min(level.seconds, question.deadline - self._now()))
        turn = replace(level, seconds=seconds).turn(question.board, self._seed)
        self._attend(turn.thinking).run(PATIENCE_SECONDS)
        return Answer((turn.move(),))

    def _swap2(self, question: Question) -> Answer:
        search = self._search_for(question)
        start = self._now()

        def think(board: Board, share: float) -> Analysis:
            deadline = min(question.deadline, self._now() + share * (question.deadline - start))
            return self._look(search, board, question.settings, deadline, 1)

        return Answer(openings.swap2(question.board, think, random.Random(self._seed)))


def _warm_up(evaluator: core.Evaluator, like: Board) -> None:
    """Makes everything that is made at its first use: a network's tables, for either side to move.

    They took 150 ms of the first move, more than a whole move may last; and they belong to the memory that is measured.
    """
    board = Board(width=like.width, height=like.height, rule=like.rule)
    for stone in (Move(like.width // 2, like.height // 2), Move(like.width // 2 - 1, like.height // 2)):
        board.push(stone)
        Mcts(evaluator, SearchParams(memory=MIN_TREE)).search(board, playouts=1)


def search_params(settings: Settings, base: int = BASE_MEMORY) -> SearchParams:
    """How to search within the limits of a manager.

    Args:
        settings: The limits.
        base: Bytes that the process needs without a tree.
    """
    seconds = settings.timeout_turn / 1000
    memory = min(MAX_TREE, max(32 << 20, int(seconds * TREE_PER_SECOND)))
    if settings.max_memory:
        memory = min(memory, int(TREE_SHARE * (settings.max_memory - base)))
    if settings.hash_size:
        memory = min(memory, settings.hash_size << 10)
    nodes = min(20_000, max(1000, int(seconds * ROOT_NODES_PER_SECOND)))
    return SearchParams(
        threads=settings.thread_num,
        memory=max(MIN_TREE, memory),
        vcf_nodes_root=nodes,
        vct_nodes_root=nodes,
        vct_nodes_answer=nodes,
    )


def _resident_memory() -> int:
    """Bytes of this process that are in memory, 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _summary(board: Board, analysis: Analysis) -> str:
    line = " ".join(board.text(move) for move in analysis.candidates[0].line)
    return (
        f"depth {analysis.depth} playouts {analysis.playouts} ms {1000 * analysis.seconds:.0f} "
        f"winrate {100 * analysis.win_rate:.1f}% line {line}"
    )


def _best_lines(board: Board, analysis: Analysis) -> Iterable[str]:
    for rank, candidate in enumerate(analysis.candidates, 1):
        line = " ".join(board.text(move) for move in candidate.line)
        yield (
            f"({rank}) {candidate.move.x},{candidate.move.y} winrate {50 * (1 + candidate.value):.1f}% "
            f"visits {candidate.visits} line {line}"
        )
