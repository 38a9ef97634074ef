"""Conversion of Python objects to the fuzzy numbers of the library."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from operator import index
from typing import Any, NamedTuple

import numpy as np

from . import _fuzzion
from ._device import open_device

# Formulas of the functions of NumPy.
UFUNCS = {
    "add": "a + b", "subtract": "a - b", "multiply": "a * b", "divide": "a / b", "true_divide": "a / b",
    "minimum": "min(a, b)", "maximum": "max(a, b)", "negative": "-a", "positive": "a", "absolute": "abs(a)",
    "fabs": "abs(a)", "reciprocal": "recip(a)", "square": "sqr(a)", "sqrt": "sqrt(a)", "exp": "exp(a)", "log": "log(a)",
}  # fmt: skip

_UNBOUNDED = "[-inf, inf]"
_EXACT_INTEGER = 2**53


class Encoding(NamedTuple):
    """How numbers are represented, and where."""

    n_cuts: int = 11
    encoding: str = "lu"
    precision: str = "f64"
    device: str = "cpu"

    @staticmethod
    def of(options: dict[str, Any]) -> Encoding:
        """The encoding with these keyword arguments."""
        unknown = options.keys() - Encoding._fields
        if unknown:
            raise TypeError(f"unknown argument `{sorted(unknown)[0]}`; expected {', '.join(Encoding._fields)}")
        return Encoding(**options).checked()

    def checked(self) -> Encoding:
        """Checks the values."""
        n_cuts = check_integer("n_cuts", self.n_cuts, 1)
        if self.encoding not in ("lu", "mr"):
            raise ValueError(f"unknown `encoding` `{self.encoding}`; expected lu or mr")
        if self.precision not in ("f32", "f64", "mixed"):
            raise ValueError(f"unknown `precision` `{self.precision}`; expected f32, f64 or mixed")
        if self.precision == "mixed" and self.encoding == "lu":
            raise ValueError('precision="mixed" requires encoding="mr"')
        return self._replace(n_cuts=n_cuts)

    def without_cuts(self) -> dict[str, str]:
        """The keyword arguments of ``from_cuts``."""
        return {"encoding": self.encoding, "precision": self.precision, "device": self.device}

    def _create(self, create: Callable[..., Any], single: bool) -> _fuzzion.FuzzyNumbers:
        try:
            return create(open_device(self.device))
        except ValueError as error:
            message = str(error)
            raise ValueError(re.sub("^number 1: ", "", message) if single else message) from None

    def parse(self, texts: list[str], *, single: bool = False) -> _fuzzion.FuzzyNumbers:
        """Numbers from texts."""
        return self._create(lambda device: _fuzzion.FuzzyNumbers.parse(texts, *self[:3], device), single)

    def from_cuts(self, bounds: np.ndarray, *, single: bool = False) -> _fuzzion.FuzzyNumbers:
        """Numbers from bounds, numbers × cuts × 2."""
        bounds = np.ascontiguousarray(bounds, dtype=np.float64)
        return self._create(lambda device: _fuzzion.FuzzyNumbers.from_cuts(bounds, *self[1:3], device), single)

    def crisp(self, values: np.ndarray) -> _fuzzion.FuzzyNumbers:
        """Crisp numbers."""
        values = np.ascontiguousarray(values, dtype=np.float64)
        return _fuzzion.FuzzyNumbers.crisp(values, *self[:3], open_device(self.device))

    def shape(self, shape: str, parameters: np.ndarray, *, single: bool = False) -> _fuzzion.FuzzyNumbers:
        """Numbers of a shape, with a row of parameters each."""
        rows = np.ascontiguousarray(parameters, dtype=np.float64)
        return self._create(lambda device: _fuzzion.FuzzyNumbers.shape(shape, rows, *self[:3], device), single)


def default_cuts(values: Any, n_cuts: int | None) -> int:
    """The number of cuts, by default that of the first fuzzy number."""
    if n_cuts is not None:
        return n_cuts
    if _is_fuzzy(values):
        return values.n_cuts
    fuzzy = (value for value in values if _is_fuzzy(value)) if isinstance(values, list | tuple) else iter(())
    return next(fuzzy, Encoding()).n_cuts


def check_integer(name: str, value: Any, minimum: int) -> int:
    """An integer that is not too small."""
    try:
        number = int(value) if isinstance(value, float) and value.is_integer() else index(value)
    except TypeError:
        raise ValueError(f"`{name}` is {value!r}, but it must be an integer") from None
    if number < minimum or number >= 2**31:
        raise ValueError(f"`{name}` is {value!r}, but it must be an integer from {minimum} to 2³¹ − 1")
    return number


def relation_of(relation: str) -> tuple[str, bool]:
    """The relation of the library, and whether the operands must be swapped."""
    relations = {"<": ("<", False), "<=": ("<=", False), "==": ("==", False), ">": ("<", True), ">=": ("<=", True)}
    if relation not in relations:
        raise ValueError(f"unknown relation `{relation}`; expected <, <=, ==, >= or >")
    return relations[relation]


def exact_text(value: Any) -> str:
    """A number as text that the library reads without loss; a missing value is the unbounded number."""
    if type(value) is float and math.isfinite(value):
        return f"cuts([{value!r}, {value!r}])"
    if isinstance(value, str):
        return value if value.strip() else _UNBOUNDED
    if _is_fuzzy(value):
        return str(value)
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return _UNBOUNDED
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{value!r} is not a number")
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Fraction):
        return _fraction_text(value)
    if isinstance(value, Decimal) and value.is_finite():
        return f"{value:e}"
    if isinstance(value, np.longdouble) and np.isfinite(value):
        return _fraction_text(Fraction(*value.as_integer_ratio()))
    if isinstance(value, Real | Decimal):
        x = float(value)
        if math.isinf(x):
            return f"cuts([{sys.float_info.max!r}, inf])" if x > 0 else f"cuts([-inf, {-sys.float_info.max!r}])"
        return _UNBOUNDED if math.isnan(x) else f"cuts([{x!r}, {x!r}])"
    raise TypeError(f"{value!r} is not a number; expected a number or a text such as `tri(1, 2, 3)`")


def _fraction_text(value: Fraction) -> str:
    """The interval between the floats next to a fraction."""
    if Fraction(_EXACT_INTEGER) >= abs(value) and value.denominator == 1:
        return str(value.numerator)
    try:
        nearest = value.numerator / value.denominator
    except OverflowError:
        return exact_text(math.inf if value > 0 else -math.inf)
    exact = Fraction(nearest)
    lower = nearest if exact <= value else math.nextafter(nearest, -math.inf)
    upper = nearest if exact >= value else math.nextafter(nearest, math.inf)
    return f"cuts([{lower!r}, {upper!r}])"


def encode(value: Any, encoding: Encoding) -> _fuzzion.FuzzyNumbers:
    """Fuzzy numbers, real numbers, texts, or an iterable of them, in an encoding.

    Raises
    ------
    TypeError
        If the value is of another type.
    """
    if _is_fuzzy(value):
        if value._encoding[1:] == encoding[1:]:
            return value._numbers
        return value._numbers.to(encoding.encoding, encoding.precision, open_device(encoding.device))
    if value is None or isinstance(value, (int, float, str, Rational, Decimal)) or np.isscalar(value):
        return encoding.parse([exact_text(value)], single=True)
    if isinstance(value, Iterable) and not isinstance(value, np.ndarray):
        value = list(value) if not hasattr(value, "__array__") else value
        if isinstance(value, list) and not all(isinstance(item, float) for item in value):
            return encoding.parse([exact_text(item) for item in value])
    array = np.asarray(value)
    if array.ndim > 1:
        raise ValueError(f"the array has the shape {array.shape}; expected one dimension, or use `FuzzyArray.from_cuts`")
    array = np.atleast_1d(array)
    exact = array.dtype.kind == "f" and array.dtype.itemsize <= 8
    if exact or (array.dtype.kind in "iu" and (array.size == 0 or np.abs(array.astype(np.float64)).max() < _EXACT_INTEGER)):
        return encoding.crisp(array)
    if array.dtype.kind not in "iuOUTf":
        raise TypeError(f"cannot convert an array of {array.dtype} to fuzzy numbers")
    return encoding.parse([exact_text(item) for item in array.tolist()])


class OperandError(TypeError):
    """An operand that is not a number."""


def _is_fuzzy(value: Any) -> bool:
    return hasattr(value, "_numbers")


def _is_operand(value: Any) -> bool:
    if isinstance(value, (str, bool, np.bool_)):
        return False
    return isinstance(value, (int, float, list, tuple, Real, Decimal)) or hasattr(value, "__array__")


def columns_of(values: tuple[Any, ...]) -> tuple[list[_fuzzion.FuzzyNumbers], Encoding, bool]:
    """Operands in a common encoding, the encoding, and whether all are single numbers. Lower and upper bounds and double
    precision take precedence."""
    single, fuzzy = True, []
    for value in values:
        if _is_fuzzy(value):
            fuzzy.append(value)
            single = single and not hasattr(value, "__len__")
        elif not _is_operand(value):
            raise OperandError(f"cannot combine fuzzy numbers with {value!r}; expected a number or an array of numbers")
        else:
            single = single and (type(value) in (int, float) or np.ndim(value) == 0)
    common = common_encoding(fuzzy)
    columns = [encode(value, common) for value in values]
    if not single:
        lengths = list(dict.fromkeys(len(column) for column in columns if len(column) != 1))
        if len(lengths) > 1:
            raise ValueError(
                f"cannot combine arrays of lengths {lengths[0]} and {lengths[1]}; lengths must match, or one of them must be 1"
            )
    return columns, common, single


def common_encoding(fuzzy: list[Any]) -> Encoding:
    """The encoding for the result of an operation on fuzzy numbers."""
    first, *others = (value._encoding for value in fuzzy)
    if all(other == first for other in others):
        return first
    for other in others:
        if other.n_cuts != first.n_cuts:
            raise ValueError(
                f"cannot combine fuzzy numbers with {first.n_cuts} and {other.n_cuts} alpha-cuts; "
                "the numbers of alpha-cuts must match"
            )
    encodings = [first, *others]
    devices = {encoding.device for encoding in encodings} - {"cpu"}
    if len(devices) > 1:
        raise ValueError(f"the numbers are on different devices ({', '.join(sorted(devices))}); use `to(device=...)`")
    kind = "lu" if any(encoding.encoding == "lu" for encoding in encodings) else "mr"
    precisions = {encoding.precision for encoding in encodings}
    return Encoding(first.n_cuts, kind, precisions.pop() if len(precisions) == 1 else "f64", devices.pop() if devices else "cpu")
