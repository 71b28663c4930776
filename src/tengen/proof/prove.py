"""A proof under way."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tengen import core
from tengen.board import Board
from tengen.errors import InputError, SetupError
from tengen.proof.folder import ProofFolder
from tengen.theory import Certificate, Claim
from tengen.theory.symmetry import Stones, images, stones_of
from tengen.thinking.evaluators import best_evaluator


@dataclass(frozen=True)
class Effort:
    """How much the solver may spend on one question, in its nodes, and the tree search on a position.

    Attributes:
        position_nodes: A win by threats in a position that is to be expanded.
        pass_nodes: What the winner threatens after a move.
        reply_nodes: A win by threats after one reply.
        playouts: Of the tree search that says which moves are promising, the first time; more where it is stuck.
        guided: Whether the network tells the solver where to look.
    """

    position_nodes: int = 30_000
    pass_nodes: int = 30_000
    reply_nodes: int = 3_000
    playouts: int = 4_000
    guided: bool = True

    def __post_init__(self) -> None:
        for name in ("position_nodes", "pass_nodes", "reply_nodes", "playouts"):
            if getattr(self, name) < 1:
                raise SetupError(f"{name} must be at least 1, not {getattr(self, name)}")


@dataclass(frozen=True)
class Reply:
    """How far the proof is after one of the loser's replies.

    Attributes:
        move: The reply.
        proven: Whether the winner is proven to win.
        cost: A guess at the work left, in positions.
    """

    move: str
    proven: bool
    cost: float


class Proof:
    """A search for a proof, with all that a folder remembers of it."""

    def __init__(self, claim: Claim, effort: Effort | None = None, threads: int = 1) -> None:
        self.claim = claim
        self.effort = effort or Effort()
        root, only_move = claim.root, claim.only_move
        cell = -1 if only_move is None else claim.cell(root.text(only_move))
        self._core = core.Prover(root._core, cell, best_evaluator(root), self.effort, threads)
        self._nodes_elsewhere = 0

    @classmethod
    def resume(
        cls,
        folder: ProofFolder,
        effort: Effort | None = None,
        threads: int = 1,
        advice: Iterable[Certificate] = (),
    ) -> Proof:
        """The proof that a folder holds.

        Args:
            folder: With what was learnt so far.
            effort: Of the solver.
            threads: That work on it.
            advice: What won in positions like the claim's, the most like it first: it is tried first here too.
        """
        proof = cls(folder.claim, effort, threads)
        for certificate in advice:
            proof._take_advice(certificate)
        for event in folder.events():
            proof._core.replay(event)
        return proof

    def _take_advice(self, certificate: Certificate) -> None:
        """Puts the claim's stones in the place of those of another claim, wherever these are."""
        own, others = ({*_stones(claim.root)} for claim in (self.claim, certificate.claim))
        gone, come = others - own, own - others
        for text, point in certificate.positions.items():
            read = certificate.claim.read_position(text)
            stones = [(cell, color) for color, cells in enumerate(read) for cell in cells]
            move = certificate.claim.cell(point)
            for image in images(self.claim.size):
                turned = {(image[cell], color) for cell, color in stones}
                after = (turned - gone) | come
                cells = {cell for cell, _ in after}
                if others <= turned and len(cells) == len(stones) and image[move] not in cells:
                    by_color = tuple(sorted(cell for cell, color in after if color == wanted) for wanted in (0, 1))
                    self._core.advise(core.ProofPosition(by_color), image[move])

    def run(self, seconds: float) -> list[core.ProofEvent]:
        """Works for some seconds, or until it is done or stuck; returns what was learnt."""
        return self._core.run(seconds)

    def take_events(self) -> list[core.ProofEvent]:
        """What a run learnt that was interrupted."""
        return self._core.take_events()

    def ask(self, most: int) -> dict[int, core.ProofQuestion]:
        """The most promising questions, for others to answer, by the numbers with which `learn` knows them.

        What is asked is not asked again, so there may be fewer, or none.
        """
        return dict(itertools.islice(iter(self._core.ask, None), most))

    def learn(self, answers: Mapping[int, list[core.ProofEvent]], nodes: int) -> None:
        """Learns what others found out with so many nodes of the solver; `take_events` has it, too."""
        self._nodes_elsewhere += nodes
        for number, events in answers.items():
            self._core.learn(number, events)

    def answer(self, question: core.ProofQuestion) -> list[core.ProofEvent]:
        """Answers a question of another proof by the same rule, of the same winner and with the same effort."""
        return self._core.answer(question)

    @property
    def done(self) -> bool:
        """Whether the claim is proven."""
        return self._core.root.proven

    @property
    def cost(self) -> float:
        """A guess at the work left, in positions; infinite when nothing is left to try."""
        return self._core.root.cost

    @property
    def positions(self) -> int:
        """Positions with the winner to move that the search knows."""
        return self._core.positions

    @property
    def proven(self) -> int:
        """... of which so many are proven."""
        return self._core.proven

    @property
    def solver_nodes(self) -> int:
        """Nodes that the solver has spent since the proof was opened, here and elsewhere."""
        return self._core.solver_nodes + self._nodes_elsewhere

    def node(self, board: Board) -> core.ProofNode | None:
        """What is known of a position with the winner to move."""
        return self._core.find(board._core)

    def replies(self, board: Board) -> list[Reply]:
        """The loser's replies that threats did not answer at once, each once up to symmetry, hardest first."""
        found = {}
        after = board.copy()
        for move in board.legal_moves:
            after.push(move)
            node = self.node(after)
            if node is not None and node.position.key not in found:
                found[node.position.key] = (move, node)
            after.pop()
        replies = [Reply(board.text(move), node.proven, node.cost) for move, node in found.values()]
        return sorted(replies, key=lambda reply: (reply.proven, -reply.cost))

    def certificate(self, claim: Claim | None = None) -> Certificate:
        """The certificate of the claim, or of another one that the search has proven on its way.

        Raises:
            InputError: It is not proven.
        """
        claim = claim or self.claim
        node = self.node(claim.root)
        if node is None or not node.proven:
            raise InputError(f"{claim} is not proven yet")
        positions = {
            claim.write_position(found.position.stones): claim.point(found.winner)
            for found in self._core.proof_of(node)
        }
        return Certificate(claim, positions, self._limit())

    def _limit(self) -> int:
        effort = self.effort
        return max(effort.position_nodes, effort.pass_nodes, effort.reply_nodes)


def _stones(board: Board) -> Stones:
    return stones_of(board.moves, board.width)
