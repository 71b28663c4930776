"""Checking a certificate, from the rules alone."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from tengen import core
from tengen.errors import InputError
from tengen.theory import Certificate
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
    return Report(
        fault,
        checker.reached,
        checker.replies,
        checker.by_threats,
        checker.trees,
        checker.tree_positions,
        checker.tree_replies,
        time.perf_counter() - start,
    )


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
