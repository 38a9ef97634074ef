"""HTML for notebooks. Colors and borders follow the theme of the page, and all texts are escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from html import escape
from typing import Any

import numpy as np

from . import _fuzzion

# As in the plots.
_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#707070")
_MAX_ROWS = 12
_WIDTH, _HEIGHT = 180, 40
_OUTWARD = (ROUND_FLOOR, ROUND_CEILING)
_LINE = "border-bottom:1px solid #8886;"


def _cell(content: str, tag: str = "td", align: str = "left") -> str:
    return f'<{tag} style="text-align:{align};padding:2px 10px 2px 0;vertical-align:middle;{_LINE}">{content}</{tag}>'


def _table(header: Sequence[str], rows: Iterable[Sequence[str]], aligned: str = "") -> str:
    """A table; `aligned` has one letter per column, `r` for numbers."""

    def line(cells: Sequence[str], tag: str) -> str:
        sides = ["right" if i < len(aligned) and aligned[i] == "r" else "left" for i in range(len(cells))]
        return f"<tr>{''.join(_cell(cell, tag, side) for cell, side in zip(cells, sides, strict=True))}</tr>"

    head = f"<thead>{line(header, 'th')}</thead>" if header else ""
    body = "".join(line(row, "td") for row in rows)
    return f'<table style="border-collapse:collapse;margin:4px 0 8px 0">{head}<tbody>{body}</tbody></table>'


def _page(title: str, details: str, *parts: str) -> str:
    heading = f"<div><strong>{title}</strong> <span style='opacity:.7'>{details}</span></div>"
    return f'<div style="font-size:0.95em;line-height:1.35">{heading}{"".join(parts)}</div>'


def _short(x: float) -> str:
    return f"{x:.6g}"


def _interval(bounds: np.ndarray) -> str:
    """A cut, with bounds rounded outward to six digits."""
    down, up = (
        Context(prec=6, rounding=rounding).create_decimal(x) for x, rounding in zip(bounds.tolist(), _OUTWARD, strict=True)
    )
    lower, upper = (f"{float(x):g}" if x.is_finite() else ("inf" if x > 0 else "-inf") for x in (down, up))
    return f"[{lower}, {upper}]"


def _svg(curves: Iterable[tuple[np.ndarray, np.ndarray, str, bool]], low: float, high: float, label: str) -> str:
    """Small curves of memberships: x, membership, color, and whether to fill the area."""
    width = (high - low) or 1.0
    shapes = []
    for x, y, color, filled in curves:
        points = " ".join(
            f"{2 + (_WIDTH - 4) * (a - low) / width:.1f},{_HEIGHT - 2 - (_HEIGHT - 4) * min(b, 1.0):.1f}"
            for a, b in zip(x.tolist(), y.tolist(), strict=True)
        )
        fill = f'fill="{color}" fill-opacity=".15"' if filled else 'fill="none"'
        shapes.append(f'<polyline points="{points}" {fill} stroke="{color}" stroke-width="1.5"/>')
    axis = f'<path d="M2 {_HEIGHT - 1.5}H{_WIDTH - 2}" stroke="currentColor" stroke-opacity=".4"/>'
    return f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="{escape(label)}">{axis}{"".join(shapes)}</svg>'


def _bar(value: float) -> str:
    """A horizontal bar for a value from 0 to 1, and the value."""
    width = 90 * min(max(value, 0.0), 1.0) if np.isfinite(value) else 0
    bar = f'<span style="display:inline-block;width:{width:.0f}px;height:.7em;background:{_COLORS[0]}"></span>'
    return f'<span style="display:inline-block;width:96px">{bar}</span>{value:.3g}'


def system_html(system: Any) -> str:
    """A system: variables with their sets, and rules."""
    rows = []
    for kind, names in (("input", system.inputs), ("output", system.outputs)):
        for name in names:
            curves = _fuzzion.set_curves(system._system, name, 61)
            x, drawn, words = curves["x"], [], []
            for i, curve in enumerate(curves["sets"]):
                color = _COLORS[i % len(_COLORS)]
                words.append(f'<span style="color:{color}">■</span> {escape(curve["name"])}')
                if "value" in curve:
                    drawn += [(np.full(2, value), np.array([0.0, 1.0]), color, False) for value in set(curve["value"])]
                elif system.is_interval and "lower" in curve:
                    both = (curve["lower"], curve["upper"][::-1])
                    drawn.append((np.concatenate([x, x[::-1]]), np.concatenate(both), color, True))
                elif "lower" in curve:
                    drawn.append((x, curve["upper"], color, False))
            span = f"{_short(x[0])} … {_short(x[-1])}"
            rows.append((kind, escape(name), span, _svg(drawn, x[0], x[-1], f"sets of {name}"), " ".join(words)))
    variables = _table(("", "variable", "range", "membership", "sets"), rows)
    rules = [escape(text) for text in system.rules]
    items = "".join(f"<li>{text}</li>" for text in rules[:_MAX_ROWS])
    more = "".join(f"<li>{text}</li>" for text in rules[_MAX_ROWS:])
    listed = f'<ol style="margin:4px 0">{items}</ol>'
    if more:
        start = _MAX_ROWS + 1
        listed += f'<details><summary>{len(rules) - _MAX_ROWS} more rules</summary><ol start="{start}">{more}</ol></details>'
    kind = "interval type-2 system" if system.is_interval else "fuzzy system"
    details = f"{kind}, {len(rules)} rule{'s' * (len(rules) != 1)}, dialect {escape(system.dialect)}"
    return _page(escape(system.name) or "System", details, variables, listed)


def explanation_html(explanation: Any) -> str:
    """The memberships, firing strengths and outputs of one row."""
    memberships = [
        (escape(name), escape(set_name), _bar(membership))
        for name, sets in explanation.memberships.items()
        for set_name, membership in sets.items()
    ]
    rules = [(escape(text), _bar(strength)) for text, strength in explanation.firing_strengths]
    outputs = [(escape(name), f"<strong>{_short(value)}</strong>") for name, value in explanation.outputs.items()]
    return _page(
        "Explanation",
        "",
        _table(("input", "set", "membership"), memberships),
        _table(("rule", "firing strength"), rules),
        _table(("output", "value"), outputs, "lr"),
    )


def _number_svg(cuts: np.ndarray, alphas: np.ndarray, low: float, high: float, label: str) -> str:
    lower, upper = (np.clip(side, low, high) for side in cuts.T)
    if len(alphas) == 1:
        lower, upper, alphas = np.repeat(lower, 2), np.repeat(upper, 2), np.array([0.0, 1.0])
    x, y = np.concatenate([lower, upper[::-1]]), np.concatenate([alphas, alphas[::-1]])
    return _svg([(x, y, _COLORS[0], True)], low, high, label)


def fuzzy_html(numbers: Any) -> str:
    """A fuzzy number or an array of them: support, core, centroid and a curve over a common axis."""
    single = not hasattr(numbers, "__len__")
    count = 1 if single else len(numbers)
    shown = numbers if single or count <= _MAX_ROWS else numbers[: _MAX_ROWS - 1]
    cuts = shown.cuts[None] if single else shown.cuts
    centroids = np.atleast_1d(shown.defuzzify())
    finite = cuts[np.isfinite(cuts)]
    low, high = (finite.min(), finite.max()) if finite.size else (-1.0, 1.0)
    margin = 0.1 * ((high - low) or max(abs(low), 1.0))
    low, high = low - margin, high + margin
    rows = []
    for i, (bounds, centroid) in enumerate(zip(cuts, centroids, strict=True)):
        support, core = _interval(bounds[0]), _interval(bounds[-1])
        label = f"support {support}, core {core}"
        svg = _number_svg(bounds, shown.alphas, low, high, label)
        rows.append([*([] if single else [str(i)]), svg, support, core, _short(centroid)])
    header = [*([] if single else [""]), "membership", "support", "core", "centroid"]
    if count > len(rows):
        rows.append([f"… {count - len(rows)} more", "", "", "", ""])
    kind = "FuzzyNumber" if single else f"FuzzyArray of {count} number{'s' * (count != 1)}"
    place = "" if numbers.device == "cpu" else f", device {escape(numbers.device)}"
    details = f"{numbers.n_cuts} α-cuts, {numbers.encoding}, {numbers.precision}{place}"
    return _page(kind, details, _table(header, rows, "lllr" if single else "llllr") if rows else "")


def clusters_html(clusterer: Any) -> str:
    """The fitted clusters: centers, sums of memberships, objective and validity indices."""
    centers = np.asarray(clusterer.cluster_centers_)
    names = getattr(clusterer, "feature_names_in_", [f"column {i}" for i in range(centers.shape[1])])
    columns = list(map(str, names))[:8]
    more = ["…"] if centers.shape[1] > len(columns) else []
    header = ["cluster", "sum of memberships", *map(escape, columns), *more]
    rows = [
        [str(k), _short(weight), *(_short(value) for value in center[: len(columns)]), *more]
        for k, (weight, center) in enumerate(zip(clusterer.weights_[:_MAX_ROWS], centers[:_MAX_ROWS], strict=True))
    ]
    if len(centers) > _MAX_ROWS:
        rows.append([f"… {len(centers) - _MAX_ROWS} more", *[""] * (len(header) - 1)])
    state = "converged" if clusterer.converged_ else "not converged"
    details = f"objective {_short(clusterer.objective_)}, {clusterer.n_iter_} iterations, {state}"
    validity = [(escape(name.replace("_", " ")), _short(x)) for name, x in clusterer.validity_.items() if isinstance(x, float)]
    indices = _table(("validity index", "value"), validity, "lr")
    return _page("Clusters", details, _table(header, rows, "r" * len(header)), indices)
