"""How fast a residual network runs and learns on one core: what the line network is compared with."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tengen.nets.evaluator import BatchEvaluator
from tengen.nets.onnx import OnnxEvaluator, export
from tengen.nets.planes import Floats
from tengen.nets.presets import ResidualConfig, preset

if TYPE_CHECKING:
    from tengen.nets.residual import ResidualNet

EVALUATION_BATCHES = (1, 8, 64)
TRAINING_BATCH = 64


def measure(name: str, seconds: float = 3.0) -> dict[str, float | int | str]:
    """Evaluations/s in onnxruntime and training samples/s in torch, each with one thread.

    Args:
        name: A name from `tengen.nets.presets.PRESETS`.
        seconds: For each figure.
    """
    from tengen.nets import residual

    net = residual.ResidualNet(preset(name))
    figures: dict[str, float | int | str] = {
        "network": name,
        "parameters": sum(parameter.numel() for parameter in net.parameters()),
    }
    evaluator = _exported(net)
    for batch in EVALUATION_BATCHES:
        key = f"onnxruntime_evaluations_per_second_batch_{batch}"
        figures[key] = evaluations_per_second(evaluator, batch, seconds)
    key = f"torch_training_samples_per_second_batch_{TRAINING_BATCH}"
    figures[key] = training_samples_per_second(net, TRAINING_BATCH, seconds)
    return figures


def evaluations_per_second(evaluator: BatchEvaluator, batch: int, seconds: float) -> float:
    """How many positions an evaluator gets through in batches of that size."""
    planes = _planes(evaluator.config, batch)
    return batch * _calls_per_second(lambda: evaluator(planes), seconds)


def training_samples_per_second(net: ResidualNet, batch: int, seconds: float) -> float:
    """How many samples a network learns from with one thread: both losses, their gradients and an Adam step."""
    import torch

    config = net.config
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    net = net.to(memory_format=torch.channels_last).train()
    planes = torch.from_numpy(_planes(config, batch)).contiguous(memory_format=torch.channels_last)
    policies = torch.softmax(torch.rand(batch, config.cells), 1)
    results = torch.rand(batch) * 2 - 1
    optimiser = torch.optim.Adam(net.parameters(), weight_decay=1e-4)

    def step() -> None:
        logits, values = net(planes)
        loss = torch.nn.functional.cross_entropy(logits, policies) + torch.nn.functional.mse_loss(values, results)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()

    try:
        return batch * _calls_per_second(step, seconds)
    finally:
        torch.set_num_threads(threads)


def _exported(net: ResidualNet) -> OnnxEvaluator:
    from tengen.nets import residual

    with tempfile.TemporaryDirectory() as folder:
        model, exported = Path(folder, "net.safetensors"), Path(folder, "net.onnx")
        residual.save(model, net, rules=["freestyle"])
        export(model, exported)
        return OnnxEvaluator(exported, threads=1)


def _planes(config: ResidualConfig, batch: int) -> Floats:
    shape = (batch, config.planes, config.height, config.width)
    return (np.random.default_rng(1).random(shape) < 0.1).astype(np.float32)


def _calls_per_second(call: Callable[[], object], seconds: float) -> float:
    call()  # The first one sets things up.
    calls, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds or calls == 0:
        call()
        calls += 1
    return calls / elapsed
