"""Formulas over columns of fuzzy numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _fuzzion
from ._device import open_device
from ._frames import Frame
from ._fuzzy import Fuzzy
from ._numbers import FuzzyArray, FuzzyNumber
from ._operands import Encoding, common_encoding, encode
from ._progress import progress_bar


def evaluate(
    formula: str,
    data: Any = None,
    /,
    *,
    constants: Mapping[str, Any] | None = None,
    method: str = "direct",
    n_cuts: int | None = None,
    encoding: str | None = None,
    precision: str | None = None,
    device: str | None = None,
    verbose: bool = False,
) -> Any:
    """Evaluates a formula for every row of a table, with certified bounds.

    Parameters
    ----------
    formula : str
        As on the command line: ``+ - * / ^``, parentheses, the functions recip, sqr, sqrt, exp, log, abs, min, max and
        fma(x, y, z), and numbers such as ``2`` or ``tri(1, 2, 3)``. Other names are columns or constants.
    data : dict, DataFrame or Table, optional
        Columns by name: real numbers, texts such as ``"tri(1, 2, 3)"``, or a FuzzyArray; in a dictionary also single numbers.
        Missing values are the unbounded number.
    constants : dict, optional
        Values of other variables, the same for all rows.
    method : str
        How to treat variables that occur repeatedly. The bounds of every method enclose the exact result at each cut; they are
        exact, up to outward rounding, under these conditions:

        - ``"direct"``, operator by operator: if every variable occurs once; other variables are treated as independent in each
          place.
        - ``"vertex"``, at the ends of the cuts: if bounds of the derivatives prove that the formula is monotone in every
          variable over the cut. Otherwise, the cut is bisected, up to 256 times, and the bounds can be wider than necessary.
        - ``"affine"``, with first-order dependence on the variables: if the formula is linear. Faster than "vertex" for many
          variables.
    n_cuts, encoding, precision, device
        As for :class:`FuzzyNumber`; by default, those of the fuzzy numbers in `data` and `constants`.
    verbose : bool
        Whether to show a progress bar.

    Returns
    -------
    FuzzyArray, or FuzzyNumber if no variable is a column

    Examples
    --------
    >>> import fuzzion
    >>> plan = {"demand": ["tri(90, 100, 120)", "[50, 60]"], "price": [2.0, 2.5]}
    >>> fuzzion.evaluate("demand * price - cost", plan, constants={"cost": "tri(30, 40, 50)"}, n_cuts=2)
    FuzzyArray([
        'cuts([130, 210], [160, 160])',
        'cuts([75, 120], [85, 110])',
    ])
    >>> fuzzion.evaluate("x * (1 - x)", {"x": "tri(0, 0.25, 0.5)"}, method="vertex", n_cuts=2)
    FuzzyNumber('cuts([0, 0.25], [0.1875, 0.1875])')
    """
    if isinstance(data, (list, tuple)) and (frame := Frame.of(data)) is not None:
        data = {name: frame.column(name) for name in frame.columns}  # of dictionaries
    values = {name: _value(name, data, constants or {}) for name in _fuzzion.formula_variables(formula)}
    fuzzy = [value for value in values.values() if isinstance(value, Fuzzy)]
    default = common_encoding(fuzzy) if fuzzy else Encoding()
    options = (default.n_cuts if n_cuts is None else n_cuts, encoding or default.encoding, precision or default.precision)
    target = Encoding(*options, device or default.device).checked()
    columns = [(name, _column(name, value, target)) for name, value in values.items()]
    with progress_bar(verbose, "evaluating") as progress:
        result = _fuzzion.evaluate_formula(formula, columns, *target[:3], method, open_device(target.device), progress=progress)
    single = all(isinstance(value, FuzzyNumber) or np.ndim(value) == 0 for value in values.values())
    return (FuzzyNumber if single else FuzzyArray)._from(result, target)


def _value(name: str, data: Any, constants: Mapping[str, Any]) -> Any:
    """The value of a variable."""
    if name in constants:
        return constants[name]
    if isinstance(data, Mapping):
        if name in data:
            return data[name]
        known = list(data)
    else:
        frame = None if data is None else Frame.of(data)
        if data is not None and frame is None:
            raise TypeError(f"`data` is of the type {type(data).__name__}; expected a dictionary, a DataFrame or an Arrow table")
        known = [] if frame is None else frame.columns
        if name in known:
            column = data[name]
            return column.to_pylist() if hasattr(column, "to_pylist") else column.to_numpy()
    available = ", ".join(f"`{known}`" for known in [*known, *constants]) or "none"
    raise ValueError(f"missing column `{name}`; available columns and constants: {available}")


def _column(name: str, value: Any, target: Encoding) -> _fuzzion.FuzzyNumbers:
    try:
        return encode(value, target)
    except (TypeError, ValueError) as error:
        raise type(error)(f"column `{name}`: {error}") from None
