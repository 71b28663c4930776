"""What a page or a program is told when something is refused or fails."""

from __future__ import annotations

import logging

from pydantic import ValidationError

from tengen.errors import TengenError
from tengen.web import messages, records
from tengen.wire import sentence

log = logging.getLogger(__name__)


class BusyError(TengenError):
    """More than the server takes at a time."""


def error_answer(error: Exception, request_id: object) -> messages.ErrorAnswer:
    """What the page is told about a request that failed."""
    if isinstance(error, ValidationError):
        code, message = "malformed", sentence(error.errors())
    elif isinstance(error, BusyError):
        code, message = "busy", str(error)
    elif isinstance(error, records.TooLargeError):
        code, message = "large", str(error)
    elif isinstance(error, ValueError):  # InputError and the core's std::invalid_argument: sentences for people
        code, message = "illegal", str(error)
    else:
        log.error("a request failed", exc_info=error)
        code, message = "internal", "the server made a mistake"
    number = request_id if type(request_id) is int and 0 <= request_id <= 2**53 else None
    return messages.ErrorAnswer.model_validate({"id": number, "code": code, "message": message})
