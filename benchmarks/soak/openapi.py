"""The HTTP interface against its own description: schemathesis makes requests from it and compares the answers."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from soak.part import Limit, Outcome, Part
from soak.server import PATIENCE, running
from tengen.web import api_page

_ROUND = 50
"""Requests from one seed."""


def _run(chance: random.Random, limit: Limit) -> Outcome:
    import requests  # late: of all parts only this one needs what `make soak` installs
    import schemathesis
    from schemathesis import GenerationMode
    from schemathesis.core.failures import FailureGroup
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    outcome = Outcome()
    statuses: Counter[str] = Counter()
    operation = schemathesis.openapi.from_dict(api_page.openapi())["/api/ask"]["POST"]
    with running(outcome) as server, requests.Session() as session:
        base = f"http://127.0.0.1:{server.port}"

        def ask(case: Any) -> None:
            if not limit.allows(outcome):
                return
            outcome.tried += 1
            try:
                response = case.call(base_url=base, session=session, timeout=PATIENCE)
                statuses[f"status_{response.status_code}"] += 1
                # What the description allows may still be against the rules of the game: 422 is in it.
                case.validate_response(response, excluded_checks=[positive_data_acceptance])
            except (Exception, FailureGroup) as failure:  # which is no Exception
                outcome.fail(f"{failure} {case.body!r}")

        while limit.allows(outcome):
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                cases = operation.as_strategy(generation_mode=mode)
                options = settings(
                    max_examples=_ROUND,
                    deadline=None,
                    database=None,
                    phases=[Phase.generate],
                    suppress_health_check=list(HealthCheck),
                )
                with_cases: Any = given(cases)
                seed(chance.getrandbits(64))(options(with_cases(ask)))()
    outcome.figures = dict(sorted(statuses.items()))
    return outcome


PARTS = (
    Part(
        "openapi",
        "The HTTP interface does what its OpenAPI document says, to requests that it allows and to others",
        "requests",
        10_000,
        _run,
    ),
)
