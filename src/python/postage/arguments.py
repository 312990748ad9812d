"""The arguments of predict, explain, compare and schedule: the options of the commands of these names, written once."""

from __future__ import annotations

import functools
import inspect
import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Callable, TypedDict, TypeVar, Union, cast

from ._postage import UsageError
from .platform import Platform

#: A number of bytes, "64K", several of them, or a range like "1K:1M:x2".
Sizes = Union[int, str, Iterable[Union[int, str]]]
#: Counts of elements, by rank; of alltoallv a row for each rank. Or the name of a file with them.
Counts = Union[str, "os.PathLike[str]", Sequence[Any]]

Function = TypeVar("Function", bound=Callable[..., Any])


class CollectiveArguments(TypedDict, total=False):
    """What every one of them takes. What is left out, or None, has the command's default."""

    platform: Platform | str | os.PathLike[str] | None
    ranks: int | None
    root: int | None
    counts: Counts | None
    element: int | str | None
    settings: Mapping[str, int] | None
    nodes: int | None
    per_node: int | None
    mapping: str | os.PathLike[str] | None


class ScheduleArguments(CollectiveArguments, total=False):
    size: int | str | None
    segment: int | str | None
    schedule: str | None
    within: str | None
    among: str | None


class ModelArguments(CollectiveArguments, total=False):
    model: str | None
    calls: str | None
    params: str | None
    levels: str | None
    algorithm: str | None


class CompareArguments(ModelArguments, total=False):
    segments: Sizes | None
    max_extrapolation: float | None


class ExplainArguments(ModelArguments, total=False):
    segment: int | str | None
    within: str | None
    among: str | None
    src: int | None
    dst: int | None
    schedule: str | os.PathLike[str] | None
    evaluator: str | None


class PredictArguments(ExplainArguments, total=False):
    stride: int | str | None
    run: int | str | None
    by_hand: bool | None
    max_extrapolation: float | None
    what_if: str | Sequence[str] | None


def takes(arguments: type) -> Callable[[Function], Function]:
    """Gives a function with **options the keyword arguments of a TypedDict: in its signature, and refusing others."""
    keywords = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=getattr(hint, "__forward_arg__", hint))
        for name, hint in arguments.__annotations__.items()
    ]

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)
        own = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
        names = {one.name for one in (*own, *keywords)}

        @functools.wraps(function)
        def checked(*values: Any, **options: Any) -> Any:
            unknown = [name for name in options if name not in names]
            if unknown:
                raise TypeError(f"{function.__name__}() got an unexpected keyword argument '{unknown[0]}'")
            return function(*values, **options)

        checked.__signature__ = signature.replace(parameters=[*own, *keywords])  # type: ignore[attr-defined]
        return cast(Function, checked)

    return decorate


#: The least and the most of options that are whole numbers. Which ranks there are, a job says.
ANY_RANK = (-(1 << 31), (1 << 31) - 1)
WHOLE_NUMBERS = {
    "ranks": (1, 1 << 30),
    "nodes": (1, 1 << 24),
    "per_node": (1, 1 << 16),
    "root": ANY_RANK,
    "src": ANY_RANK,
    "dst": ANY_RANK,
}


def whole_number(name: str, value: Any) -> int:
    """Of any type of whole numbers, NumPy's too."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r} is no whole number") from None
    least, most = WHOLE_NUMBERS[name]
    if not least <= number <= most:
        raise UsageError(f"{name} is {number}; give a number from {least} to {most}")
    return number


def sizes_text(sizes: Sizes) -> str:
    """As the command line writes sizes."""
    if isinstance(sizes, (bytes, bytearray)):
        raise TypeError(f"sizes are numbers or texts like '64K', not {sizes!r}")
    if isinstance(sizes, str) or not isinstance(sizes, Iterable):
        return str(sizes)
    return ",".join(str(size) for size in sizes)


def options_of(given: Mapping[str, Any], **positional: Any) -> dict[str, Any]:
    """Without those that were left out, and as the module takes them."""
    options = {name: value for name, value in {**given, **positional}.items() if value is not None}
    for name in ("size", "segment", "element", "stride", "run"):
        if name in options:
            options[name] = sizes_text(options[name])
    for name in WHOLE_NUMBERS:
        if name in options:
            options[name] = whole_number(name, options[name])
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
