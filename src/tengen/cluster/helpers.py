"""Nodes that help to learn: each makes the pass over a part of every batch.

They keep nothing from one step to the next: the learner sends the weights with the positions, adds the gradients up and
takes the step. So they give what one process would, to rounding, and one that is lost costs a step's part, which the
learner then makes itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ray

from tengen.cluster.nodes import Node, on
from tengen.nets.fused import Results
from tengen.train.passes import Groups, PartMaker, combine, split

#: A part that takes longer is made here.
_PART_SECONDS = 30.0


class Helpers:
    """Makes passes with the help of some nodes. Key method: `make_pass`.

    Attributes:
        wanted: How many nodes should help.
    """

    def __init__(self, wanted: int, complain: Callable[[str], None]) -> None:
        """Nobody helps yet.

        Args:
            wanted: How many nodes should help.
            complain: Called with a sentence when one does no longer.
        """
        self.wanted = wanted
        self._complain = complain
        self._helpers: dict[str, tuple[Node, Any]] = {}
        self._own = PartMaker()

    def invite(self, node: Node) -> None:
        """Lets a node help, if another one is wanted."""
        if len(self._helpers) < self.wanted and node.id not in self._helpers:
            self._helpers[node.id] = (node, ray.remote(PartMaker).options(**on(node, max_restarts=0)).remote())

    def make_pass(self, groups: Groups, *rest: Any) -> Results:
        """As `tengen.nets.fused.Compute`, for positions that are not encoded yet."""
        helpers = list(self._helpers.values())
        own, *parts = split(groups, 1 + len(helpers))
        shared = [ray.put(value) for value in rest]
        calls = [helper.make.remote(part, *shared) for part, (_, helper) in zip(parts, helpers, strict=False)]
        results = [self._own.make(own, *rest)]
        for part, call, (node, _) in zip(parts, calls, helpers, strict=False):
            try:
                results.append(ray.get(call, timeout=_PART_SECONDS))
            except ray.exceptions.RayError:
                self._helpers.pop(node.id, None)
                self._complain(f"node {node.name} helps to learn no longer; the others do")
                results.append(self._own.make(part, *rest))
        return combine(results)
