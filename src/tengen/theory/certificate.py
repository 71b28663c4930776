"""Certificates: positions up to symmetry with the winner's move, as compressed text."""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tengen import disk
from tengen.board import Color
from tengen.errors import InputError
from tengen.theory.claim import Claim

FORMAT, VERSION = "tengen proof", 1


@dataclass(frozen=True)
class Certificate:
    """A proof for others to check.

    Attributes:
        claim: What is proven.
        positions: The winner's move at each position, both as text; in any orientation, each position once.
        nodes: Where a reply leads to no position of these, the solver wins by threats within so many nodes.
        lengths: How many moves the winner needs at most from each position, for people; it proves nothing.
    """

    claim: Claim
    positions: dict[str, str]
    nodes: int
    lengths: dict[str, int] = field(default_factory=dict)

    def write(self, path: Path) -> None:
        """Writes the file: a line of JSON with the claim, then a line for each position: its move, and its length."""
        header = {"format": FORMAT, "version": VERSION, **asdict(self.claim), "nodes": self.nodes}
        words = ((position, move, self.lengths.get(position, "")) for position, move in self.positions.items())
        lines = sorted((" ".join(map(str, line)).rstrip() for line in words), key=lambda line: (len(line), line))
        text = "\n".join([json.dumps(header), *lines]) + "\n"
        disk.write_atomically(path, gzip.compress(text.encode(), mtime=0))  # no time: equal proofs are equal files

    @classmethod
    def read(cls, path: Path) -> Certificate:
        """Reads a file.

        Raises:
            InputError: It is not a certificate, or is damaged.
        """
        try:
            first, *lines = gzip.decompress(path.read_bytes()).decode().splitlines()
            header = json.loads(first)
            if (header.pop("format"), header.pop("version")) != (FORMAT, VERSION):
                raise InputError(f'"{path}" is not a certificate of this version')
            nodes = int(header.pop("nodes"))
            claim = Claim(**{**header, "winner": Color(header["winner"])})
        except FileNotFoundError:
            raise InputError(f'there is no file "{path}"') from None
        except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f'"{path}" is not a certificate: it cannot be read') from None
        positions: dict[str, str] = {}
        lengths: dict[str, int] = {}
        for number, line in enumerate(lines, start=2):
            match line.split():
                case [position, move] if position not in positions:
                    positions[position] = move
                case [position, move, length] if position not in positions and length.isdecimal():
                    positions[position], lengths[position] = move, int(length)
                case _:
                    raise InputError(f'line {number} of "{path}" is not a new position and its move')
        return cls(claim, positions, nodes, lengths)
