"""One way to declare a parameter: its type, limits, default and meaning in one place, checked wherever it comes from.

    >>> class WalkerParameters(Parameters):
    ...     steps: Annotated[int, Field(ge=1, le=9)] = 3
    ...     "Steps a move."
    >>> WalkerParameters(steps=0)
    Traceback (most recent call last):
    tengen.errors.SetupError: steps must be a whole number from 1 to 9, not 0

Players' specs, presets of runs and options of commands are read by these declarations.
"""

from __future__ import annotations

import difflib
import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import ConfigDict, Field, GetCoreSchemaHandler, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, core_schema

from tengen.board import MAX_SIDE, MIN_SIDE
from tengen.errors import SetupError

if sys.version_info >= (3, 11):
    from typing import dataclass_transform
else:
    from typing_extensions import dataclass_transform

#: A number is not given as text, and true is not 1.
_CONFIG = ConfigDict(
    strict=True, extra="forbid", allow_inf_nan=False, validate_default=True, use_attribute_docstrings=True
)
_NUMBERS: Mapping[type, str] = {int: "a whole number", float: "a number"}
_WORDS: Mapping[type, str] = {bool: "true or false", str: "text"}

#: For sequences: files give lists.
Sequence = Field(strict=False)

#: What every counter of the core can hold, in a round number.
MOST = 1_000_000_000
#: More than any machine has a use for: what people may ask for at most.
MAX_THREADS = 256

Count: TypeAlias = Annotated[int, Field(ge=0, le=MOST)]
Number: TypeAlias = Annotated[int, Field(ge=1, le=MOST)]
Share: TypeAlias = Annotated[float, Field(ge=0, le=1)]
Side: TypeAlias = Annotated[int, Field(ge=MIN_SIDE, le=MAX_SIDE)]
Threads: TypeAlias = Annotated[int, Field(ge=1, le=MAX_THREADS)]
Seconds: TypeAlias = Annotated[float, Field(gt=0, le=MOST)]
Seed: TypeAlias = Annotated[int, Field(ge=0, le=2**64 - 1)]


@dataclass(frozen=True)
class Phrase:
    """Words for what a parameter may be, where its type does not give good ones: "a number, or points ..."."""

    text: str


@dataclass(frozen=True)
class Spec:
    """What is special about a parameter in the spec of a player.

    Attributes:
        shown: How to show the default, if not as it is.
        also: An older key that means the same.
        verbatim: The value is the rest of the spec as it stands, commas and all.
        hidden: No spec can give it.
    """

    shown: str | None = None
    also: str | None = None
    verbatim: bool = False
    hidden: bool = False


class _Table:
    """For parameters that are parts of others: files give tables."""

    def __get_pydantic_core_schema__(self, part: type[Parameters], handler: GetCoreSchemaHandler) -> CoreSchema:
        def read(value: Any) -> Any:
            if not isinstance(value, Mapping):
                return value
            made = object.__new__(part)
            part._check(made, **value)
            return made

        return core_schema.no_info_before_validator_function(read, handler(part))


#: For parameters that are parts of others: files give tables.
Table = _Table()


# Frozen all the same: mypy takes a frozen field that a subclass gives another default for a property.
@dataclass_transform(kw_only_default=True, field_specifiers=(Field,))
class Parameters:
    """The base of all classes of parameters, which are frozen dataclasses with keywords only.

    The string below a field says what it means. A subclass that wants another default assigns it; type, limits and
    meaning stay. Values that are not allowed are a SetupError of one sentence, in `dataclasses.replace` too.
    """

    __pydantic_fields__: ClassVar[dict[str, FieldInfo]] = {}
    _check: ClassVar[Callable[..., None]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        inherited = cls.__pydantic_fields__
        _annotate_new_defaults(cls, inherited)
        checked_dataclass(cls, frozen=True, kw_only=True, config=_CONFIG)
        for name, field in inherited.items():  # pydantic finds the strings of the class itself alone
            cls.__pydantic_fields__[name].description = cls.__pydantic_fields__[name].description or field.description
        del cls.__pydantic_core_schema__  # type: ignore[attr-defined]  # or cyclopts gives it texts instead of values
        cls._check = check = cls.__init__

        def init(self: Parameters, /, **values: Any) -> None:
            try:
                check(self, **values)
            except ValidationError as error:
                raise SetupError(" ".join(_sentence(cls, error).split())) from None  # what it quotes may have lines

        cls.__init__ = init  # type: ignore


def _annotate_new_defaults(cls: type[Parameters], inherited: Mapping[str, FieldInfo]) -> None:
    """A default without a type would be no field; it gets the declaration of the base."""
    cls.__annotations__ = annotations = inspect.get_annotations(cls)
    for name, field in inherited.items():
        if name in vars(cls) and name not in annotations:
            parts = (field.annotation, Field(description=field.description), *field.metadata)
            annotations[name] = Annotated.__class_getitem__(parts)  # type: ignore[attr-defined]


def fields_of(cls: type[Parameters]) -> Mapping[str, FieldInfo]:
    """The declarations of all parameters, those that a class adds before those of its base."""
    fields = cls.__pydantic_fields__
    base = cls.__base__
    inherited = fields_of(base) if base is not None and issubclass(base, Parameters) else {}
    own = [name for name in fields if name not in inherited]
    return {name: fields[name] for name in [*own, *inherited]}


def allowed(field: FieldInfo) -> str:
    """What a parameter may be, in words, like "a whole number from 1 to 30"."""
    return _allowed(field.annotation, field.metadata)


def refusal(name: str, hint: Any, value: object) -> str:
    """The sentence for a value that is not what its type hint allows."""
    return f"{name} must be {_allowed(hint, ())}, not {_shown(value)}"


def plain_type(hint: Any) -> Any:
    """`int` for both `int` and `int | None`."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        (hint,) = (part for part in typing.get_args(hint) if part is not types.NoneType)
    return hint


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The name that was probably meant, in brackets, or nothing."""
    match = difflib.get_close_matches(name, list(names), n=1, cutoff=0.5)
    return f" (did you mean {match[0]}?)" if match else ""


def _allowed(hint: Any, metadata: Iterable[Any]) -> str:
    for item in metadata:
        if isinstance(item, Phrase):
            return item.text
    hint = plain_type(hint)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        return _allowed(arguments[0], _flat(arguments[1:]))
    if origin is Literal:
        return f"one of {', '.join(map(str, arguments))}"
    if origin is tuple:
        return f"a list, each entry {_allowed(arguments[0], ())}"
    if hint in _NUMBERS:
        return _NUMBERS[hint] + _range(metadata)
    return _WORDS.get(hint, "a table of parameters")


def _flat(metadata: Iterable[Any]) -> list[Any]:
    """Annotations with those that are packed in a `Field` unpacked."""
    return [part for item in metadata for part in (item.metadata if isinstance(item, FieldInfo) else [item])]


def _range(metadata: Iterable[Any]) -> str:
    bounds = {name: getattr(item, name) for item in metadata for name in ("ge", "gt", "le") if hasattr(item, name)}
    least, above, most = (f"{bounds[name]:,}" if name in bounds else None for name in ("ge", "gt", "le"))
    if least is not None:
        return f" from {least} to {most}" if most is not None else f" of at least {least}"
    if above is not None:
        return f" above {above}" + (f" and up to {most}" if most is not None else "")
    return f" up to {most}" if most is not None else ""


def _sentence(cls: type[Parameters], error: ValidationError) -> str:
    """What is wrong with the first parameter that is wrong."""
    first = error.errors(include_url=False)[0]
    if isinstance(cause := first.get("ctx", {}).get("error"), SetupError):
        return str(cause)
    path, words, is_entry = _place(cls, first["loc"])
    name = ".".join(path)
    if first["type"] == "unexpected_keyword_argument":
        return f'there is no parameter "{name}"{words}'
    if first["type"] == "missing":
        return f"{name} must be given"
    if first["type"] == "too_short":
        return f"{name} must have at least one entry"
    subject = f"each entry of {name}" if is_entry else name
    return f"{subject} must be {words}, not {_shown(first['input'])}"


def _place(cls: type[Parameters], location: tuple[int | str, ...]) -> tuple[list[str], str, bool]:
    """The names on the way to what is wrong, what it may be (or should have been called), and if it is in a list."""
    hint: Any = cls
    path: list[str] = []
    words, is_entry = "", False
    for part in location:
        hint = plain_type(hint)
        if isinstance(hint, type) and issubclass(hint, Parameters):
            path.append(str(part))
            if part not in (fields := hint.__pydantic_fields__):
                return path, did_you_mean(str(part), fields), False
            hint, metadata = fields[str(part)].annotation, fields[str(part)].metadata
            words = _allowed(hint, metadata)
            if any(isinstance(item, Phrase) for item in metadata):
                break
        elif typing.get_origin(hint) is tuple and isinstance(part, int):
            hint, is_entry = typing.get_args(hint)[0], True
            words = _allowed(hint, ())
    return path, words, is_entry


def _shown(value: object) -> str:
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
