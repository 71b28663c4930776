"""`tengen engine`: Tengen for Gomocup managers. The program `pbrain-tengen` is the same."""

from __future__ import annotations

from tengen.protocol import host


def engine(*, level: int | None = None, seed: int | None = None) -> None:
    """Speak the Gomocup (Piskvork) protocol on the standard streams, for managers and boards that run engines.

    Args:
        level: Play at this level of the web board (0 to 10) instead of at full strength.
        seed: Random seed of a level: the same position, level and seed give the same move.
    """
    host.run(level, seed)
