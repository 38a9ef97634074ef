"""Plots of fitted estimators with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._device import open_device
from ._plots import COLORS, finish, legend, new_axes, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARKERS = "os^Dv<>P"
_GRID = 121


def plot_memberships(clusterer: Any, X: Any, columns: Sequence[Any] = (0, 1), *, ax: Axes | None = None) -> Axes:
    """Plots rows over two columns, in the color of the cluster with the largest membership; the smaller the membership, the
    lighter the color. Centers are black crosses. If the clusters have only two columns, lines show where their memberships are
    0.5 and 0.8.

    Parameters
    ----------
    clusterer : fitted FuzzyCMeans, GustafsonKessel, GathGeva or PossibilisticCMeans
        Or a pipeline that ends with one of them; the plot then shows the columns after the other steps.
    X : array or DataFrame of shape (n_samples, n_features)
    columns : pair of int or str
        The columns of the horizontal and the vertical axis.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from fuzzion import FuzzyCMeans, plot_memberships
    >>> X = load_iris().data
    >>> plot_memberships(FuzzyCMeans(3, random_state=0).fit(X), X, columns=(2, 3)).get_xlabel()
    'column 2'
    """
    from sklearn.utils.validation import check_is_fitted

    clusterer, X, names = _last_step(clusterer, X)
    check_is_fitted(clusterer)
    memberships = np.asarray(clusterer.memberships(X))
    values = np.asarray(X, dtype=np.float64)
    x, y = (_column(column, names, values.shape[1]) for column in columns)
    ax = new_axes(ax, 6.4, 4.8)
    strongest, count = memberships.argmax(axis=1), memberships.shape[1]
    # From 0 for equal memberships in all clusters to 1.
    clarity = np.clip((memberships.max(axis=1) - 1 / count) / (1 - 1 / count), 0, 1) if count > 1 else np.ones(len(values))
    for k in range(count):
        own = strongest == k
        ax.scatter(
            values[own, x],
            values[own, y],
            c=_blended(COLORS[k % len(COLORS)], clarity[own]),
            marker=_MARKERS[k // len(COLORS) % len(_MARKERS)],
            s=22,
            edgecolors=COLORS[k % len(COLORS)],
            linewidths=0.6,
        )
        ax.scatter([], [], color=COLORS[k % len(COLORS)], marker=_MARKERS[k // len(COLORS) % len(_MARKERS)], label=f"cluster {k}")
    if values.shape[1] == 2:
        _draw_contours(clusterer, values, x, y, ax)
    centers = clusterer.cluster_centers_
    ax.scatter(centers[:, x], centers[:, y], marker="X", s=110, c="black", edgecolors="white", linewidths=1.2, zorder=4)
    ax.scatter([], [], marker="X", c="black", label="center")
    finish(ax, *(names[i] if names else f"column {i}" for i in (x, y)))
    legend(ax)
    return ax


def _last_step(clusterer: Any, X: Any) -> tuple[Any, Any, list[str]]:
    """The clusterer at the end of a pipeline, its rows, and the names of their columns, if they have names."""
    names = [str(name) for name in getattr(X, "columns", [])]
    if hasattr(clusterer, "steps") and len(clusterer.steps) > 1:
        steps, clusterer = clusterer[:-1], clusterer[-1]
        X = steps.transform(X)
        if names:
            names = [str(name) for name in getattr(X, "columns", steps.get_feature_names_out())]
    elif hasattr(clusterer, "steps"):
        clusterer = clusterer[-1]
    if not hasattr(clusterer, "memberships"):
        kind = type(clusterer).__name__
        raise TypeError(
            f"{kind} has no memberships; pass a fitted clusterer, such as `FuzzyCMeans(3).fit(X)`, or a pipeline with one"
        )
    return clusterer, X, names


def _column(column: Any, names: list[str], count: int) -> int:
    """Index of a column."""
    if isinstance(column, str):
        if column not in names:
            raise ValueError(f"missing column `{column}`; available columns: {', '.join(f'`{n}`' for n in names) or 'none'}")
        return names.index(column)
    if not 0 <= column < count:
        raise ValueError(f"column {column} is out of range for an array of {count} columns; columns start at 0")
    return int(column)


def _blended(color: str, strength: np.ndarray) -> np.ndarray:
    """The color, mixed with white."""
    from matplotlib.colors import to_rgb

    return 1 - strength[:, None] * (1 - np.array(to_rgb(color)))


def _draw_contours(clusterer: Any, values: np.ndarray, x: int, y: int, ax: Axes) -> None:
    """Lines of equal membership in the plane of the two columns."""
    spans = [(values[:, i].min(), values[:, i].max()) for i in (x, y)]
    margins = [0.05 * (high - low) or 0.5 for low, high in spans]
    edges = [np.linspace(low - m, high + m, _GRID) for (low, high), m in zip(spans, margins, strict=True)]
    grid_x, grid_y = np.meshgrid(*edges)
    rows = np.empty((grid_x.size, 2))
    rows[:, x], rows[:, y] = grid_x.ravel(), grid_y.ravel()
    for k, membership in enumerate(np.asarray(clusterer._model.memberships(rows, open_device(clusterer.device))).T):
        z = membership.reshape(grid_x.shape)
        levels = [level for level in (0.5, 0.8) if z.min() < level < z.max()]
        if levels:
            ax.contour(grid_x, grid_y, z, levels=levels, colors=COLORS[k % len(COLORS)], linewidths=[0.8, 1.2][-len(levels) :])


def plot_history(*estimators: Any, labels: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """Plots the learning curves of fitted estimators: the objective of clusterers, or the loss of learning estimators, over the
    iterations or epochs; where there is one, also the loss of the validation rows (dashed).

    Parameters
    ----------
    *estimators : fitted estimators
    labels : list of str, optional
        By default the class names.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    if not estimators:
        raise ValueError("there is no estimator to plot")
    names = [type(estimator).__name__ for estimator in estimators] if labels is None else list(labels)
    if len(names) != len(estimators):
        raise ValueError(f"{len(names)} labels were given for {len(estimators)} estimators; pass one per estimator")
    curves, kinds = [], set()
    for i, (estimator, name) in enumerate(zip(estimators, names, strict=True)):
        kind = next((kind for kind in ("objective", "loss") if hasattr(estimator, f"{kind}_history_")), None)
        if kind is None:
            raise ValueError(f"{type(estimator).__name__} has no history; call `fit` first")
        kinds.add(kind)
        curves.append((getattr(estimator, f"{kind}_history_"), name, {**style(i), "linestyle": "-"}))
        validation = getattr(estimator, "validation_history_", None)
        if validation is not None:
            curves.append((validation, f"{name}, validation", {**style(i), "linestyle": "--"}))
    ax = new_axes(ax)
    values = np.concatenate([np.asarray(curve, dtype=np.float64) for curve, _, _ in curves])
    for curve, name, line in curves:
        marker = "o" if len(curve) < 40 else None
        ax.plot(np.arange(1, len(curve) + 1), curve, label=name, lw=2, marker=marker, markersize=3, **line)
    positive = values[np.isfinite(values)]
    if positive.size and positive.min() > 0 and positive.max() > 20 * positive.min():
        ax.set_yscale("log")
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.grid(axis="y", alpha=0.3)
    finish(ax, "epoch" if kinds == {"loss"} else "iteration", " or ".join(sorted(kinds)))
    if len(curves) > 1 or labels is not None:
        legend(ax)
    return ax
