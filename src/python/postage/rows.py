"""Lists of results whose members are also columns."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import numpy

Row = TypeVar("Row")


class Rows(list[Row]):
    """Results of one kind. `rows[0].seconds` is a number, `rows.column("seconds")` a NumPy array of all of them."""

    def column(self, name: str) -> numpy.ndarray[Any, Any]:
        """One member of every row, as floats, integers, booleans or texts."""
        return numpy.array([getattr(row, name) for row in self])

    def columns(self) -> dict[str, numpy.ndarray[Any, Any]]:
        """Every member that is a number, a text or a truth value: `pandas.DataFrame(rows.columns())` takes it."""
        if not self:
            return {}
        names = [field.name for field in dataclasses.fields(self[0])]  # type: ignore[arg-type]
        return {name: self.column(name) for name in names if isinstance(getattr(self[0], name), (bool, int, float, str))}
