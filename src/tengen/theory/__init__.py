"""What is proven: claims, certificates, and the positions of those that ship."""

from tengen.theory.answers import Answer, Answers
from tengen.theory.certificate import Certificate
from tengen.theory.claim import Claim
from tengen.theory.theory import Known, Theory, shipped_certificates, shipped_theory

__all__ = ["Answer", "Answers", "Certificate", "Claim", "Known", "Theory", "shipped_certificates", "shipped_theory"]
