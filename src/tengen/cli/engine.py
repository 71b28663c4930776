"""`tengen engine`: Tengen for Gomocup managers. The program `pbrain-tengen` is the same without a command line."""

from __future__ import annotations

from tengen.protocol import host


def engine() -> None:
    """Speak the Gomocup (Piskvork) protocol on the standard streams, for managers and boards that run engines."""
    host.run()
