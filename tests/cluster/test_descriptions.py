"""The files in examples/cluster: what ray says about its own, and what KubeRay's operator reads in the other."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from tengen.cluster.spool import PLACE

ray = pytest.importorskip("ray.autoscaler._private.util")
yaml = pytest.importorskip("yaml")  # comes with ray

EXAMPLES = Path(__file__).parents[2] / "examples" / "cluster"
#: Of a RayCluster, ray.io/v1: what is required, and what the example uses besides.
_HEAD = {"rayStartParams", "template"}
_WORKERS = {"groupName", "replicas", "minReplicas", "maxReplicas", "rayStartParams", "template"}


def load(name: str) -> list[Any]:
    return list(yaml.safe_load_all((EXAMPLES / name).read_text()))


def test_ray_accepts_the_description_of_machines() -> None:
    (config,) = load("machines.yaml")
    prepared = ray.prepare_config(config)
    ray.validate_config(prepared)
    assert prepared["max_workers"] == len(config["provider"]["worker_ips"])
    assert f"=={version('ray')}" in config["setup_commands"][0], "the ray that was tested"


def test_kubernetes_has_what_the_operator_reads() -> None:
    cluster, claim = load("kubernetes.yaml")
    assert (cluster["apiVersion"], cluster["kind"]) == ("ray.io/v1", "RayCluster")
    spec = cluster["spec"]
    assert spec["rayVersion"] == version("ray")
    assert spec["headGroupSpec"].keys() == _HEAD
    (workers,) = spec["workerGroupSpecs"]
    assert workers.keys() == _WORKERS
    assert workers["minReplicas"] <= workers["replicas"] <= workers["maxReplicas"]
    for group in (spec["headGroupSpec"], workers):
        assert all(isinstance(value, str) for value in group["rayStartParams"].values())
        pod = group["template"]["spec"]
        (container,) = pod["containers"]
        (volume,), (mount,) = pod["volumes"], container["volumeMounts"]
        assert volume["name"] == mount["name"]
        assert container["resources"]["limits"] == container["resources"]["requests"], "ray plays on what it may have"
    assert pod["containers"][0]["env"] == [{"name": PLACE, "value": mount["mountPath"]}]
    claimed = spec["headGroupSpec"]["template"]["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"]
    assert claimed == claim["metadata"]["name"]
