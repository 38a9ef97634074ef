"""Fuzzy sets of variables. The parameters are those of fuzzylite, in its order.

Invalid parameters are a ValueError. Files may contain sets of width 0, as in fuzzylite; the functions here require a width.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from . import _fuzzion

__all__ = [
    "Set", "arc", "bell", "binary", "concave", "constant", "cosine", "discrete", "function", "gaussian", "gaussian_product",
    "linear", "pi_shape", "ramp", "rectangle", "s_shape", "semi_ellipse", "sigmoid", "sigmoid_difference", "sigmoid_product",
    "spike", "trapezoid", "triangle", "z_shape",
]  # fmt: skip


@dataclass(frozen=True)
class Set:
    """A fuzzy set: a shape with parameters, or a formula."""

    shape: str
    parameters: tuple[float, ...] = ()
    expression: str | None = None
    height: float = 1.0

    def __post_init__(self) -> None:
        try:
            _fuzzion.check_set(self.shape, list(self.parameters), self.expression, self.height)
            if not 0 < self.height <= 1:
                raise ValueError(f"`height` is {self.height:g}, but it must be above 0 and at most 1")
        except ValueError as error:
            # The name of the function is that of the shape in lower case.
            name = "sets." + re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=^[A-Z])(?=[A-Z])", "_", self.shape).lower()
            message = re.sub(rf"^{self.shape}: |^(?=`height`)", f"{name}: ", str(error))
            raise ValueError(message if message.startswith(name) else f"{name}: {message}") from None

    def with_height(self, height: float) -> Set:
        """The same set with memberships multiplied by ``height``, above 0 and at most 1."""
        return replace(self, height=float(height))

    @property
    def is_consequent(self) -> bool:
        """Whether this is a Takagi-Sugeno consequent."""
        return self.shape in ("Constant", "Linear", "Function")

    def _json(self) -> dict[str, object]:
        fields: dict[str, object] = {"shape": self.shape}
        if self.expression is None:
            fields["parameters"] = [_number(x) for x in self.parameters]
        else:
            fields["expression"] = self.expression
        if self.height != 1.0:
            fields["height"] = _number(self.height)
        return fields


def _number(x: float) -> float | str:
    """A number in JSON, which has no infinity."""
    x = float(x)
    return x if math.isfinite(x) else {math.inf: "inf", -math.inf: "-inf"}.get(x, "nan")


def _set(shape: str, *parameters: float) -> Set:
    return Set(shape, tuple(float(x) for x in parameters))


def _width(name: str, value: float) -> float:
    """A width; that of a set in a file can also be 0."""
    if not value > 0:
        raise ValueError(f"`{name}` is {value}, but it must be above 0")
    return value


def triangle(left: float, top: float, right: float) -> Set:
    """A linear rise and fall."""
    return _set("Triangle", left, top, right)


def trapezoid(bottom_left: float, top_left: float, top_right: float, bottom_right: float) -> Set:
    """A linear rise, a plateau and a linear fall; an infinite outer parameter makes a shoulder."""
    return _set("Trapezoid", bottom_left, top_left, top_right, bottom_right)


def rectangle(start: float, end: float) -> Set:
    """A crisp interval."""
    return _set("Rectangle", start, end)


def discrete(points: Iterable[tuple[float, float]]) -> Set:
    """Linear interpolation between points (x, membership) in ascending x, constant outside them."""
    points = [(float(x), float(membership)) for x, membership in points]
    for x, membership in points:
        if not 0 <= membership <= 1:
            raise ValueError(f"the membership at x = {x:g} is {membership:g}, but it must be from 0 to 1")
    return _set("Discrete", *(x for point in points for x in point))


def semi_ellipse(start: float, end: float) -> Set:
    """The upper half of an ellipse."""
    return _set("SemiEllipse", start, end)


def bell(center: float, width: float, slope: float) -> Set:
    """The generalized bell."""
    return _set("Bell", center, _width("width", width), slope)


def cosine(center: float, width: float) -> Set:
    """One period of a cosine."""
    return _set("Cosine", center, _width("width", width))


def gaussian(mean: float, standard_deviation: float) -> Set:
    """The Gaussian function."""
    return _set("Gaussian", mean, _width("standard_deviation", standard_deviation))


def gaussian_product(mean_a: float, standard_deviation_a: float, mean_b: float, standard_deviation_b: float) -> Set:
    """The left half of one Gaussian and the right half of another, 1 between them."""
    _width("standard_deviation_a", standard_deviation_a)
    _width("standard_deviation_b", standard_deviation_b)
    return _set("GaussianProduct", mean_a, standard_deviation_a, mean_b, standard_deviation_b)


def pi_shape(bottom_left: float, top_left: float, top_right: float, bottom_right: float) -> Set:
    """The product of an S-shape and a Z-shape."""
    return _set("PiShape", bottom_left, top_left, top_right, bottom_right)


def sigmoid_difference(left: float, rising: float, falling: float, right: float) -> Set:
    """The absolute difference of two sigmoids."""
    return _set("SigmoidDifference", left, rising, falling, right)


def sigmoid_product(left: float, rising: float, falling: float, right: float) -> Set:
    """The product of two sigmoids."""
    return _set("SigmoidProduct", left, rising, falling, right)


def spike(center: float, width: float) -> Set:
    """A two-sided exponential decay."""
    return _set("Spike", center, _width("width", width))


def arc(start: float, end: float) -> Set:
    """A quarter of an ellipse, then 1."""
    return _set("Arc", start, end)


def binary(start: float, direction: float) -> Set:
    """A crisp half-line; the direction is positive or negative infinity."""
    return _set("Binary", start, direction)


def concave(inflection: float, end: float) -> Set:
    """A hyperbola, then 1."""
    return _set("Concave", inflection, end)


def ramp(start: float, end: float) -> Set:
    """A linear rise from ``start`` to ``end``, or a fall if ``end`` is smaller."""
    return _set("Ramp", start, end)


def sigmoid(inflection: float, slope: float) -> Set:
    """The logistic function."""
    return _set("Sigmoid", inflection, slope)


def s_shape(start: float, end: float) -> Set:
    """Two parabolas that rise from 0 to 1."""
    return _set("SShape", start, end)


def z_shape(start: float, end: float) -> Set:
    """Two parabolas that fall from 1 to 0."""
    return _set("ZShape", start, end)


def constant(value: float) -> Set:
    """A Takagi-Sugeno consequent of order 0."""
    return _set("Constant", value)


def linear(coefficients: Iterable[float], constant: float = 0.0) -> Set:
    """A Takagi-Sugeno consequent of order 1: one coefficient per input, and a constant."""
    return _set("Linear", *coefficients, constant)


def function(expression: str) -> Set:
    """A formula of the inputs, or of ``x`` for the value of the variable, such as ``"2 * service + food"``."""
    return Set("Function", expression=expression)
