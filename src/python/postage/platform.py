"""Platform files: what a machine or a cluster is, and what was measured and estimated on it."""

from __future__ import annotations

import dataclasses
import os
from typing import Any

import numpy

from . import _postage


@dataclasses.dataclass(frozen=True)
class Estimate:
    """A parameter in SI units with its 95 % interval, which is infinite where it is not known."""

    value: float
    lower: float
    upper: float


@dataclasses.dataclass(frozen=True)
class Curve:
    """A parameter that depends on the size: arrays with an entry for each size, which ascend."""

    bytes: numpy.ndarray[Any, Any]
    value: numpy.ndarray[Any, Any]
    lower: numpy.ndarray[Any, Any]
    upper: numpy.ndarray[Any, Any]


@dataclasses.dataclass(frozen=True)
class ParameterGroup:
    """Parameters by symbol, of messages of at least `from_bytes` over a channel, between two ranks, or of a processor."""

    channel: str  #: "all", or empty for those of a pair or a processor
    pair: tuple[int, int] | None
    processor: int | None
    from_bytes: int
    values: dict[str, Estimate]
    curves: dict[str, Curve]
    surfaces: dict[str, dict[float, Curve]]  #: by the number of concurrent transfers, or the stride


def _group(first: tuple[Any, ...]) -> ParameterGroup:
    channel, source, target, processor, from_bytes, values, curves, surfaces = first
    return ParameterGroup(
        channel,
        (source, target) if source >= 0 else None,
        processor if processor >= 0 else None,
        from_bytes,
        {symbol: Estimate(*estimate) for symbol, estimate in values.items()},
        {symbol: Curve(*curve) for symbol, curve in curves.items()},
        {symbol: {at: Curve(*curve) for at, curve in rows.items()} for symbol, rows in surfaces.items()},
    )


class Platform:
    """A platform file. Raises Error naming the file and what is wrong with it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: str = os.fspath(path)
        self._platform = _postage.Platform(self.path)
        #: The file's contents: dictionaries, lists and numbers, as docs/files.md describes them.
        self.document: dict[str, Any] = self._platform.document()

    def __repr__(self) -> str:
        return f"<postage.Platform {self.name}: {len(self.ranks)} ranks on {len(self.nodes)} nodes, {len(self.models)} models>"

    @property
    def name(self) -> str:
        return str(self.document["name"])

    @property
    def implementation(self) -> str:
        """The MPI library that it was measured with."""
        return str(self.document["implementation"])

    @property
    def channels(self) -> list[str]:
        """Locality levels, the nearest first."""
        return list(self.document["channels"])

    @property
    def nodes(self) -> list[str]:
        return [str(node["name"]) for node in self.document["nodes"]]

    @property
    def ranks(self) -> list[tuple[int, int]]:
        """Node and core of each rank, as indices."""
        return [(rank["node"], rank["core"]) for rank in self.document["ranks"]]

    @property
    def models(self) -> list[str]:
        return [str(table["model"]) for table in self.document["models"]]

    def parameters(self, model: str) -> list[ParameterGroup]:
        """The groups of a model's parameters: by channel, pair of ranks or processor. Raises UsageError."""
        return [_group(group) for group in self._platform.parameters(model)]

    def points(self) -> dict[str, numpy.ndarray[Any, Any]]:
        """Measured messages, one entry each: source, target, channel, bytes, and seconds one way with lower and upper."""
        return {name: numpy.asarray(column) for name, column in self._platform.points().items()}
