"""A small tree search with all of its steps, for the page that explains one."""

from __future__ import annotations

from dataclasses import asdict

from tengen.explain import explained_search
from tengen.thinking.pool import Job
from tengen.web import messages


def explain(request: messages.ExplainRequest, job: Job) -> messages.ExplanationAnswer:
    """All steps in one answer: they take a moment, and the page goes back and forth between them."""
    search = explained_search(
        request.moves, request.size, request.n_in_row, request.evaluator, request.c_puct, request.seed
    )
    steps = [asdict(step) for step in search.steps(request.playouts)]
    return messages.ExplanationAnswer.model_validate({"id": request.id, "size": request.size, "steps": steps})
