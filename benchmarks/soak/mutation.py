"""Odd inputs: sound ones that something has happened to."""

from __future__ import annotations

import random
from collections.abc import Sequence

_ODD_NUMBERS = (b"0", b"-1", b"1e999", b"nan", b"99999999999999999999", b"2147483648", b"0x10", b"1.5", b"", b"null")
_ODD_BYTES = (
    b"\x00",
    b"\xff\xfe",
    b"\xf0\x9f\x90\xb3",
    b"\r",
    b"\n\n",
    b"\\",
    b'"',
    b"[",
    b"]",
    b"{",
    b"(",
    b";",
    b",",
)


def mutate(chance: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """One to four changes: bytes flipped, dropped, doubled or moved, numbers replaced, pieces of others put in."""
    for _ in range(chance.randint(1, 4)):
        start = chance.randint(0, len(data))
        end = min(len(data), start + int(chance.expovariate(0.1)))
        kind = chance.randrange(7)
        if kind == 0 and data:
            place = chance.randrange(len(data))
            data = data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :]
        elif kind == 1:
            data = data[:start] + data[end:]
        elif kind == 2:
            data = data[:start] + data[start:end] * chance.randint(2, 30) + data[end:]
        elif kind == 3:
            data = data[:start] + chance.choice(_ODD_BYTES) + data[start:]
        elif kind == 4:
            data = _replace_number(chance, data)
        elif kind == 5:
            other = chance.choice(others)
            cut = chance.randint(0, len(other))
            data = data[:start] + other[cut : cut + chance.randint(0, 60)] + data[end:]
        else:
            data = data[:start]
    return data


def _replace_number(chance: random.Random, data: bytes) -> bytes:
    digits = [i for i, byte in enumerate(data[:5000]) if 48 <= byte <= 57]
    if not digits:
        return data
    place = chance.choice(digits)
    return data[:place] + chance.choice(_ODD_NUMBERS) + data[place + 1 :]
