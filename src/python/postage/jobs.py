"""Predictions, explanations and comparisons of collectives and messages."""

from __future__ import annotations

import dataclasses
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

from . import _postage
from .platform import Platform
from .rows import Rows

#: A number of bytes, "64K", several of them, or a range like "1K:1M:x2".
Sizes = Union[int, str, Iterable[Union[int, str]]]
#: Counts of elements, by rank; of alltoallv a row for each rank. Or the name of a file with them.
Counts = Union[str, "os.PathLike[str]", Sequence[Any]]


class PredictionWarning(UserWarning):
    """What a prediction leaves out: models, or more ranks than errors are known for."""


@dataclasses.dataclass(frozen=True)
class Escalation:
    """A level that a gather's time may escalate to, and the share of gathers that were seen to."""

    seconds: float
    share: float | None


@dataclasses.dataclass(frozen=True)
class Prediction:
    """A predicted time in seconds with its bounds: a 95 % interval where `bounds` is "held-out"."""

    collective: str
    algorithm: str
    ranks: int
    bytes: int
    segment: int
    model: str
    seconds: float
    lower: float
    upper: float
    bounds: str
    extrapolated: bool
    evaluator: str
    may_escalate: bool
    escalating_rounds: int
    escalations: tuple[Escalation, ...]
    model_choice: str = ""
    what_if: str = ""  #: the machine that was asked about; empty for the platform's own
    further_nodes: int = 0  #: of what_if: nodes beyond those that were measured
    times_faster: float = float("nan")  #: of what_if: than on the platform's own machine


@dataclasses.dataclass(frozen=True)
class Explanation:
    """A part of a predicted time, and the parts that it consists of: their seconds add up to its own."""

    label: str
    seconds: float
    parts: tuple[Explanation, ...]


@dataclasses.dataclass(frozen=True)
class Advice:
    """A change that makes a collective faster, by prediction."""

    change: str
    seconds: float
    times_faster: float


@dataclasses.dataclass(frozen=True)
class ResourceGain:
    """What a collective would take if one resource of the platform were twice as good."""

    change: str
    seconds: float
    lower: float
    upper: float
    times_faster: float


@dataclasses.dataclass(frozen=True)
class Explained:
    """Where the time of a prediction goes. `text` is the tree as the command prints it."""

    collective: str
    algorithm: str
    ranks: int
    bytes: int
    segment: int
    model: str
    seconds: float
    lower: float
    upper: float
    bounds: str
    evaluator: str
    explanation: Explanation
    advice: tuple[Advice, ...]
    resources: tuple[ResourceGain, ...]
    text: str
    may_escalate: bool
    escalating_rounds: int
    escalations: tuple[Escalation, ...]
    model_choice: str = ""


@dataclasses.dataclass(frozen=True)
class Candidate:
    """An algorithm with a segment size, and its place among all of them: 1 is the fastest. `ratio` is over that one."""

    collective: str
    ranks: int
    bytes: int
    model: str
    place: int
    algorithm: str
    segment: int
    seconds: float
    lower: float
    upper: float
    bounds: str
    ratio: float
    evaluator: str
    recommended: bool
    may_escalate: bool
    escalating_rounds: int
    escalations: tuple[Escalation, ...]
    model_choice: str = ""


def sizes_text(sizes: Sizes) -> str:
    """As the command line writes sizes."""
    if isinstance(sizes, str) or not isinstance(sizes, Iterable):
        return str(sizes)
    return ",".join(str(size) for size in sizes)


def options_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Without those that were left out, and as the module takes them."""
    options = {name: value for name, value in given.items() if value is not None}
    for name in ("size", "segment", "element", "stride", "run"):
        if name in options:
            options[name] = sizes_text(options[name])
    counts = options.get("counts")
    if isinstance(counts, (str, os.PathLike)):
        options["counts_file"] = os.fspath(options.pop("counts"))
    elif counts is not None and hasattr(counts, "tolist"):
        options["counts"] = counts.tolist()
    if isinstance(options.get("what_if"), str):
        options["what_if"] = [options["what_if"]]
    if "settings" in options:
        options["settings"] = [f"{name}={value}" for name, value in options["settings"].items()]
    for name in ("mapping", "schedule"):
        if name in options:
            options[name] = os.fspath(options[name])
    platform = options.get("platform")
    if isinstance(platform, Platform):
        options["known_platform"] = platform._platform
        options["platform"] = platform.path
    elif platform is not None:
        options["platform"] = os.fspath(platform)
    return options


def _warn(remarks: list[str]) -> None:
    for remark in remarks:
        warnings.warn(remark, PredictionWarning, stacklevel=3)


def _with_ranks(row: dict[str, Any]) -> dict[str, Any]:
    row["ranks"] = row.pop("P")
    row["escalations"] = tuple(Escalation(**level) for level in row["escalations"])
    return row


def _tree(node: dict[str, Any]) -> Explanation:
    return Explanation(node["label"], node["seconds"], tuple(_tree(part) for part in node.get("parts", [])))


def predict(
    collective: str,
    size: Sizes | None = None,
    *,
    platform: Platform | str | os.PathLike[str] | None = None,
    model: str | None = None,
    params: str | None = None,
    levels: str | None = None,
    algorithm: str | None = None,
    ranks: int | None = None,
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
    src: int | None = None,
    dst: int | None = None,
    stride: int | str | None = None,
    run: int | str | None = None,
    by_hand: bool | None = None,
    schedule: str | os.PathLike[str] | None = None,
    evaluator: str | None = None,
    max_extrapolation: float | None = None,
    what_if: str | Sequence[str] | None = None,
) -> Rows[Prediction]:
    """The time of a collective, or of one message with collective "p2p", by size, algorithm and model.

    Arguments are the options of `postage predict` of the same names, and what is left out has the same defaults.
    Raises UsageError and Error with the sentences that the command prints.
    """
    rows, remarks = _postage.predict(options_of(locals()))
    _warn(remarks)
    return Rows(Prediction(**_with_ranks(row)) for row in rows)


def explain(
    collective: str,
    size: Sizes | None = None,
    *,
    platform: Platform | str | os.PathLike[str] | None = None,
    model: str | None = None,
    params: str | None = None,
    levels: str | None = None,
    algorithm: str | None = None,
    ranks: int | None = None,
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
    src: int | None = None,
    dst: int | None = None,
    schedule: str | os.PathLike[str] | None = None,
    evaluator: str | None = None,
) -> Rows[Explained]:
    """Where the time of a prediction goes, and what would make the collective faster; arguments as of predict."""
    rows, remarks = _postage.explain(options_of(locals()))
    _warn(remarks)
    explained: Rows[Explained] = Rows()
    for row in rows:
        row["explanation"] = _tree(row["explanation"])
        row["advice"] = tuple(Advice(**advice) for advice in row["advice"])
        row["resources"] = tuple(ResourceGain(**gain) for gain in row["resources"])
        explained.append(Explained(**_with_ranks(row)))
    return explained


def compare(
    collective: str,
    size: Sizes | None = None,
    *,
    platform: Platform | str | os.PathLike[str] | None = None,
    model: str | None = None,
    params: str | None = None,
    levels: str | None = None,
    algorithm: str | None = None,
    segments: Sizes | None = None,
    ranks: int | None = None,
    root: int | None = None,
    counts: Counts | None = None,
    element: int | str | None = None,
    settings: Mapping[str, int] | None = None,
    nodes: int | None = None,
    per_node: int | None = None,
    mapping: str | os.PathLike[str] | None = None,
    max_extrapolation: float | None = None,
) -> Rows[Candidate]:
    """Algorithms and segment sizes by predicted time, the fastest first at each size; arguments as of predict."""
    options = options_of(locals())
    segment_sizes = options.pop("segments", None)
    rows, remarks = _postage.compare(options) if segment_sizes is None else _postage.compare(options, sizes_text(segment_sizes))
    _warn(remarks)
    return Rows(Candidate(**_with_ranks(row)) for row in rows)
