"""Checking a certificate, from the rules alone."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from tengen import core
from tengen.errors import InputError
from tengen.proof.joined import with_positions
from tengen.proof.prove import Effort, Proof
from tengen.theory import Certificate, Claim
from tengen.theory.lengths import UnansweredError, measure
from tengen.thinking.evaluators import best_evaluator

#: The solver gets more nodes than the certificate says: what it remembers from before shifts them from case to case.
SLACK = 4
#: What a search has found with the help of all that it remembered may take so many times its nodes without.
_RAISES = (1, 4, 16)


@dataclass(frozen=True)
class Report:
    """What was checked.

    Attributes:
        fault: The first thing that is wrong, as a sentence, or None.
        positions: Positions of the certificate.
        replies: The loser's replies at them, all of which were looked at.
        by_threats: ... of these, answered by threats rather than by another position.
        trees: Trees of threats that the solver showed for them.
        tree_positions: Positions within these trees, one for each reply that a tree was tried on.
        tree_replies: The loser's replies there.
        seconds: Time taken.
    """

    fault: str | None
    positions: int
    replies: int
    by_threats: int
    trees: int
    tree_positions: int
    tree_replies: int
    seconds: float


def check(certificate: Certificate) -> Report:
    """Walks through every reply at every position; where threats win, has the solver show how and verifies that.

    Raises:
        InputError: The certificate has something that is not a position with a move.
    """
    return _walk(certificate)[0]


def _walk(certificate: Certificate) -> tuple[Report, core.ProofFault | None]:
    claim = certificate.claim
    root, only_move = claim.root, claim.only_move
    start = time.perf_counter()
    checker = core.ProofChecker(root._core, best_evaluator(root), certificate.nodes * SLACK)
    for text, move in certificate.positions.items():
        if not checker.add(core.ProofPosition(claim.read_position(text)), claim.cell(move)):
            raise InputError(f'the position "{text}" is in the certificate twice')
    found = checker.check(root._core, -1 if only_move is None else claim.cell(root.text(only_move)))
    fault = _sentence(certificate, found) if found is not None else None
    if fault is None and checker.reached < checker.positions:
        fault = f"{checker.positions - checker.reached} positions of the certificate are never reached"
    report = Report(
        fault,
        checker.reached,
        checker.replies,
        checker.by_threats,
        checker.trees,
        checker.tree_positions,
        checker.tree_replies,
        time.perf_counter() - start,
    )
    return report, found


def confirmed(certificate: Certificate) -> tuple[Certificate, Report]:
    """The certificate with nodes that suffice without what the search remembered, and what the checker saw.

    The report has a fault if no number of nodes will do.
    """
    for factor in _RAISES:
        raised = replace(certificate, nodes=factor * certificate.nodes)
        report = check(raised)
        if report.fault is None:
            break
    return raised, report


def mended(certificate: Certificate, seconds: float = 60.0) -> tuple[Certificate, Report]:
    """The certificate with more positions where the solver does not find what the search had found, and what was seen.

    A win by threats that was shown for one reply may hold after others too, and be too hard to find there. A proof from
    there on replaces it.

    Args:
        certificate: What was found.
        seconds: Processor time for each such proof.
    """
    while True:
        report, fault = _walk(certificate)
        if fault is None or fault.kind != core.FaultKind.no_answer or fault.reply < 0:
            return certificate, report
        larger = _with_proof(certificate, _claim_after(certificate.claim, fault), seconds)
        if larger is None:
            return certificate, report
        certificate = larger


def measured(certificate: Certificate, seconds: float = 60.0) -> Certificate:
    """The certificate with how many moves each win takes at most.

    The solver is asked in another order than by the checker, and may miss what that finds; then it is mended, too.

    Args:
        certificate: One that the checker confirms.
        seconds: Processor time for a proof where an answer is missed.

    Raises:
        UnansweredError: The certificate has no answer to a reply.
    """
    evaluator = best_evaluator(certificate.claim.board)
    while True:
        try:
            return replace(certificate, lengths=dict(measure(certificate, evaluator)))
        except UnansweredError as error:
            larger = _with_proof(certificate, error.claim, seconds)
            if larger is None:
                raise
            certificate = larger


def _with_proof(certificate: Certificate, claim: Claim, seconds: float) -> Certificate | None:
    """The certificate with the positions of a proof that the winner wins from there on, if one is found."""
    proof, start = Proof(claim, _effort(certificate.nodes)), time.process_time()
    while not proof.done and proof.cost < float("inf") and time.process_time() - start < seconds:
        proof.run(1.0)
    node = proof.node(claim.root)
    if node is None or not node.proven:
        return None
    # The first move stands there even if threats win, which were missed: what follows it is easier to find.
    first = {claim.write_position(node.position.stones): claim.point(node.winner)}
    return with_positions(certificate, first | proof.certificate().positions)


def _effort(nodes: int) -> Effort:
    """So much that a win by threats which it finds is one that the checker finds."""
    usual = Effort()
    return replace(
        usual,
        position_nodes=min(usual.position_nodes, nodes),
        pass_nodes=min(usual.pass_nodes, nodes),
        reply_nodes=min(usual.reply_nodes, nodes // 4),
    )


def _claim_after(claim: Claim, fault: core.ProofFault) -> Claim:
    """That the winner wins after the reply that has no answer."""
    stones = [list(cells) for cells in fault.position.stones]
    stones[claim.winner].append(fault.move)
    stones[1 - claim.winner].append(fault.reply)
    moves = [claim.point(stones[ply % 2][ply // 2]) for ply in range(sum(map(len, stones)))]
    return replace(claim, moves=" ".join(moves))


def _sentence(certificate: Certificate, fault: core.ProofFault) -> str:
    claim = certificate.claim
    position = claim.write_position(fault.position.stones)
    if fault.move < 0:
        return f"the certificate has no move at {position}, and there is no win by threats"
    move = claim.point(fault.move)
    if fault.kind == core.FaultKind.no_move:
        return f"at {position} the move {move} is not on an empty point"
    if fault.reply < 0:
        return f"the certificate has another move than {move} at {position}, or none"
    reply = claim.point(fault.reply)
    if fault.kind == core.FaultKind.five:
        return f"at {position} the move {move} lets {claim.winner.other} make five at {reply}"
    return f"at {position}, {move} there is no answer to {reply}"
