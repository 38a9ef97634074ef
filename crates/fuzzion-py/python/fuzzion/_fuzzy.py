"""What fuzzy numbers and arrays of them have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from . import _fuzzion
from ._device import open_device
from ._operands import UFUNCS, Encoding, OperandError, check_integer, columns_of, encode, relation_of

_Self = TypeVar("_Self", bound="Fuzzy")


def _operator(formula: str) -> Callable[[Any, Any], Any]:
    def operator(self: Fuzzy, other: Any) -> Any:
        try:
            return _apply(formula, self, other)
        except OperandError:
            return NotImplemented

    return operator


def _function(formula: str, doc: str) -> Callable[[Any], Any]:
    def function(self: Any) -> Any:
        return _apply(formula, self)

    function.__doc__ = doc
    return function


class Fuzzy:
    """What fuzzy numbers and arrays have in common. Objects are never changed by an operation."""

    __pandas_priority__ = 5000  # `series + numbers` calls our operator

    _numbers: _fuzzion.FuzzyNumbers
    _encoding: Encoding

    @classmethod
    def _from(cls: type[_Self], numbers: _fuzzion.FuzzyNumbers, encoding: Encoding) -> _Self:
        created = cls.__new__(cls)
        created._numbers, created._encoding = numbers, encoding
        return created

    @property
    def n_cuts(self) -> int:
        """Number of α-cuts."""
        return self._encoding.n_cuts

    @property
    def alphas(self) -> np.ndarray:
        """Levels of the α-cuts, from 0 (the support) to 1 (the core); a single cut is the support."""
        return np.linspace(0.0, 1.0, self.n_cuts)

    @property
    def encoding(self) -> str:
        """``"lu"`` (lower and upper bounds) or ``"mr"`` (midpoint and radii)."""
        return self._encoding.encoding

    @property
    def precision(self) -> str:
        """``"f64"``, ``"f32"`` or ``"mixed"`` (midpoints in f64, radii in f32)."""
        return self._encoding.precision

    @property
    def device(self) -> str:
        """The device that computes, and in whose memory the numbers are."""
        return self._encoding.device

    def to(self: _Self, *, encoding: str | None = None, precision: str | None = None, device: str | None = None) -> _Self:
        """The same numbers, enclosed in another encoding or precision, or in the memory of another device."""
        target = Encoding(self.n_cuts, encoding or self.encoding, precision or self.precision, device or self.device).checked()
        return self._from(encode(self, target), target)

    @property
    def _opened(self) -> _fuzzion.Device:
        return open_device(self._encoding.device)

    def _bounds(self) -> np.ndarray:
        """Bounds of all cuts, numbers × cuts × 2."""
        return self._numbers.bounds_array(self._opened)

    def _shaped(self, values: np.ndarray) -> Any:
        """Values with an axis of numbers, as this object returns them."""
        return values

    @property
    def cuts(self) -> np.ndarray:
        """Lower and upper bounds of the α-cuts, support first: cuts × 2 for a number, numbers × cuts × 2 for an array."""
        return self._shaped(self._bounds())

    @property
    def lower(self) -> np.ndarray:
        """Lower bounds of the α-cuts, support first."""
        return self.cuts[..., 0]

    @property
    def upper(self) -> np.ndarray:
        """Upper bounds of the α-cuts, support first."""
        return self.cuts[..., 1]

    @property
    def support(self) -> np.ndarray:
        """Lower and upper bound of the outermost cut, α = 0."""
        return self.cuts[..., 0, :]

    @property
    def core(self) -> np.ndarray:
        """Lower and upper bound of the innermost cut, α = 1."""
        return self.cuts[..., -1, :]

    def defuzzify(self, method: str = "centroid") -> Any:
        """A real number for each fuzzy number; NaN if it is undefined because cuts are unbounded. The result is rounded, not certified.

        Parameters
        ----------
        method : str
            ``"centroid"``, ``"mean-of-maxima"``, ``"yager"`` or ``"possibilistic-mean"``.
        """
        return self._shaped(self._numbers.defuzzify(method, self._opened))

    def membership(self, x: Any) -> Any:
        """Membership of the value `x`, linear between the cuts. A number takes one value or an array of values, an array
        one value for all numbers or one per number."""
        values = np.asarray(x, dtype=np.float64)
        if values.ndim > 1:
            raise ValueError(f"`x` has the shape {values.shape}; expected a number or an array of one dimension")
        results = self._numbers.membership(np.ascontiguousarray(np.atleast_1d(values)), self._opened)
        return self._shaped(results) if values.ndim == 0 else results

    def possibility(self, relation: str, other: Any) -> Any:
        """Possibility that the relation ``"<"``, ``"<="``, ``"=="``, ``">="`` or ``">"`` holds, from 0 to 1: the highest level at
        which the cuts allow it."""
        return self._compare("possibility", relation, other)

    def necessity(self, relation: str, other: Any) -> Any:
        """Necessity of the relation: 1 − the possibility of its complement. Relations are those of :meth:`possibility`."""
        return self._compare("necessity", relation, other)

    def distance(self, other: Any, method: str = "hausdorff") -> Any:
        """Distance: ``"hausdorff"`` (largest distance of bounds), ``"manhattan"`` or ``"euclidean"`` (mean over the levels)."""
        return self._compare("distance", method, other)

    def _compare(self, measure: str, relation: str, other: Any) -> Any:
        (a, b), encoding, single = columns_of((self, other))
        if measure != "distance":
            relation, swapped = relation_of(relation)
            a, b = (b, a) if swapped else (a, b)
        results = a.compare(measure, relation, b, open_device(encoding.device))
        return float(results[0]) if single else results

    def encloses(self, other: Any) -> Any:
        """Whether every cut of `other` is within the cut of this number at the same level."""
        (a, b), encoding, single = columns_of((self, other))
        a, b = (numbers.bounds_array(open_device(encoding.device)) for numbers in (a, b))
        result = ((a[..., 0] <= b[..., 0]) & (b[..., 1] <= a[..., 1])).all(axis=1)
        return bool(result[0]) if single else result

    def mul_add(self, factor: Any, addend: Any) -> Any:
        """``self * factor + addend``, rounded once."""
        return _apply("fma(a, b, c)", self, factor, addend)

    def axpy(self, a: Any, b: Any, steps: int) -> Any:
        """The iteration c ← a·c + b, `steps` times, starting from this number."""
        (c, a, b), encoding, single = columns_of((self, a, b))
        result = c.axpy(a, b, check_integer("steps", steps, 0), open_device(encoding.device))
        return _result(result, encoding, single)

    __add__, __radd__ = _operator("a + b"), _operator("b + a")
    __sub__, __rsub__ = _operator("a - b"), _operator("b - a")
    __mul__, __rmul__ = _operator("a * b"), _operator("b * a")
    __truediv__, __rtruediv__ = _operator("a / b"), _operator("b / a")
    __neg__ = _function("-a", "−x.")
    __abs__ = _function("abs(a)", "|x|.")
    recip = _function("recip(a)", "1 / x; unbounded on at least one side where a cut contains 0.")
    sqr = _function("sqr(a)", "x², which is never negative, unlike x · x.")
    sqrt = _function("sqrt(a)", "√x, of the part of x in the domain.")
    exp = _function("exp(a)", "eˣ.")
    log = _function("log(a)", "Natural logarithm, of the part of x in the domain.")

    def __pos__(self: _Self) -> _Self:
        return self

    def __pow__(self, exponent: int) -> Any:
        exponent = check_integer("exponent", exponent, -(2**31) + 1)
        return _apply(f"a ^ {exponent}", self)

    def _no_order(self, other: Any) -> Any:
        raise TypeError(
            'fuzzy numbers may overlap and have no order; use `x.possibility("<", y)`, `x.necessity("<", y)` or `x.defuzzify()`'
        )

    __lt__ = __le__ = __gt__ = __ge__ = _no_order

    def __eq__(self, other: object) -> Any:
        try:
            (a, b), encoding, single = columns_of((self, other))
        except OperandError:
            return NotImplemented
        a, b = (numbers.bounds_array(open_device(encoding.device)) for numbers in (a, b))
        result = (a == b).all(axis=(1, 2))
        return bool(result[0]) if single else result

    def __ne__(self, other: object) -> Any:
        result = self.__eq__(other)
        return result if result is NotImplemented else (not result if isinstance(result, bool) else ~result)

    __hash__ = None  # type: ignore[assignment]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("the bounds cannot be used without a copy; use `copy=None` or `copy=True`")
        return self.cuts if dtype is None else self.cuts.astype(dtype)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options:
            return NotImplemented
        if ufunc is np.power and isinstance(inputs[0], Fuzzy):
            return inputs[0] ** inputs[1]
        if ufunc in (np.equal, np.not_equal):
            first, second = inputs if isinstance(inputs[0], Fuzzy) else inputs[::-1]
            return first == second if ufunc is np.equal else first != second
        if ufunc is np.matmul:
            return inputs[0].dot(inputs[1]) if isinstance(inputs[0], Fuzzy) else inputs[1].dot(inputs[0])
        formula = UFUNCS.get(ufunc.__name__)
        try:
            return NotImplemented if formula is None else _apply(formula, *inputs)
        except OperandError:
            return NotImplemented

    def __reduce__(self) -> Any:
        if self.encoding == "mr":
            return _restore, (type(self), self._numbers.texts(self._opened), None, tuple(self._encoding))
        return _restore, (type(self), None, self._bounds(), tuple(self._encoding))

    def _repr_html_(self) -> str:
        from ._html import fuzzy_html

        return fuzzy_html(self)


def _restore(kind: type[_Self], texts: list[str] | None, bounds: np.ndarray | None, encoding: tuple[Any, ...]) -> _Self:
    """Unpickles numbers."""
    target = Encoding(*encoding)
    return kind._from(target.parse(texts) if texts is not None else target.from_cuts(bounds), target)


def _result(numbers: _fuzzion.FuzzyNumbers, encoding: Encoding, single: bool) -> Any:
    from ._numbers import FuzzyArray, FuzzyNumber

    return (FuzzyNumber if single else FuzzyArray)._from(numbers, encoding)


def _apply(formula: str, *operands: Any) -> Any:
    """Evaluates a formula of a, b and c; the result is an array if an operand is."""
    columns, encoding, single = columns_of(operands)
    n_cuts, kind, precision, device = encoding
    named = list(zip("abc", columns, strict=False))
    result = _fuzzion.evaluate_formula(formula, named, n_cuts, kind, precision, "direct", open_device(device))
    return _result(result, encoding, single)
