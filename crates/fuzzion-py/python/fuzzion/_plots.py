"""Plots with matplotlib. Every function draws into ``ax``, or into a new figure, and returns the axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _fuzzion

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._builder import Input, Output
    from ._numbers import FuzzyArray, FuzzyNumber
    from ._system import System

# Colors that people with color vision deficiency can distinguish (Okabe and Ito, 2008), and lines for more than seven.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#404040")
LINES = ("-", "--", ":", "-.")
_POINTS = 501


def pyplot() -> Any:
    """The module ``matplotlib.pyplot``."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError('plots need matplotlib; install it with `pip install "fuzzion[plot]"`') from None
    return plt


def style(i: int) -> dict[str, Any]:
    """Color and line of the curve number `i`."""
    return {"color": COLORS[i % len(COLORS)], "linestyle": LINES[i // len(COLORS) % len(LINES)]}


def new_axes(ax: Axes | None, width: float = 6.4, height: float = 4.0) -> Axes:
    """The axes, or those of a new figure."""
    return pyplot().subplots(figsize=(width, height), layout="constrained")[1] if ax is None else ax


def finish(ax: Axes, xlabel: str, ylabel: str, title: str = "") -> Axes:
    """Labels the axes and removes what distracts."""
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    if title:
        ax.set_title(title, loc="left", fontsize="medium")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def legend(ax: Axes) -> None:
    """A legend above the axes if it is short, otherwise beside them."""
    labels = ax.get_legend_handles_labels()[1]
    if labels and len(labels) <= 4 and sum(map(len, labels)) <= 45:
        ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=len(labels), frameon=False, borderaxespad=0.2)
    elif labels:
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)


def _without_zeros(y: np.ndarray) -> np.ndarray:
    """Memberships with gaps where they are 0, so that curves do not cover each other on the axis."""
    zero = y < 0.002
    inside = zero & np.append(zero[1:], True) & np.insert(zero[:-1], 0, True)
    return np.where(inside, np.nan, y)


def plot_sets(system: System | Input | Output, variable: str | None = None, *, ax: Any = None) -> Any:
    """Plots the membership functions of a variable, or of every variable of a system.

    The sets of an interval type-2 system are areas between their lower and upper membership; constants are vertical lines.

    Parameters
    ----------
    system : System, Input or Output
    variable : str, optional
        Name of an input or output of the system; by default all.
    ax : Axes, optional
        For all variables of a system, a list of one per variable.

    Returns
    -------
    Axes, or an array of Axes for all variables of a system

    Examples
    --------
    >>> from fuzzion import Input, plot_sets, sets
    >>> plot_sets(Input("service", 0, 10, poor=sets.gaussian(0, 1.5), good=sets.gaussian(10, 1.5))).get_xlabel()
    'service'
    """
    from ._system import System

    if not isinstance(system, System):
        return _plot_variable(_system_of(system), system.name, new_axes(ax))
    names = [*system.inputs, *system.outputs]
    if variable is not None:
        if variable not in names:
            raise ValueError(f"the system has no variable `{variable}`; available: {', '.join(f'`{name}`' for name in names)}")
        return _plot_variable(system, variable, new_axes(ax))
    if ax is None:
        figure = pyplot().figure(figsize=(6.4, 2.4 * len(names)), layout="constrained")
        ax = figure.subplots(len(names), 1, squeeze=False)[:, 0]
    axes = np.ravel(ax)
    if len(axes) != len(names):
        raise ValueError(f"`ax` has {len(axes)} axes, but the system has {len(names)} variables; pass one per variable")
    return np.array([_plot_variable(system, name, axis) for name, axis in zip(names, axes, strict=True)])


def _system_of(variable: Input | Output) -> System:
    """A system with this variable, and what else a system needs."""
    from . import sets
    from ._builder import Input, Output, else_rule
    from ._system import System

    if not variable.sets:
        raise ValueError(f"`{variable.name}` has no sets")
    if isinstance(variable, Input):
        inputs, output = [variable], Output(f"{variable.name}_", 0, 1, none=sets.constant(0))
    else:  # with as many inputs as its linear functions have coefficients
        counts = [len(value.parameters) - 1 for value in variable.sets.values() if value.shape == "Linear"]
        count = max(counts, default=1)
        inputs, output = [Input(f"{variable.name}_{i}", 0, 1) for i in range(count)], variable
    return System(inputs, [output], [else_rule(output[next(iter(output.sets))])])


def _plot_variable(system: System, name: str, ax: Axes) -> Axes:
    curves = _fuzzion.set_curves(system._system, name, _POINTS)
    x, formulas = curves["x"], []
    for i, curve in enumerate(curves["sets"]):
        if "value" in curve:
            lower, upper = curve["value"]
            ax.plot([lower, lower], [0, 1], label=curve["name"], lw=2, **style(i))
            if upper > lower:
                ax.axvspan(lower, upper, color=COLORS[i % len(COLORS)], alpha=0.2, lw=0)
        elif "lower" in curve:
            ax.plot(x, _without_zeros(curve["upper"]), label=curve["name"], lw=2, **style(i))
            if not np.array_equal(curve["lower"], curve["upper"]):
                ax.plot(x, _without_zeros(curve["lower"]), lw=1, **style(i))
                ax.fill_between(x, curve["lower"], curve["upper"], color=COLORS[i % len(COLORS)], alpha=0.2, lw=0)
        else:
            formulas.append(curve["name"])
    title = f"functions of the inputs: {', '.join(formulas)}" if formulas else ""
    margin = 0.02 * (x[-1] - x[0]) if any("value" in curve for curve in curves["sets"]) else 0.0
    ax.set_xlim(x[0] - margin, x[-1] + margin)  # constants at the ends are visible
    top = max((curve["upper"].max() for curve in curves["sets"] if "upper" in curve), default=1.0)
    ax.set_ylim(0, 1.05 * max(1.0, top))
    finish(ax, name, "membership", title)
    legend(ax)
    return ax


def plot_surface(
    system: System,
    x: str | None = None,
    y: str | None = None,
    *,
    output: str | None = None,
    fixed: Mapping[str, float] | None = None,
    points: int = 81,
    cmap: str = "viridis",
    ax: Axes | None = None,
) -> Axes:
    """Plots an output of a system over two inputs as filled contours, or as a surface if ``ax`` has a 3-D projection; over one
    input as a curve.

    Parameters
    ----------
    system : System
    x, y : str, optional
        Names of the inputs; by default the first two. A system with one input has a curve.
    output : str, optional
        By default the first output.
    fixed : dict, optional
        Values of the other inputs; by default the middle of their range.
    points : int
        Points along each input, at least 2.
    cmap : str
        Color map.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    inputs = system.inputs
    x = x or next((name for name in inputs if name != y), None)
    y = y or next((name for name in inputs if name != x), None)
    output = output or system.outputs[0]
    fixed = dict(fixed or {})
    for name, known, what in [(x, inputs, "input"), (y, [*inputs, None], "input"), (output, system.outputs, "output"),
                              *((name, inputs, "input") for name in fixed)]:  # fmt: skip
        if name not in known:
            raise ValueError(f"the system has no {what} `{name}`; available: {', '.join(f'`{k}`' for k in known if k)}")
    if x == y:
        raise ValueError(f"`x` and `y` are both `{x}`; use two different inputs")
    spans = {name: _fuzzion.set_curves(system._system, name, 2)["x"] for name in inputs}
    if points < 2:
        raise ValueError(f"`points` is {points}, but it must be at least 2")
    shown = [name for name in (x, y) if name is not None]
    grids = np.meshgrid(*(np.linspace(*spans[name], points if y else _POINTS) for name in shown))
    values = {name: np.full(grids[0].size, fixed.get(name, spans[name].mean())) for name in inputs}
    values.update({name: grid.ravel() for name, grid in zip(shown, grids, strict=True)})
    rows = np.column_stack([values[name] for name in inputs])
    z = np.asarray(system.infer(rows))[:, system.outputs.index(output)].reshape(grids[0].shape)
    rest = [f"{name} = {values[name][0]:g}" for name in inputs if name not in shown]
    title = ", ".join(rest)
    if y is None:
        ax = new_axes(ax)
        ax.plot(grids[0], z, lw=2, color=COLORS[0])
        ax.margins(x=0)
        return finish(ax, x, output, title)
    ax = new_axes(ax, 6.4, 4.8)
    if ax.name == "3d":
        ax.plot_surface(*grids, z, cmap=cmap, linewidth=0, antialiased=True, rcount=points, ccount=points)
        ax.set(xlabel=x, ylabel=y, zlabel=output, title=title)
        return ax
    z = np.ma.masked_invalid(z)
    constant = z.count() == 0 or np.ptp(z.compressed()) == 0
    mesh = ax.pcolormesh(*grids, z, cmap=cmap) if constant else ax.contourf(*grids, z, levels=15, cmap=cmap)
    if not constant:
        ax.contour(*grids, z, levels=mesh.levels, colors="white", linewidths=0.4)
    bar = ax.figure.colorbar(mesh, ax=ax, label=output)
    bar.outline.set_visible(False)
    return finish(ax, x, y, title)


def plot_rules(system: System, row: Mapping[str, float] | Sequence[float], *, ax: Axes | None = None) -> Axes:
    """Plots the firing strength of every rule for one row, given as for :meth:`System.explain`.

    Returns
    -------
    Axes
    """
    explanation = system.explain(row)
    if not explanation.firing_strengths:
        raise ValueError("the system has no rules")
    texts, strengths = zip(*explanation.firing_strengths, strict=True)
    ax = new_axes(ax, 8.0, 1.2 + 0.5 * len(texts))
    positions = np.arange(len(texts))
    ax.barh(positions, strengths, color=COLORS[0], height=0.3)
    for position, strength in zip(positions, strengths, strict=True):
        ax.annotate(f"{strength:.3g}", (strength, position), xytext=(3, 0), textcoords="offset points", va="center")
    size, wrapped = _fitted(texts, ax)
    for position, text in zip(positions, wrapped, strict=True):  # inside the axes, so that nothing is cut off
        ax.annotate(text, (0, position - 0.17), xytext=(3, 0), textcoords="offset points", va="bottom", fontsize=size)
    ax.set_yticks([])
    ax.set_ylim(len(texts) - 0.7, -0.85)
    ax.set_xlim(0, 1.1 * max(1.0, *strengths))
    outputs = ", ".join(f"{name} = {value:.4g}" for name, value in explanation.outputs.items())
    return finish(ax, "firing strength", "", outputs)


def _fitted(texts: Sequence[str], ax: Axes) -> tuple[float, list[str]]:
    """The texts with line breaks, and the largest font size with which each one fits above its bar."""
    from textwrap import fill

    from matplotlib.font_manager import FontProperties

    box = ax.get_window_extent()
    width, height = (72 * pixels / ax.figure.dpi for pixels in (box.width, box.height / (len(texts) + 0.15)))
    size, wrapped = FontProperties(size="small").get_size_in_points(), list(texts)
    while True:
        wrapped = [fill(text, max(8, int(width / (0.56 * size)))) for text in texts]
        lines = max(text.count("\n") + 1 for text in wrapped)
        if 1.25 * size * lines <= 0.62 * height or size <= 4:
            return size, wrapped
        size -= 0.5


def plot_number(
    *numbers: FuzzyNumber | FuzzyArray | str | float, labels: Sequence[str] | None = None, ax: Axes | None = None
) -> Axes:
    """Plots the membership functions of fuzzy numbers, linear between their cuts. Unbounded cuts end at the edge of the plot.

    Parameters
    ----------
    *numbers : FuzzyNumber, or what its constructor accepts; a FuzzyArray is several numbers
    labels : list of str, optional
        Labels of the numbers.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    from ._fuzzy import Fuzzy
    from ._numbers import FuzzyArray, FuzzyNumber

    shown: list[Any] = []
    for number in numbers:
        several = isinstance(number, FuzzyArray)
        shown.extend(number if several else [number if isinstance(number, Fuzzy) else FuzzyNumber(number)])
    if not shown:
        raise ValueError("nothing to plot; pass at least one number")
    if labels is not None and len(labels) != len(shown):
        raise ValueError(f"{len(labels)} labels were given for {len(shown)} numbers; pass one per number")
    ax = new_axes(ax)
    bounds = np.concatenate([number.cuts.ravel() for number in shown])
    finite = bounds[np.isfinite(bounds)]
    low, high = (finite.min(), finite.max()) if finite.size else (-1.0, 1.0)
    width = (high - low) or max(abs(low), 1.0) * 0.1
    low -= width * (0.3 if np.isneginf(bounds).any() else 0.05)
    high += width * (0.3 if np.isposinf(bounds).any() else 0.05)
    for i, number in enumerate(shown):
        lower, upper = (np.clip(side, low, high) for side in number.cuts.T)
        alphas = number.alphas
        if number.n_cuts == 1:
            lower, upper, alphas = np.repeat(lower, 2), np.repeat(upper, 2), np.array([0.0, 1.0])
        x, memberships = np.concatenate([lower, upper[::-1]]), np.concatenate([alphas, alphas[::-1]])
        ax.fill(x, memberships, color=COLORS[i % len(COLORS)], alpha=0.12, lw=0)
        ax.plot(x, memberships, lw=2, label=None if labels is None else labels[i], **style(i))
    ax.set_xlim(low, high)
    ax.set_ylim(0, 1.05)
    finish(ax, "x", "membership")
    if labels is not None:
        legend(ax)
    return ax
