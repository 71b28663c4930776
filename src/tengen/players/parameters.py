"""Parameters of players: a dataclass for each kind says the keys, their types, limits, defaults and help.

The parser of specs, its error messages and the table of players are all made from these dataclasses:

    >>> @dataclass(frozen=True, kw_only=True)
    ... class WalkerParameters(Parameters):
    ...     steps: int = parameter(3, "Steps a move.", at_least=1)
    >>> WalkerParameters(steps=0)
    Traceback (most recent call last):
    tengen.errors.SetupError: steps must be a whole number of at least 1, not 0
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from tengen.errors import SetupError

Value: TypeAlias = int | float | bool | str | None

_LARGEST_INT = 2**31 - 1  # what every search can count to
_WORDS: Mapping[str, bool] = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_TYPE_NAMES = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}


@dataclass(frozen=True)
class Parameter:
    """One key of a player's spec.

    Attributes:
        name: The key.
        type: int, float, bool or str.
        default: The value when the key is not given; None means that there is no such limit.
        help: A sentence for people.
        required: The key must be given.
        at_least: The smallest allowed number.
        above: Allowed numbers are larger than this.
        at_most: The largest allowed number.
        choices: The allowed words, if they can be listed.
        shown: How to show the default, if not as it is.
        verbatim: The value is the rest of the spec as it stands, commas and all.
        hidden: The field is no key.
    """

    name: str
    type: type
    default: Value
    help: str
    required: bool = False
    at_least: float | None = None
    above: float | None = None
    at_most: float | None = None
    choices: tuple[str, ...] = ()
    shown: str | None = None
    verbatim: bool = False
    hidden: bool = False

    @property
    def allowed(self) -> str:
        """The allowed values in words, like "a whole number from 1 to 30"."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        name = _TYPE_NAMES[self.type]
        if self.at_least is not None and self.at_most is not None:
            return f"{name} from {self.at_least} to {self.at_most}"
        if self.at_least is not None:
            return f"{name} of at least {self.at_least}"
        if self.above is not None and self.at_most is not None:
            return f"{name} above {self.above} and up to {self.at_most}"
        if self.above is not None:
            return f"{name} above {self.above}"
        return name

    @property
    def default_text(self) -> str:
        """The default for a table."""
        if self.shown is not None or self.required:
            return self.shown or "required"
        return "none" if self.default is None else str(self.default).lower()

    def read(self, text: str) -> Value:
        """The value that a spec gives as text."""
        try:
            if self.type is int:
                return int(text) if re.fullmatch(r"[+-]?[0-9]{1,12}", text) else self._refuse(text)
            if self.type is float:
                return float(text)
            if self.type is bool:
                return _WORDS[text.lower()]
        except (ValueError, KeyError):
            self._refuse(text)
        return text

    def check(self, value: Value) -> None:
        """Refuses a value of the wrong type or out of range."""
        if value is None and self.default is None and not self.required:
            return
        right_type = (int, float) if self.type is float else self.type
        if not isinstance(value, right_type) or (isinstance(value, bool) and self.type is not bool):
            self._refuse(value)
        if isinstance(value, str):
            if (self.choices and value not in self.choices) or (self.required and not value):
                self._refuse(value)
        elif isinstance(value, int | float) and not self._in_range(value):
            self._refuse(value)

    def _in_range(self, value: float) -> bool:
        largest = _LARGEST_INT if self.at_most is None and self.type is int else self.at_most
        return (
            math.isfinite(value)
            and (self.at_least is None or value >= self.at_least)
            and (self.above is None or value > self.above)
            and (largest is None or value <= largest)
        )

    def _refuse(self, value: object) -> typing.NoReturn:
        shown = f'"{value}"' if isinstance(value, str) else value
        raise SetupError(f"{self.name} must be {self.allowed}, not {shown}")


def parameter(default: Any = dataclasses.MISSING, help: str | None = None, **limits: Any) -> Any:
    """A field of a `Parameters` dataclass; without a default it must be given.

    Args:
        default: The value when the key is not given.
        help: A sentence for people; if not here, it is in the docstring of the class, under "Attributes:".
        **limits: As in `Parameter`: at_least, above, at_most, choices, shown, verbatim, hidden.
    """
    return dataclasses.field(default=default, metadata=limits if help is None else {"help": help, **limits})


@dataclass(frozen=True, kw_only=True)
class Parameters:
    """The parameters of a kind of player that has none, and the base of the others.

    A kind whose search has a dataclass of its own inherits from both: its fields become keys too.
    """

    def __post_init__(self) -> None:
        for name, key in keys_of(type(self)).items():
            key.check(getattr(self, name))
        inherited = getattr(super(), "__post_init__", None)
        if inherited is not None:
            inherited()


def keys_of(parameters: type[Parameters]) -> Mapping[str, Parameter]:
    """The keys of a dataclass of parameters, those of a search that it inherits from last."""
    hints = typing.get_type_hints(parameters)
    helps = _documented_attributes(parameters)
    fields = {field.name: field for field in dataclasses.fields(parameters)}
    own = [name for cls in reversed(parameters.__mro__) if issubclass(cls, Parameters) for name in cls.__annotations__]
    keys = {}
    for name in dict.fromkeys([*own, *fields]):
        field: dataclasses.Field[Any] = fields[name]
        required = field.default is dataclasses.MISSING
        keys[name] = Parameter(
            name=name,
            type=_plain_type(hints[name]),
            default=None if required else typing.cast(Value, field.default),
            required=required,
            **{"help": helps.get(name, ""), **field.metadata},
        )
    return {name: key for name, key in keys.items() if not key.hidden}


def _documented_attributes(parameters: type) -> Mapping[str, str]:
    """What the docstrings of a class and its bases say under "Attributes:"."""
    helps: dict[str, str] = {}
    for cls in reversed(parameters.__mro__):
        _, _, section = inspect.cleandoc(cls.__doc__ or "").partition("Attributes:\n")
        for name, text in re.findall(r"^    (\w+): (.*(?:\n {8}.*)*)", section, re.MULTILINE):
            helps[name] = " ".join(text.split())
    return helps


def _plain_type(hint: Any) -> type:
    """`int` for both `int` and `int | None`."""
    if isinstance(hint, types.UnionType):
        (hint,) = (part for part in typing.get_args(hint) if part is not types.NoneType)
    assert hint in _TYPE_NAMES, hint
    return typing.cast(type, hint)
