"""Proofs that one side wins: finding them, keeping them, writing certificates and checking those."""

from tengen.proof.certificate import Certificate
from tengen.proof.check import Report, check
from tengen.proof.claim import Claim
from tengen.proof.folder import ProofFolder
from tengen.proof.prove import Effort, Proof

__all__ = ["Certificate", "Claim", "Effort", "Proof", "ProofFolder", "Report", "check"]
