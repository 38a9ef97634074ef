"""Certified fuzzy arithmetic: single fuzzy numbers and arrays of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from . import _fuzzion
from ._device import open_device
from ._fuzzy import Fuzzy
from ._operands import Encoding, columns_of, common_encoding, default_cuts, encode, exact_text


class FuzzyNumber(Fuzzy):
    """A fuzzy number with certified bounds, such as "about 5" or "between 0.4 and 0.7".

    It is represented by nested α-cuts, from the support (α = 0) to the core (α = 1).

    What is guaranteed: at the α of each cut, every result encloses the exact result of the extension principle, because bounds
    are rounded outward. With the encoding "lu", the bounds of ``+ - * /`` and sqrt are the tightest representable ones; those
    of exp and log are a few rounding errors wider. With the encoding "mr", products and quotients are up to 1.5 and 2 times as
    wide as necessary.

    What is not exact: operators treat every operand as independent, so ``x - x`` is twice as wide as ``x``; :func:`evaluate`
    knows that a variable occurs repeatedly. Between two cuts, memberships, defuzzified values, possibilities and necessities
    use linear interpolation; more cuts reduce its error.

    Parameters
    ----------
    value : str, number or FuzzyNumber
        As on the command line: ``"tri(1, 2, 3)"``, ``"trap(1, 2, 3, 4)"``, ``"gauss(5, 0.5)"``, ``"bell(5, 1, 2)"``,
        ``"[1, 3]"``, ``"cuts([1, 3], [2, 2])"``, ``"mid(2, 1, 0)"`` or ``"0.1"``, which is enclosed because it is not
        representable. A float is used exactly; NaN is the unbounded number. `Fraction` and `Decimal` are enclosed.
    n_cuts : int, optional
        Number of α-cuts; by default that of the given fuzzy number, otherwise 11.
    encoding : str
        ``"lu"``: lower and upper bounds; ``"mr"``: one midpoint and a radius per cut, smaller but less tight.
    precision : str
        ``"f64"``, ``"f32"``, or ``"mixed"`` (midpoint in f64, radii in f32) with the encoding ``"mr"``.
    device : str
        ``"cpu"``, ``"cuda"``, ``"cuda:N"`` or ``"best"``.

    Examples
    --------
    >>> from fuzzion import FuzzyNumber
    >>> demand = FuzzyNumber.triangular(90, 100, 120, n_cuts=3)
    >>> price = FuzzyNumber("trap(2, 2.5, 2.5, 4)", n_cuts=3)
    >>> revenue = demand * price - 50
    >>> revenue
    FuzzyNumber('cuts([130, 430], [163.75, 307.5], [200, 200])')
    >>> revenue.support
    array([130., 430.])
    >>> revenue.necessity("<", 500)
    1.0
    """

    def __init__(
        self, value: Any, *, n_cuts: int | None = None, encoding: str = "lu", precision: str = "f64", device: str = "cpu"
    ):
        target = Encoding(default_cuts([value], n_cuts), encoding, precision, device).checked()
        if isinstance(value, FuzzyArray) or (np.ndim(value) > 0 and not isinstance(value, Fuzzy)):
            raise TypeError("expected one number; use `FuzzyArray` for several, or `from_cuts` for bounds")
        self._numbers, self._encoding = target.parse([exact_text(value)], single=True), target

    @classmethod
    def from_cuts(cls, cuts: Any, *, encoding: str = "lu", precision: str = "f64", device: str = "cpu") -> FuzzyNumber:
        """The number with these bounds, cuts × 2, support first."""
        bounds = np.asarray(cuts, dtype=np.float64)
        if bounds.ndim != 2 or bounds.shape[1] != 2:
            raise ValueError(f"`cuts` has the shape {bounds.shape}; expected cuts × 2 (lower and upper bounds)")
        target = Encoding(len(bounds), encoding, precision, device).checked()
        return cls._from(target.from_cuts(bounds[None], single=True), target)

    @classmethod
    def triangular(cls, left: float, top: float, right: float, **options: Any) -> FuzzyNumber:
        """Membership rises linearly from `left` to `top` and falls to `right`. Options are those of the class."""
        return cls._shape("tri", (left, top, right), options)

    @classmethod
    def trapezoidal(
        cls, bottom_left: float, top_left: float, top_right: float, bottom_right: float, **options: Any
    ) -> FuzzyNumber:
        """Membership rises from `bottom_left` to `top_left`, is 1 up to `top_right` and falls to `bottom_right`."""
        return cls._shape("trap", (bottom_left, top_left, top_right, bottom_right), options)

    @classmethod
    def gaussian(cls, mean: float, standard_deviation: float, **options: Any) -> FuzzyNumber:
        """The Gaussian function; its support is unbounded."""
        return cls._shape("gauss", (mean, standard_deviation), options)

    @classmethod
    def bell(cls, center: float, width: float, slope: float, **options: Any) -> FuzzyNumber:
        """The generalized bell 1 / (1 + abs((x − center)/width)^(2·slope)); its support is unbounded."""
        return cls._shape("bell", (center, width, slope), options)

    @classmethod
    def interval(cls, lower: float, upper: float, **options: Any) -> FuzzyNumber:
        """The interval [lower, upper] at every level."""
        target = Encoding.of(options)
        return cls.from_cuts(np.tile([float(lower), float(upper)], (target.n_cuts, 1)), **target.without_cuts())

    @classmethod
    def piecewise(cls, points: Iterable[tuple[float, float]], **options: Any) -> FuzzyNumber:
        """Piecewise linear through `points` (x, membership) with ascending x; the membership rises to 1, then falls."""
        return cls._shape("points", tuple(points), options)

    @classmethod
    def left_right(
        cls,
        core: tuple[float, float],
        spreads: tuple[float, float],
        references: tuple[str, str] = ("linear", "linear"),
        **options: Any,
    ) -> FuzzyNumber:
        """An L-R number with membership 1 on `core`. On each side, membership is the reference function ``"linear"`` (1 − x),
        ``"quadratic"`` (1 − x²), ``"exponential"`` (e⁻ˣ) or ``"gaussian"`` of the distance divided by the spread."""
        target = Encoding.of(options)
        device = open_device(target.device)
        parts = (list(map(float, core)), list(map(float, spreads)), list(references))
        return cls._from(_fuzzion.FuzzyNumbers.left_right(*parts, *target[:3], device), target)

    @classmethod
    def _shape(cls, shape: str, parameters: Any, options: dict[str, Any]) -> FuzzyNumber:
        target = Encoding.of(options)
        rows = np.atleast_2d(np.asarray(parameters, dtype=np.float64))
        return cls._from(target.shape(shape, rows, single=True), target)

    def _shaped(self, values: np.ndarray) -> Any:
        return float(values[0]) if values.ndim == 1 else values[0]

    def __eq__(self, other: object) -> Any:
        if isinstance(other, FuzzyNumber) and other.n_cuts != self.n_cuts:
            return False
        return super().__eq__(other)

    def __hash__(self) -> int:
        bounds = self._bounds()
        crisp = bounds.min() == bounds.max()  # equal to a float
        return hash(float(bounds[0, 0, 0]) if crisp else bounds.tobytes())

    def __str__(self) -> str:
        return self._numbers.texts(self._opened)[0]

    def __repr__(self) -> str:
        return f"FuzzyNumber({str(self)!r})"


class FuzzyArray(Fuzzy):
    """A one-dimensional array of fuzzy numbers with the same number of α-cuts; see :class:`FuzzyNumber`.

    Operators and functions (also those of NumPy, such as ``np.exp`` and ``np.minimum``) work element by element; numbers and
    arrays of length 1 are broadcast. With ``device="cuda"``, the numbers stay in GPU memory.

    Parameters
    ----------
    values : iterable of numbers, texts and FuzzyNumbers
        Elements as for :class:`FuzzyNumber`; missing values are the unbounded number. An array of real numbers is used exactly.
    n_cuts, encoding, precision, device
        As for :class:`FuzzyNumber`.

    Examples
    --------
    >>> import numpy as np
    >>> from fuzzion import FuzzyArray
    >>> demand = FuzzyArray(["tri(90, 100, 120)", "[50, 60]", 80], n_cuts=3)
    >>> costs = demand * np.array([2.0, 2.5, 2.0]) + 10
    >>> costs
    FuzzyArray([
        'cuts([190, 250], [200, 230], [210, 210])',
        '[135, 160]',
        '170',
    ])
    >>> costs.sum().support
    array([495., 580.])
    >>> costs.argsort()
    array([1, 2, 0])
    """

    def __init__(
        self,
        values: Iterable[Any],
        *,
        n_cuts: int | None = None,
        encoding: str = "lu",
        precision: str = "f64",
        device: str = "cpu",
    ):
        if isinstance(values, Iterator):
            values = list(values)
        target = Encoding(default_cuts(values, n_cuts), encoding, precision, device).checked()
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise TypeError(f"expected several numbers, but got {values!r}; use `FuzzyNumber` for one")
        self._numbers, self._encoding = encode(values, target), target

    @classmethod
    def from_cuts(cls, cuts: Any, *, encoding: str = "lu", precision: str = "f64", device: str = "cpu") -> FuzzyArray:
        """The numbers with these bounds, numbers × cuts × 2, support first."""
        bounds = np.asarray(cuts, dtype=np.float64)
        if bounds.ndim != 3 or bounds.shape[2] != 2:
            raise ValueError(f"`cuts` has the shape {bounds.shape}; expected numbers × cuts × 2 (lower and upper bounds)")
        target = Encoding(bounds.shape[1], encoding, precision, device).checked()
        return cls._from(target.from_cuts(bounds), target)

    @classmethod
    def triangular(cls, left: Any, top: Any, right: Any, **options: Any) -> FuzzyArray:
        """Triangular numbers; parameters are arrays or numbers, which are broadcast. Options are those of the class."""
        return cls._shape("tri", (left, top, right), options)

    @classmethod
    def trapezoidal(cls, bottom_left: Any, top_left: Any, top_right: Any, bottom_right: Any, **options: Any) -> FuzzyArray:
        """Trapezoidal numbers."""
        return cls._shape("trap", (bottom_left, top_left, top_right, bottom_right), options)

    @classmethod
    def gaussian(cls, mean: Any, standard_deviation: Any, **options: Any) -> FuzzyArray:
        """Gaussian numbers, with unbounded supports."""
        return cls._shape("gauss", (mean, standard_deviation), options)

    @classmethod
    def bell(cls, center: Any, width: Any, slope: Any, **options: Any) -> FuzzyArray:
        """Generalized bells, with unbounded supports."""
        return cls._shape("bell", (center, width, slope), options)

    @classmethod
    def interval(cls, lower: Any, upper: Any, **options: Any) -> FuzzyArray:
        """Intervals, the same at every level."""
        target = Encoding.of(options)
        bounds = np.stack(np.broadcast_arrays(np.atleast_1d(lower), np.atleast_1d(upper)), axis=1)
        return cls.from_cuts(np.repeat(bounds[:, None, :], target.n_cuts, axis=1), **target.without_cuts())

    @classmethod
    def _shape(cls, shape: str, parameters: tuple[Any, ...], options: dict[str, Any]) -> FuzzyArray:
        target = Encoding.of(options)
        columns = np.broadcast_arrays(*(np.atleast_1d(np.asarray(x, dtype=np.float64)) for x in parameters))
        if columns[0].ndim > 1:
            raise ValueError(f"the parameters have the shape {columns[0].shape}; expected one dimension")
        return cls._from(target.shape(shape, np.stack(columns, axis=1)), target)

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def shape(self) -> tuple[int]:
        """The length, as a tuple."""
        return (len(self),)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            raise IndexError("a FuzzyArray has one dimension; use `x.cuts[i, j]` for the bounds of a cut")
        if isinstance(key, int | np.integer) and not isinstance(key, bool):
            if not -len(self) <= key < len(self):
                raise IndexError(f"index {key} is out of bounds for an array of {len(self)} fuzzy numbers")
            order = np.array(key % len(self), dtype=np.uint32)
        else:
            order = np.arange(len(self), dtype=np.uint32)[key]
        selected = self._numbers.select(np.ascontiguousarray(np.atleast_1d(order)), self._opened)
        return (FuzzyNumber if order.ndim == 0 else FuzzyArray)._from(selected, self._encoding)

    def __iter__(self) -> Iterator[FuzzyNumber]:
        return (self[i] for i in range(len(self)))

    def to_texts(self) -> list[str]:
        """Texts that :class:`FuzzyArray` and the command ``fuzzion calc`` read back exactly."""
        return self._numbers.texts(self._opened)

    def to_columns(self, name: str = "result") -> dict[str, Any]:
        """Columns for a table, as ``fuzzion calc`` writes them: the texts, the bounds of the support and the centroids; for
        example ``frame.assign(**profit.to_columns("profit"))``."""
        support = self.support
        columns = {name: self.to_texts(), f"{name}_lower": support[:, 0], f"{name}_upper": support[:, 1]}
        return {**columns, f"{name}_centroid": self.defuzzify()}

    def _reduced(self, numbers: _fuzzion.FuzzyNumbers, axis: Any, out: Any) -> FuzzyNumber:
        if axis not in (None, 0, -1) or out is not None:
            raise ValueError("a FuzzyArray has one dimension, and its reductions have no `out`")
        return FuzzyNumber._from(numbers, self._encoding)

    def sum(self, axis: Any = None, out: Any = None) -> FuzzyNumber:
        """The sum; 0 for an empty array."""
        return self._reduced(self._numbers.sum(self._opened), axis, out)

    def mean(self, axis: Any = None, out: Any = None) -> FuzzyNumber:
        """The mean."""
        self._require_elements("mean")
        return self.sum(axis, out) / len(self)

    def min(self, axis: Any = None, out: Any = None) -> FuzzyNumber:
        """The minimum by the extension principle: the minimum of each bound."""
        self._require_elements("minimum")
        return self._reduced(self._encoding.from_cuts(self._bounds().min(axis=0)[None]), axis, out)

    def max(self, axis: Any = None, out: Any = None) -> FuzzyNumber:
        """The maximum by the extension principle: the maximum of each bound."""
        self._require_elements("maximum")
        return self._reduced(self._encoding.from_cuts(self._bounds().max(axis=0)[None]), axis, out)

    def _require_elements(self, what: str) -> None:
        if len(self) == 0:
            raise ValueError(f"an empty array has no {what}")

    def dot(self, other: Any) -> FuzzyNumber:
        """The dot product, with one rounding per multiplication and addition."""
        (a, b), encoding, _ = columns_of((self, other))
        return FuzzyNumber._from(a.dot(b, open_device(encoding.device)), encoding)

    __matmul__ = __rmatmul__ = dot

    def argsort(self, by: str = "centroid") -> np.ndarray:
        """Indices that sort the array by the defuzzified value (see :meth:`defuzzify`), then by the bounds from the core
        outward. Numbers with an unbounded core are last."""
        return self._numbers.value_order(by, self._opened).astype(np.intp)

    def sort(self, by: str = "centroid") -> FuzzyArray:
        """A sorted copy, in the order of :meth:`argsort`."""
        return self[self.argsort(by)]

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        if function in (np.sum, np.mean, np.min, np.max, np.amin, np.amax):
            return getattr(args[0], function.__name__.removeprefix("a"))(*args[1:], **options)
        if function in (np.sort, np.argsort) and len(args) == 1 and not options:
            return getattr(args[0], function.__name__)()
        if function is np.dot and len(args) == 2 and not options:
            first, second = args if isinstance(args[0], FuzzyArray) else args[::-1]
            return first.dot(second)
        if function is np.concatenate and len(args) == 1 and not options:
            return _concatenated(args[0])
        if function in (np.ndim, np.shape, np.size):
            return {np.ndim: 1, np.shape: self.shape, np.size: len(self)}[function]
        return NotImplemented

    def __repr__(self) -> str:
        n = len(self)
        shown = [*range(n)] if n <= 8 else [0, 1, 2, -1, n - 3, n - 2, n - 1]
        texts = self[[i for i in shown if i >= 0]].to_texts() if n else []
        lines = [f"    {text!r}," for text in texts]
        if n > 8:
            lines.insert(3, f"    ... ({n} numbers)")
        return "\n".join(["FuzzyArray([", *lines, "])"]) if lines else "FuzzyArray([])"


def _concatenated(arrays: Sequence[FuzzyArray]) -> FuzzyArray:
    """Arrays one after another."""
    encoding = common_encoding([array for array in arrays if isinstance(array, Fuzzy)])
    parts = [encode(array, encoding) for array in arrays]
    device = open_device(encoding.device)
    if any(part.n_cuts != encoding.n_cuts for part in parts):
        raise ValueError("cannot concatenate arrays with different numbers of α-cuts")
    if encoding.encoding == "mr":  # bounds would widen the radii
        return FuzzyArray._from(encoding.parse([text for part in parts for text in part.texts(device)]), encoding)
    bounds = np.concatenate([part.bounds_array(device) for part in parts])
    return FuzzyArray._from(encoding.from_cuts(bounds), encoding)
