"""Predictions, explanations and comparisons of collectives and messages."""

from __future__ import annotations

import dataclasses
import warnings
from typing import TYPE_CHECKING, Any

from . import _postage
from .arguments import CompareArguments, ExplainArguments, PredictArguments, Sizes, options_of, sizes_text, takes
from .rows import Rows

if TYPE_CHECKING:
    from typing_extensions import Unpack


class PredictionWarning(UserWarning):
    """What a prediction leaves out: models, or more ranks than errors are known for."""


@dataclasses.dataclass(frozen=True)
class Escalation:
    """A level that a gather's time may escalate to, and the share of gathers that were seen to."""

    seconds: float
    share: float | None


@dataclasses.dataclass(frozen=True)
class _Predicted:
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


@dataclasses.dataclass(frozen=True)
class Prediction(_Predicted):
    """A predicted time in seconds with its bounds: a 95 % interval where `bounds` is "held-out"."""

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
class Explained(_Predicted):
    """Where the time of a prediction goes. `text` is the tree as the command prints it."""

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


def _warn(remarks: list[str]) -> None:
    for remark in remarks:
        warnings.warn(remark, PredictionWarning, stacklevel=4)  # of who called predict, beyond what takes() adds


def _with_ranks(row: dict[str, Any]) -> dict[str, Any]:
    row["ranks"] = row.pop("P")
    row["escalations"] = tuple(Escalation(**level) for level in row["escalations"])
    return row


def _tree(node: dict[str, Any]) -> Explanation:
    return Explanation(node["label"], node["seconds"], tuple(_tree(part) for part in node.get("parts", [])))


@takes(PredictArguments)
def predict(collective: str, size: Sizes | None = None, **options: Unpack[PredictArguments]) -> Rows[Prediction]:
    """The time of a collective, or of one message with collective "p2p", by size, algorithm and model.

    Arguments are the options of `postage predict` of the same names, and what is left out has the same defaults.
    Raises UsageError and Error with the sentences that the command prints.
    """
    rows, remarks = _postage.predict(options_of(options, collective=collective, size=size))
    _warn(remarks)
    return Rows(Prediction(**_with_ranks(row)) for row in rows)


@takes(ExplainArguments)
def explain(collective: str, size: Sizes | None = None, **options: Unpack[ExplainArguments]) -> Rows[Explained]:
    """Where the time of a prediction goes, and what would make the collective faster; arguments as of predict."""
    rows, remarks = _postage.explain(options_of(options, collective=collective, size=size))
    _warn(remarks)
    explained: Rows[Explained] = Rows()
    for row in rows:
        row["explanation"] = _tree(row["explanation"])
        row["advice"] = tuple(Advice(**advice) for advice in row["advice"])
        row["resources"] = tuple(ResourceGain(**gain) for gain in row["resources"])
        explained.append(Explained(**_with_ranks(row)))
    return explained


@takes(CompareArguments)
def compare(collective: str, size: Sizes | None = None, **options: Unpack[CompareArguments]) -> Rows[Candidate]:
    """Algorithms and segment sizes by predicted time, the fastest first at each size; arguments as of predict."""
    given = options_of(options, collective=collective, size=size)
    segments = given.pop("segments", None)
    rows, remarks = _postage.compare(given) if segments is None else _postage.compare(given, sizes_text(segments))
    _warn(remarks)
    return Rows(Candidate(**_with_ranks(row)) for row in rows)
