"""Who works on a proof: the threads of this process, or others, who are asked question by question.

Only one search knows the proof, whoever helps. Each question takes some milliseconds and says all that is needed to
answer it, so helpers know nothing of the proof, may come and go, and may serve one proof after the other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from tengen import core
from tengen.proof.prove import Effort, Proof
from tengen.theory import Claim

#: A job has one question more for each so many that have been answered, up to the most. A short proof is narrow: most
#: of what is asked in advance is not worth an answer. A long one is wide, and messages cost time.
_ANSWERS_A_QUESTION = 1_000
_MOST_QUESTIONS = 32


class Hands(Protocol):
    """Those who work."""

    @property
    def seconds(self) -> float:
        """Processor time that they have taken for all their proofs."""

    def work(self, proof: Proof, seconds: float) -> list[core.ProofEvent]:
        """Works for some seconds, or until the proof is done or stuck; gives what was learnt."""


class OwnThreads:
    """The threads of the proof itself."""

    @property
    def seconds(self) -> float:
        """Of this process: what else the machine does is no matter."""
        return time.process_time()

    def work(self, proof: Proof, seconds: float) -> list[core.ProofEvent]:
        """See `Hands`."""
        return proof.run(seconds)


@dataclass(frozen=True)
class Answers:
    """What a helper found out.

    Attributes:
        events: That follow from each question.
        nodes: Of the solver.
        seconds: Processor time.
    """

    events: Sequence[list[core.ProofEvent]]
    nodes: int
    seconds: float


@dataclass(frozen=True)
class Helper:
    """Makes what answers questions, on whatever machine.

    Attributes:
        claim: One with the rule, the size and the winner of the proofs that ask.
        effort: Of the solver.
    """

    claim: Claim
    effort: Effort

    def __call__(self) -> Callable[[list[core.ProofQuestion]], Answers]:
        """Gives what does a job; what it remembers of one helps with the next."""
        proof = Proof(self.claim, self.effort)

        def answer(questions: list[core.ProofQuestion]) -> Answers:
            nodes, start = proof.solver_nodes, time.process_time()
            events = [proof.answer(question) for question in questions]
            return Answers(events, proof.solver_nodes - nodes, time.process_time() - start)

        return answer


Spread: TypeAlias = Callable[[Helper, Iterator[tuple[int, Any] | None]], Iterator[tuple[int, Any]]]
"""Does jobs, given what makes their worker, and gives the results with their keys, in any order, each once. It asks for
the next job when somebody is there to do it; None says that there is none before the next result."""


class Helpers:
    """Others, on whatever machines. To be closed."""

    def __init__(self, spread: Spread, helper: Helper) -> None:
        """Nothing begins before there is work.

        Args:
            spread: Gives them jobs.
            helper: What they do.
        """
        self._proof: Proof | None = None
        self._ready: dict[int, core.ProofQuestion] = {}  # the next job
        self._asked: dict[int, list[int]] = {}  # the numbers of the questions of each that somebody has
        self._jobs = 0
        self._answered = 0
        self._seconds = 0.0
        self._results = spread(helper, self._give())

    def close(self) -> None:
        """Sends them home."""
        if hasattr(self._results, "close"):
            self._results.close()

    @property
    def seconds(self) -> float:
        """Of all of them together."""
        return self._seconds

    def work(self, proof: Proof, seconds: float) -> list[core.ProofEvent]:
        """See `Hands`."""
        if proof is not self._proof:  # what is still under way for another one is of no use any more
            self._proof, self._ready, self._asked, self._answered = proof, {}, {}, 0
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not proof.done and (self._asked or self._prepare()):
            self._take(proof, *next(self._results))
        return proof.take_events()

    def _prepare(self) -> bool:
        """Whether there is a job to give."""
        if not self._ready and self._proof is not None:
            self._ready = self._proof.ask(min(_MOST_QUESTIONS, 1 + self._answered // _ANSWERS_A_QUESTION))
        return bool(self._ready)

    def _give(self) -> Iterator[tuple[int, list[core.ProofQuestion]] | None]:
        while True:
            if not self._prepare():
                yield None
                continue
            self._jobs += 1
            self._asked[self._jobs] = list(self._ready)
            questions, self._ready = list(self._ready.values()), {}
            yield self._jobs, questions

    def _take(self, proof: Proof, job: int, answers: Answers) -> None:
        self._seconds += answers.seconds
        if numbers := self._asked.pop(job, None):
            self._answered += len(numbers)
            proof.learn(dict(zip(numbers, answers.events, strict=True)), answers.nodes)
