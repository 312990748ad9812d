"""Decision tables: which algorithm of an MPI library to use when (postage tune)."""

from __future__ import annotations

import dataclasses
import os
from typing import Any

from . import _postage
from .rows import Rows


@dataclasses.dataclass(frozen=True)
class Rule:
    """What to do for communicators and sizes between two ends, both included; None is no end."""

    collective: str
    nodes: tuple[int, int | None]
    ranks: tuple[int, int | None]
    bytes: tuple[int, int | None]
    algorithm: str
    library_name: str
    segment: int
    parameters: dict[str, int]
    predicted: float
    predicted_interval: tuple[float | None, float | None]
    default_seconds: float
    gain: float  #: share of the default's time that is saved
    gain_interval: tuple[float | None, float | None]
    gain_source: str  #: "measured" or "predicted"


@dataclasses.dataclass(frozen=True)
class Cell:
    """A point of the grid that the rules were made from. No algorithm: the library's default stays."""

    collective: str
    nodes: int
    ranks: int
    bytes: int
    algorithm: str
    segment: int
    tuned_seconds: float
    default_seconds: float
    measured: bool


def _rule(rule: dict[str, Any]) -> Rule:
    choice, gain = rule["choice"], rule["gain"]
    return Rule(
        collective=rule["collective"],
        nodes=tuple(rule["nodes"]),
        ranks=tuple(rule["ranks"]),
        bytes=tuple(rule["bytes"]),
        algorithm=choice["algorithm"],
        library_name=choice["library_name"],
        segment=choice["segment"],
        parameters=choice["parameters"],
        predicted=rule["predicted"],
        predicted_interval=tuple(rule["predicted_interval"]),
        default_seconds=rule["default_seconds"],
        gain=gain["share"],
        gain_interval=tuple(gain["interval"]),
        gain_source=gain["source"],
    )


def _cell(cell: dict[str, Any]) -> Cell:
    choice = cell.pop("choice")
    return Cell(algorithm=choice["algorithm"], segment=choice["segment"], **cell)


class DecisionTable:
    """A decision table. Raises Error naming the file and what is wrong with it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._table = _postage.DecisionTable(os.fspath(path))
        document = self._table.document()
        self.target: str = document["target"]
        self.target_version: str = document["target_version"]
        self.platform: str = document["platform"]
        self.created: str = document["created"]
        self.rules: Rows[Rule] = Rows(_rule(rule) for rule in document["rules"])
        #: Rules that are not in force, with the reason.
        self.dropped: list[tuple[Rule, str]] = [(_rule(one["rule"]), one["reason"]) for one in document["dropped"]]
        self.cells: Rows[Cell] = Rows(_cell(cell) for cell in document["cells"])

    def lookup(self, collective: str, size: int | str, *, ranks: int, nodes: int = 1) -> Rule | None:
        """The rule that holds; None where the library's default stays."""
        place = self._table.lookup(collective, ranks, nodes, str(size))
        return None if place is None else self.rules[place]
