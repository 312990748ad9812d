"""Schedules of collectives: who sends what to whom, round by round."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy

from . import _postage
from .arguments import ScheduleArguments, options_of, takes

if TYPE_CHECKING:
    from typing_extensions import Unpack


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


@takes(ScheduleArguments)
def schedule(collective: str, algorithm: str | None = None, **options: Unpack[ScheduleArguments]) -> Schedule:
    """An algorithm's messages; arguments are the options of `postage schedule` of the same names."""
    given = options_of(options, collective=collective, algorithm=algorithm)
    given.pop("known_platform", None)  # it is read again: only its channels are needed
    return Schedule(**_postage.schedule(given))


def algorithms() -> list[dict[str, Any]]:
    """Every algorithm of every collective: what it does, its parameters, and what it is called elsewhere."""
    return _postage.algorithms()
