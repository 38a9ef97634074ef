"""Tables with named columns: dictionaries, lists of dictionaries, pandas, polars and Arrow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._arrays import DATES


@dataclass
class Frame:
    """A table with named columns, and how to create one of the same kind."""

    columns: list[str]
    column: Callable[[str], np.ndarray]
    build: Callable[[dict[str, np.ndarray]], Any]

    @staticmethod
    def of(X: Any) -> Frame | None:
        """The frame of a table with names; ``None`` for other objects, such as arrays."""
        library = type(X).__module__.partition(".")[0]
        if library == "pandas" and type(X).__name__ == "Series":
            X = X.to_dict()  # one row of a DataFrame
        if isinstance(X, Mapping):
            if X and all(np.ndim(value) == 0 for value in X.values()):
                scalar = {name: np.atleast_1d(value) for name, value in X.items()}
                return Frame(
                    list(scalar),
                    scalar.__getitem__,
                    lambda results: {name: float(values[0]) for name, values in results.items()},
                )
            lengths = [np.shape(value)[0] for value in X.values() if np.ndim(value) > 0]

            def column(name: str) -> np.ndarray:
                value = np.asarray(X[name])
                return value if value.ndim > 0 or not lengths else np.full(lengths[0], value)

            return Frame(list(X), column, lambda results: results)
        if isinstance(X, (list, tuple)) and X and isinstance(X[0], Mapping):
            return Frame(list(X[0]), lambda name: _column_of(X, name), _dictionaries)
        if library == "pandas" and hasattr(X, "columns"):
            import pandas

            def pandas_column(name: str) -> np.ndarray:
                column = X[name]
                if column.ndim != 1:
                    raise LookupError(f"several columns have the name `{name}`; rename them")
                if getattr(column.dtype, "kind", "") in DATES:
                    raise _dates(name)
                if column.dtype in (np.float32, np.float64):
                    return column.to_numpy()
                return column.to_numpy(dtype=np.float64, na_value=np.nan)

            return Frame(list(X.columns), pandas_column, lambda results: pandas.DataFrame(results, index=X.index))
        if library == "polars" and type(X).__name__ in ("DataFrame", "LazyFrame"):
            import polars

            if isinstance(X, polars.LazyFrame):
                X = X.collect()
            numeric = (polars.Float32, polars.Float64)

            def polars_column(name: str) -> np.ndarray:
                column = X[name]
                if column.dtype.is_temporal():
                    raise _dates(name)
                return (column if column.dtype in numeric else column.cast(polars.Float64)).to_numpy()

            return Frame(list(X.columns), polars_column, polars.DataFrame)
        if library == "pyarrow" and hasattr(X, "column_names"):
            import pyarrow

            table = pyarrow.Table.from_batches([X]) if isinstance(X, pyarrow.RecordBatch) else X
            build = pyarrow.table if table is X else pyarrow.RecordBatch.from_pydict
            return Frame(list(table.column_names), lambda name: table.column(name).to_numpy(), build)
        return None

    def rows(self, names: Sequence[str], alternatives: Sequence[str]) -> np.ndarray:
        """The columns with these names, or else with the alternatives, as an array of rows × columns."""
        found = []
        for name, alternative in zip(names, alternatives, strict=True):
            known = name if name in self.columns else alternative
            if known not in self.columns:
                available = ", ".join(f"`{column}`" for column in self.columns[:12])
                more = f" and {len(self.columns) - 12} more" if len(self.columns) > 12 else ""
                raise ValueError(f"missing column `{name}`; available columns: {available}{more}")
            try:
                column = np.asarray(self.column(known))
                if column.dtype.kind in DATES:
                    raise _dates(known)
                found.append(column if column.dtype == np.float32 else column.astype(np.float64, copy=False))
            except LookupError as error:
                raise ValueError(str(error)) from None
            except (TypeError, ValueError) as error:
                raise ValueError(f"column `{known}` contains text, but the system needs numbers") from error
        lengths = {len(column) for column in found}
        if len(lengths) > 1:
            raise ValueError(f"the columns have different lengths: {', '.join(map(str, sorted(lengths)))}")
        return np.ascontiguousarray(np.column_stack(found))

    def result(self, names: Sequence[str], values: np.ndarray) -> Any:
        """A table of the same kind with these columns."""
        return self.build({name: np.ascontiguousarray(values[:, i]) for i, name in enumerate(names)})


def _dates(name: str) -> LookupError:
    return LookupError(f"column `{name}` contains dates, but numbers are needed; convert them, for example to days since a date")


def _column_of(rows: Sequence[Mapping[str, Any]], name: str) -> np.ndarray:
    """A column of a list of dictionaries."""
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping) or name not in row:
            raise LookupError(f"row {i} of the list has no `{name}`; all rows must be dictionaries with this key")
    return np.array([row[name] for row in rows])


def _dictionaries(columns: dict[str, np.ndarray]) -> list[dict[str, float]]:
    """A list of dictionaries with these columns."""
    return [dict(zip(columns, map(float, values), strict=True)) for values in zip(*columns.values(), strict=True)]
