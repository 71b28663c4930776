"""S0's planes: own and opponent's stones against black and white stones, learned from the same games of self-play."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cyclopts
import numpy as np
import torch
from section import Section, new_figure, spread

from tengen import core
from tengen.nets.planes import plane_spec
from tengen.nets.presets import preset
from tengen.nets.residual import ResidualNet
from tengen.report.machine import network
from tengen.search import SearchParams
from tengen.thinking.evaluators import default_evaluator
from tengen.train.params import SelfPlayParams

ENCODINGS = {"by mover": "s0", "by colour": "s0-by-color"}
SIZE = 9
BATCH = 128
SELFPLAY = SelfPlayParams(
    sizes=(SIZE,), full_playouts=60, fast_playouts=15, full_share=0.5, opening_stones=5, threads=2
)
SEARCH = SearchParams(memory=16 << 20, vct_nodes_root=0, vct_nodes_answer=0)


@dataclass
class Curve:
    """Losses on held-out games: the policy's cross-entropy in nats and the value's squared error, after some steps."""

    steps: list[int] = field(default_factory=list)
    policy: list[float] = field(default_factory=list)
    value: list[float] = field(default_factory=list)


def play(games: int, seed: int) -> tuple[core.SampleBuffer, core.SampleBuffer]:
    """Positions of self-play by the shipped network: to learn from, and held out (every fifth batch of games)."""
    pool = core.SelfPlayPool(
        default_evaluator("freestyle", SIZE), SELFPLAY, SELFPLAY.kinds(), SEARCH, SELFPLAY.concurrency, seed
    )
    learned, held_out = core.SampleBuffer(1_000_000), core.SampleBuffer(1_000_000)
    while learned.games + held_out.games < games or not held_out.games:
        data = pool.take_games(1.0)
        (held_out if held_out.games * 5 < learned.games else learned).add(data)
        time.sleep(0.2)  # several games at a time
    pool.stop()
    return learned, held_out


def losses(net: ResidualNet, batch: dict[str, Any]) -> tuple[torch.Tensor, torch.Tensor]:
    """The losses of the policy and of the value, on average."""
    planes, policy, value = (torch.from_numpy(batch[name]) for name in ("planes", "policy", "value"))
    logits, values = net(planes)
    cross_entropy = -(policy * torch.log_softmax(logits, 1)).sum() / policy.sum().clamp(min=1)
    return cross_entropy, torch.nn.functional.mse_loss(values, value)


def learn(
    encoding: str, buffer: core.SampleBuffer, held_out: dict[str, Any], steps: int, every: int, seed: int
) -> Curve:
    """Learns from the buffer, and looks at the held-out positions now and then."""
    torch.manual_seed(seed)
    net = ResidualNet(preset("s0", SIZE, encoding=encoding, stem=(32,), blocks=2, value_hidden=64))
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-4)
    curve = Curve()
    for step in range(1, steps + 1):
        net.train()
        policy, value = losses(net, buffer.sample_planes(BATCH, 1.0, plane_spec(encoding), seed * 10_007 + step))
        optimizer.zero_grad()
        (policy + value).backward()
        optimizer.step()
        if step % every == 0:
            net.eval()
            with torch.inference_mode():
                policy, value = losses(net, held_out)
            curve.steps.append(step)
            curve.policy.append(float(policy))
            curve.value.append(float(value))
    return curve


def draw(curves: dict[str, list[Curve]]) -> Any:
    """Both losses over steps."""
    figure, axes = new_figure(2)
    for axis, name, title in zip(axes, ("policy", "value"), ("policy (nats)", "value (squared error)"), strict=True):
        for number, (label, own) in enumerate(curves.items()):
            for curve in own:
                first = label if curve is own[0] else None
                axis.plot(curve.steps, getattr(curve, name), color=f"C{number}", alpha=0.7, label=first)
        axis.set_title(f"held-out loss: {title}", fontsize=10)
        axis.set_xlabel("steps")
    axes[0].legend()
    return figure


def difference(curves: dict[str, list[Curve]], name: str) -> str:
    """By colour less by mover at the last look, seed by seed, in words."""
    by_mover, by_color = ([getattr(curve, name)[-1] for curve in own] for own in curves.values())
    found = [other - own for own, other in zip(by_mover, by_color, strict=True)]
    error = np.std(found, ddof=1) / len(found) ** 0.5 if len(found) > 1 else float("inf")
    clear = "clear of its error" if abs(np.mean(found)) > 2 * error else "within its error, so it says nothing"
    return f"{name} {spread(found)} ({clear})"


def main(*, short: bool = False, games: int = 600, steps: int = 400, seeds: int = 3, to: Path | None = None) -> None:
    """Compare the planes.

    Args:
        short: A few games and steps, to see that it works.
        games: Games of self-play.
        steps: Steps of learning for each network.
        seeds: Networks of each kind.
        to: Also put the section into this document, such as docs/experiments.md.
    """
    games, steps, seeds, every = (6, 4, 2, 2) if short else (games, steps, seeds, max(1, steps // 20))
    torch.set_num_threads(1)
    buffer, held_out = play(games, seed=1)
    tests = {
        encoding: held_out.sample_planes(50 if short else 2000, 1.0, plane_spec(encoding), 1)
        for encoding in ENCODINGS.values()
    }
    curves: dict[str, list[Curve]] = {name: [] for name in ENCODINGS}
    for seed in range(1, seeds + 1):
        for name, encoding in ENCODINGS.items():
            curves[name].append(learn(encoding, buffer, tests[encoding], steps, every, seed))
            print(name, seed, f"{curves[name][-1].policy[-1]:.3f} {curves[name][-1].value[-1]:.3f}", flush=True)
    section = Section("planes", "Planes by mover against planes by colour (the thesis)", to)
    section.text(
        f"The thesis's 13 planes, from the mover's view and by colour, for the same residual network (2 blocks of 32), "
        f"the same {buffer.positions:,} positions of {buffer.games:,} games on {SIZE}x{SIZE} and the same {steps} "
        f"batches of {BATCH}. The games are self-play of the network that shipped then ({network('freestyle', SIZE)}); "
        f"losses are on positions of {held_out.games:,} other games, the same ones for both."
    )
    rows = []
    looks = curves["by mover"][0].steps
    for index in sorted({0, len(looks) // 4, len(looks) // 2, len(looks) - 1}):
        cells = [
            spread([getattr(curve, loss)[index] for curve in own])
            for loss in ("policy", "value")
            for own in curves.values()
        ]
        rows.append((f"{looks[index]:,}", *cells))
    section.table(("steps", *(f"{loss}, {name}" for loss in ("policy", "value") for name in curves)), rows)
    section.text(
        f"Mean over {seeds} networks with its standard error. By colour less by mover at the end: "
        f"{difference(curves, 'policy')}; {difference(curves, 'value')}. The value's target is the result for the "
        "mover, so a network that sees colours has to find out first whose turn it is."
    )
    section.picture(draw(curves), "Held-out losses over steps")
    section.write()


if __name__ == "__main__":
    cyclopts.run(main)
