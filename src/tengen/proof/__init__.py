"""Proofs that one side wins: finding them, keeping them, writing certificates and checking those."""

from tengen.proof.check import Report, check
from tengen.proof.folder import ProofFolder
from tengen.proof.prove import Effort, Proof

__all__ = ["Effort", "Proof", "ProofFolder", "Report", "check"]
