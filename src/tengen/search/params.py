"""The parameters of a tree search, with their meaning, units and limits."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from tengen.parameters import Count, Parameters, Seed, Share, Spec, Threads

Selection: TypeAlias = Literal["puct", "uct"]
NoiseAt: TypeAlias = Literal["root", "expansions"]
NoiseAlpha: TypeAlias = Annotated[float, Field(ge=0.001, le=100_000)]


class SearchParams(Parameters):
    """How a tree is searched. Values of positions are in [-1, 1] from the mover's view."""

    search: Literal["mcts", "pvs"] = "mcts"
    """Monte-Carlo tree search, or principal variation search (alpha-beta) by the network's values and priors: one
    thread, Gomoku alone, and its playouts are positions. Of the other parameters it knows those of threats, solvers
    and `prior_temperature`."""
    selection: Selection = "puct"
    """How a playout picks moves: "puct" by priors; "uct" tries every move once first, in random order."""
    c_puct: Annotated[float, Field(ge=0.001, le=1000)] = 1.6
    """Weight of exploration."""
    c_puct_log: Annotated[float, Field(ge=0, le=1000)] = 0.0
    """Growth of c_puct with visits: c_puct + c_puct_log * ln((N + 500) / 500)."""
    fpu_reduction: Annotated[float, Field(ge=-2, le=2)] = 0.25
    """First-play urgency: an unvisited move is taken to be worth the position's value less this, times the square root
    of the prior mass already visited."""
    fpu_reduction_root: Annotated[float, Field(ge=-2, le=2)] = 0.1
    """The same at the root."""
    prior_temperature: Annotated[float, Field(ge=0.01, le=100)] = 1.35
    """Softens (above 1) or sharpens the evaluator's priors. With two networks 1.35 won 58 and 108 Elo over 1 at equal
    playouts."""
    threat_share: Share = 0.25
    """Share of the priors that is shared out evenly among the mover's fours and open threes, whatever the evaluator
    thinks of them: long wins begin with such moves, and a move that is hardly looked at is never understood."""
    root_noise: Share = 0.0
    """Share of Dirichlet noise in the root's priors; 0 for play."""
    root_noise_total_alpha: NoiseAlpha = 10.0
    """Sum of the noise's alpha over all moves."""
    noise_at: NoiseAt = "root"
    """Where the noise is: at the "root", anew for every search, or in all "expansions", once for each (S3)."""
    proofs: bool = True
    """Whether the end of a game counts as a proof, so that a refuted move is not tried again; otherwise it is one value
    among others, as in AlphaGo Zero."""
    threats: bool = True
    """Knowledge of fives and fours: wins and forced replies are seen without search."""
    vcf_nodes: Count = 15
    """Nodes of the search for continuous fours at every new position; 0 for none."""
    vcf_nodes_root: Count = 20_000
    """The same at the root, and the most that a much visited position gets."""
    vcf_nodes_defence: Count = 10
    """Nodes for the fours that the enemy threatens: only moves that can stop them are tried."""
    vct_nodes_root: Count = 6_000
    """Nodes of the search for continuous threats (threes and fours) at the root; 0 for none. A line network guides
    it."""
    vct_nodes_answer: Count = 50_000
    """The same for the enemy's threats after the move that is about to be played, and after the one expected next: if
    they win, another one is looked for. Takes about a tenth of the time, twice."""
    doubt_nodes_per_playout: Annotated[float, Field(ge=0, le=1_000_000)] = 4.0
    """The most of these nodes that a search spends on all such positions, for each of its playouts; a few thousand in
    any case."""
    graph: bool = True
    """Whether a position that several orders of moves lead to is in the tree once, so that what one of them finds out
    holds for all; otherwise each has its own."""
    parallelism: Literal["tree", "root", "leaf"] = "tree"
    """How threads work together: all in one tree, each in its own, or all at each leaf."""
    in_flight: Literal["wu-uct", "virtual-loss"] = "wu-uct"
    """How threads in one tree avoid each other: by counting visits as soon as they begin, or by a virtual loss."""
    virtual_loss: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """What a visit takes from the score of its move until its value is known, with in_flight=virtual-loss."""
    lcb_deviations: Annotated[float, Field(ge=0, le=100)] = 4.0
    """Play the move whose value is best after so many standard errors are taken off (a lower confidence bound), among
    those with an eighth of the most visits; 0 plays the most visited one."""
    threads: Threads = 1
    """Number of threads."""
    memory: Annotated[int, Field(ge=1 << 18, le=1 << 40)] = 1 << 30
    """Bytes for the tree; the search ends early when they are used up."""
    misere: bool = False
    """The goal is negated: the search tries to make the other side win. Values stay those of the real game."""
    seed: Annotated[Seed, Spec(hidden=True)] = 1
    """Of everything random. One thread and one seed give the same result, bit for bit."""
