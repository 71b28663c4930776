"""Which nodes of a cluster can help: those that are there, have the memory, and the same Tengen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ray
from ray.exceptions import RayError, RaySystemError, RayTaskError

from tengen.cluster.nodes import Node, ask_version, nodes, refusal_of_version


class Membership:
    """Asks every node once, when it comes. Key methods: `look` and `answer`.

    Attributes:
        refused: Why nodes cannot help, by their ids. One that is started again is another one for ray.
    """

    def __init__(self, refusal: Callable[[Node], str | None], complain: Callable[[str], None]) -> None:
        """Knows nobody yet.

        Args:
            refusal: Why a node cannot do the work, as a sentence; None if it can.
            complain: Called with a sentence for each node that cannot help.
        """
        self._refusal = refusal
        self._complain = complain
        self._asked: dict[Any, Node] = {}
        self._members: set[str] = set()
        self.refused: dict[str, str] = {}

    @property
    def questions(self) -> list[Any]:
        """What nodes have not answered yet."""
        return list(self._asked)

    @property
    def is_hopeless(self) -> bool:
        """Whether every node has said that it cannot help."""
        return bool(self.refused) and not self._asked and not self._members

    def look(self) -> set[str]:
        """Asks those that came; returns the ids of all that are there."""
        there = nodes()
        asked = {node.id for node in self._asked.values()}
        for node in there:
            if node.id not in asked | self._members | self.refused.keys():
                if refusal := self._refusal(node):
                    self.refuse(node, refusal)
                else:
                    self._asked[ask_version(node)] = node
        return {node.id for node in there}

    def answer(self, question: Any) -> Node | None:
        """The node that has answered, if it can help."""
        node = self._asked.pop(question)
        said: Any
        try:
            said = ray.get(question)
        except Exception as error:
            said = error
        if isinstance(said, RayError) and not isinstance(said, RayTaskError | RaySystemError):
            return None  # it went away meanwhile
        if refusal := refusal_of_version(node, said):
            self.refuse(node, refusal)
            return None
        self._members.add(node.id)
        return node

    def forget(self, node: Node) -> None:
        """A node is gone, or has lost its worker: if it is there it is asked again."""
        self._members.discard(node.id)

    def refuse(self, node: Node, sentence: str) -> None:
        """A node cannot help after all."""
        self.forget(node)
        self.refused[node.id] = sentence
        self._complain(sentence)
