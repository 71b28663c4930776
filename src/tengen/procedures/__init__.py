"""The opening procedures of gomoku and renju as one state machine.

The first stones decide too much, so tournaments let two persons settle them by placing, swapping and choosing. Here
the persons are "first" and "second"; which of them has which colour changes on the way.

    >>> from tengen.procedures import Choose, Place, start
    >>> opening = start("swap2")
    >>> opening.step.prompt
    'the first player places black anywhere, white anywhere and black anywhere'
    >>> _ = opening.apply(Place("h8 i9 g10"))
    >>> opening.to_act, opening.step.options
    ('second', ('white', 'black', 'add'))
    >>> _ = opening.apply(Choose("black"))
    >>> opening.done, opening.black, opening.white, opening.to_act
    (True, 'second', 'first', 'first')

How it works: every procedure is a short generator (`formats.py`) that yields a `Step`, the question that
is open, and is sent the `Action` that answers it. `Procedure` is the machine around it: it lets an action through only
when the open step accepts it, keeps the history, and takes back by playing the history again.
"""

from __future__ import annotations

from tengen.procedures.actions import (
    Action,
    Announce,
    Choose,
    Entry,
    IllegalActionError,
    Offer,
    Person,
    Pick,
    Place,
    Swap,
)
from tengen.procedures.formats import PROCEDURES, Rules
from tengen.procedures.machine import Procedure, start
from tengen.procedures.steps import AnnounceStep, ChooseStep, OfferStep, PickStep, PlaceStep, Step, SwapStep

__all__ = [
    "PROCEDURES",
    "Action",
    "Announce",
    "AnnounceStep",
    "Choose",
    "ChooseStep",
    "Entry",
    "IllegalActionError",
    "Offer",
    "OfferStep",
    "Person",
    "Pick",
    "PickStep",
    "Place",
    "PlaceStep",
    "Procedure",
    "Rules",
    "Step",
    "Swap",
    "SwapStep",
    "start",
]
