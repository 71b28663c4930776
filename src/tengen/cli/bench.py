"""`tengen bench`: speed, and signatures that prove that a change did not change behaviour."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

import cyclopts
from rich.console import Console
from rich.table import Table

from tengen import core
from tengen.cli.progress import tracked
from tengen.disk import check_output
from tengen.nets.line_random import random_network
from tengen.parameters import Number, Share

BlindSpotRule: TypeAlias = Literal["freestyle", "standard", "renju"]
Figures: TypeAlias = Mapping[str, float | int | str]

app = cyclopts.App(name="bench", help="Measure speed; every bench takes --json.")


def show(title: str, figures: Figures, as_json: bool) -> None:
    """Prints figures as a table for people or as one JSON object for programs."""
    if as_json:
        print(json.dumps(dict(figures)))
        return
    table = Table(title=title, show_header=False)
    for name, value in figures.items():
        table.add_row(name.replace("_", " "), f"{value:,.2f}" if isinstance(value, float) else str(value))
    Console().print(table)


@app.command
def rules(*, positions: int = 500, seed: int = 1, json: bool = False) -> None:
    """Moves, windows, forbidden points and shapes on one core.

    Args:
        positions: Random middle games on 15x15.
        seed: Random seed of those games; the signature depends on it and on the number of positions, not on the
            machine.
        json: One JSON object instead of a table.
    """
    result = core.bench_rules(positions, seed)
    figures: Figures = {
        "do_undo_radius4_ns": result.do_undo_radius4_ns,
        "do_undo_radius5_ns": result.do_undo_radius5_ns,
        "do_undo_renju_ns": result.do_undo_renju_ns,
        "collect_threats_ns": result.collect_threats_ns,
        "forbidden_points_us": result.forbidden_points_us,
        "shapes_us": result.shapes_us,
        "board_bytes": result.board_bytes,
        "signature": f"{result.signature:016x}",
    }
    show("tengen bench rules", figures, json)


@app.command
def resnet(*, preset: str = "small", seconds: float = 3.0, json: bool = False) -> None:
    """A residual network on one core: evaluations/s in onnxruntime and training samples/s in PyTorch.

    Args:
        preset: The network: small (6 blocks of 64), s0 to s4, or tiny.
        seconds: For each figure.
        json: One JSON object instead of a table.
    """
    from tengen.bench.resnet import measure

    show(f"tengen bench resnet --preset {preset}", measure(preset, seconds), json)


@app.command
def alphabeta(*, positions: int = 100, seed: int = 1, json: bool = False) -> None:
    """Alpha-beta in freestyle middle games on one core: CPU milliseconds a move by depth and by width (k best moves).

    Args:
        positions: Middle games of 10 to 29 stones on 15x15.
        seed: Random seed of those games; nodes and signature depend on it and on the number of positions, not on the
            machine.
        json: One JSON object instead of a table.
    """
    figures: dict[str, float | int | str] = {}
    signature = 0
    for depth, width in ((2, 5), (3, 5), (4, 5), (6, 5), (2, 10), (2, 20), (2, 40), (4, 20), (6, 20)):
        result = core.bench_alpha_beta(depth=depth, width=width, vct_plies=0, positions=positions, seed=seed)
        name = f"depth{depth}_k{width}"
        figures[f"{name}_ms"] = result.milliseconds
        figures[f"{name}_worst_ms"] = result.worst_milliseconds
        figures[f"{name}_nodes"] = result.nodes
        figures[f"{name}_nodes_per_second"] = result.nodes_per_second
        signature = (signature * 31 + result.signature) % 2**64
    figures["signature"] = f"{signature:016x}"
    show("tengen bench alphabeta", figures, json)


@app.command
def threats(*, positions: int = 2000, seed: int = 1, json: bool = False) -> None:
    """Wins by fours (VCF) and by threats (VCT) on one core.

    Args:
        positions: Random middle games on 15x15, freestyle and renju in turn.
        seed: Random seed of those games; the node counts and the signature depend on it, not on the machine.
        json: One JSON object instead of a table.
    """
    result = core.bench_threats(positions, seed)
    figures: Figures = {
        "vcf_million_nodes_per_second": result.vcf_million_nodes_per_second,
        "vcf_reject_us": result.vcf_reject_us,
        "vcf_expansion_ns": result.vcf_expansion_ns,
        "vcf_long_win_ms": result.vcf_long_win_ms,
        "vcf_long_win_worst_ms": result.vcf_long_win_worst_ms,
        "vct_solve_ms": result.vct_solve_ms,
        "rejected": result.rejected,
        "long_wins": result.long_wins,
        "vcf_nodes": result.vcf_nodes,
        "vct_nodes": result.vct_nodes,
        "vct_wins": result.vct_wins,
        "signature": f"{result.signature:016x}",
    }
    show("tengen bench threats", figures, json)


@app.command
def net(*, positions: int = 100, rounds: int = 5, training: bool = True, seed: int = 1, json: bool = False) -> None:
    """The line network on one core: evaluations of sibling leaves on 15x15, table expansion, training.

    Args:
        positions: Random middle games; every candidate's position is evaluated.
        rounds: Times each is measured; the fastest counts, so that other programs disturb little.
        training: Measure training too, where torch is installed.
        seed: Random seed of games and weights; the signatures depend on it and on the number of positions, not on the
            machine.
        json: One JSON object instead of a table.
    """
    figures: dict[str, float | int | str] = {"instruction_set": core.instruction_set()}
    training = training and importlib.util.find_spec("torch") is not None
    shapes: tuple[tuple[Literal[4, 5], Literal[32, 64]], ...] = ((4, 32), (4, 64), (5, 64))
    for radius, channels in shapes:
        result = core.bench_net(random_network(radius, channels, seed), positions, rounds, seed)
        name = f"r{radius}c{channels}"
        figures[f"{name}_evaluations_per_second"] = result.evaluations_per_second
        figures[f"{name}_sibling_us"] = result.sibling_us
        figures[f"{name}_value_only_us"] = result.value_only_us
        figures[f"{name}_expand_ms"] = result.expand_ms
        figures[f"{name}_signature"] = f"{result.signature:016x}"
        if training and channels == 64:
            from tengen.bench.line_training import training_speed
            from tengen.train.params import LearnParams

            params = LearnParams(radius=radius, channels=channels, batch=1024)
            figures[f"{name}_training_per_second"] = training_speed(params)
    figures["candidates"] = result.candidates
    show("tengen bench net", figures, json)


@app.command
def search(*, playouts: int = 10_000, rounds: int = 5, seed: int = 1, json: bool = False) -> None:
    """Tree search: playouts/s of one thread and two by evaluator, what the parts of a playout take, and a signature.

    Args:
        playouts: Playouts of each search.
        rounds: Times each is measured; the fastest counts, so that other programs disturb little.
        seed: Random seed of positions and weights; the signature depends on it and on the playouts, not on the machine.
        json: One JSON object instead of a table.
    """
    from tengen.bench.search import measure

    show("tengen bench search", measure(playouts, rounds, seed), json)


@app.command
def selfplay(*, seconds: float = 20.0, seed: int = 1, json: bool = False) -> None:
    """Self-play of the shipped network on one core, 15x15: 400 and 80 playouts a move, and as the preset hour plays.

    Args:
        seconds: For each figure.
        seed: Random seed of the games.
        json: One JSON object instead of a table.
    """
    from tengen.bench.selfplay import measure

    show("tengen bench selfplay", measure(seconds, seed), json)


@app.command
def blindspots(
    *,
    rule: BlindSpotRule | None = None,
    half: Literal["first", "aside", "all"] = "first",
    positions: int = 40,
    prior: Share = 1.0,
    json: bool = False,
) -> None:
    """How many playouts a search needs to see a win that it does not look at.

    A position counts as found when the search, with the shipped network, gives the side to move a value of 0.5 or a
    proof; it is tried with 1,000, 2,500, 5,000, 10,000, 25,000 and 50,000 playouts.

    Args:
        rule: The rule; all of them, one after the other, if not given.
        half: Which half of the positions: tune and train on the first, judge by the one that is kept aside.
        positions: Of each rule, at most.
        prior: Only positions in which the network gives the winning move no more than this.
        json: One JSON object instead of a table.
    """
    from tengen.bench import blindspots as suite

    figures: dict[str, float | int | str] = {}
    for name in (rule,) if rule else suite.RULES:
        spots = [spot for spot in suite.shipped(name, half) if spot.prior <= prior][:positions]
        needed = [suite.playouts_needed(spot) for spot in tracked(spots, len(spots), name)]
        figures.update({f"{name}_{key}": value for key, value in suite.summary(needed).items()})
    show("tengen bench blindspots", figures, json)


@app.command
def mine_blindspots(*, rule: BlindSpotRule = "freestyle", games: Number = 1000, seed: int = 1, to: Path) -> None:
    """Find the positions of `tengen bench blindspots` in quick games.

    It can be stopped at any moment; the same command goes on, and one with more games too.

    Args:
        rule: The rule.
        games: Games to play.
        seed: Random seed of the games.
        to: The file; a line is added for each position.
    """
    from tengen.bench import blindspots as suite

    check_output(to)
    known = suite.read(to, rule) if to.exists() else []
    miner = suite.Miner(rule, seed)
    first = known[-1].game + 1 if known else 1
    with to.open("a", encoding="utf-8") as file:
        if not known:
            print(f"# Blind spots: {rule} on 15x15, as tengen.bench.blindspots explains.", file=file)
            print(f"# Made by: tengen bench mine-blindspots --rule {rule} --games {games} --seed {seed}", file=file)
        for number in tracked(range(first, games + 1), games + 1 - first, rule):
            for spot in miner.game(number):
                print(spot, file=file, flush=True)  # nothing is lost when it is stopped
                known.append(spot)
    print(f"{len(known)} blind spots in {to}")
