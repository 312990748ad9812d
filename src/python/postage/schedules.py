"""Schedules of collectives: who sends what to whom, round by round."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import Any

import numpy

from . import _postage
from .jobs import Counts, options_of


@dataclasses.dataclass(frozen=True)
class Schedule:
    """An algorithm's messages, in order: arrays with an entry each. `channel` indexes `channels`."""

    collective: str
    algorithm: str
    ranks: int
    rounds: int
    channels: list[str]
    round: numpy.ndarray[Any, Any]
    segment: numpy.ndarray[Any, Any]
    source: numpy.ndarray[Any, Any]
    target: numpy.ndarray[Any, Any]
    bytes: numpy.ndarray[Any, Any]
    channel: numpy.ndarray[Any, Any]

    def __len__(self) -> int:
        return len(self.source)

    def traffic(self) -> numpy.ndarray[Any, Any]:
        """Bytes from each rank (row) to each rank (column)."""
        matrix = numpy.zeros((self.ranks, self.ranks), dtype=numpy.int64)
        numpy.add.at(matrix, (self.source, self.target), self.bytes)
        return matrix


def schedule(
    collective: str,
    algorithm: str | None = None,
    *,
    ranks: int | None = None,
    size: int | str | None = None,
    root: int | None = None,
    segment: int | str | None = None,
    counts: Counts | None = None,
    element: int | str | None = None,
    settings: Mapping[str, int] | None = None,
    within: str | None = None,
    among: str | None = None,
    nodes: int | None = None,
    per_node: int | None = None,
    mapping: str | os.PathLike[str] | None = None,
    platform: str | os.PathLike[str] | None = None,
) -> Schedule:
    """An algorithm's messages; arguments are the options of `postage schedule` of the same names."""
    return Schedule(**_postage.schedule(options_of(locals())))


def algorithms() -> list[dict[str, Any]]:
    """Every algorithm of every collective: what it does, its parameters, and what it is called elsewhere."""
    return _postage.algorithms()
