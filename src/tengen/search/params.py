"""The parameters of a tree search, with their meaning and units."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.errors import SetupError

CHOICES = {
    "selection": ("puct", "uct"),
    "parallelism": ("tree", "root", "leaf"),
    "in_flight": ("wu-uct", "virtual-loss"),
}

#: More than any machine has a use for: what people may ask for at most.
MAX_THREADS = 256


@dataclass(frozen=True, kw_only=True)
class SearchParams:
    """How a tree is searched. Values of positions are in [-1, 1] from the mover's view.

    Attributes:
        selection: "puct" uses priors; "uct" tries every move once first, in random order.
        c_puct: Weight of exploration.
        c_puct_log: Growth of c_puct with visits: c_puct + c_puct_log * ln((N + 500) / 500).
        fpu_reduction: First-play urgency: an unvisited move is taken to be worth the position's value less this, times
            the square root of the prior mass already visited.
        fpu_reduction_root: The same at the root.
        prior_temperature: Softens (above 1) or sharpens the evaluator's priors. With two networks 1.35 won 58 and 108
            Elo over 1 at equal playouts.
        root_noise: Share of Dirichlet noise in the root's priors; 0 for play.
        root_noise_total_alpha: Sum of the noise's alpha over all moves.
        threats: Knowledge of fives and fours: wins and forced replies are seen without search.
        vcf_nodes: Nodes of the search for continuous fours at every new position; 0 for none.
        vcf_nodes_root: The same at the root, and the most that a much visited position gets.
        vcf_nodes_defence: Nodes for the fours that the enemy threatens: only moves that can stop them are tried.
        vct_nodes_root: Nodes of the search for continuous threats (threes and fours) at the root; 0 for none. A line
            network guides it.
        vct_nodes_answer: The same for the enemy's threats after the move that is about to be played, and after the one
            expected next: if they win, another one is looked for. Takes about a tenth of the time, twice.
        doubt_nodes_per_playout: The most of these nodes that a search spends on all such positions, for each of its
            playouts; a few thousand in any case.
        parallelism: "tree", "root" or "leaf".
        in_flight: How threads in one tree avoid each other: "wu-uct" (unobserved visits) or "virtual-loss".
        threads: Number of threads.
        memory: Bytes for the tree; the search ends early when they are used up.
        misere: The goal is negated: the search tries to make the other side win. Values stay those of the real game.
        seed: Of everything random. One thread and one seed give the same result, bit for bit.
    """

    selection: str = "puct"
    c_puct: float = 1.6
    c_puct_log: float = 0.0
    fpu_reduction: float = 0.25
    fpu_reduction_root: float = 0.1
    prior_temperature: float = 1.35
    root_noise: float = 0.0
    root_noise_total_alpha: float = 10.0
    threats: bool = True
    vcf_nodes: int = 15
    vcf_nodes_root: int = 20_000
    vcf_nodes_defence: int = 10
    vct_nodes_root: int = 6_000
    vct_nodes_answer: int = 50_000
    doubt_nodes_per_playout: float = 20.0
    parallelism: str = "tree"
    in_flight: str = "wu-uct"
    threads: int = 1
    memory: int = 1 << 30
    misere: bool = False
    seed: int = 1

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise SetupError(f'{name} must be one of {", ".join(allowed)}, not "{getattr(self, name)}"')
        for name in ("c_puct", "prior_temperature", "root_noise_total_alpha", "threads", "memory"):
            if getattr(self, name) <= 0:
                raise SetupError(f"{name} must be above 0, not {getattr(self, name)}")
        for name in (
            "c_puct_log",
            "vcf_nodes",
            "vcf_nodes_root",
            "vcf_nodes_defence",
            "vct_nodes_root",
            "vct_nodes_answer",
            "doubt_nodes_per_playout",
            "seed",
        ):
            if getattr(self, name) < 0:
                raise SetupError(f"{name} must not be negative, not {getattr(self, name)}")
        if not 0 <= self.root_noise <= 1:
            raise SetupError(f"root_noise is a share from 0 to 1, not {self.root_noise}")
