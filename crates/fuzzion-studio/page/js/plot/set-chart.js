// The chart of a variable: curves of its sets, the value of an input, clipped and aggregated sets of an output, and handles.

import { set, svg } from "../core/dom.js";
import { tickText, ticks } from "./axis.js";
import { setColor, setDash } from "./colors.js";

const TOP = 20;

/**
 * A chart as wide as its container. `update(drawn, names, options)` draws a variable of the
 * response of `api/evaluate`.
 */
export class SetChart {
  constructor({ width = 640, height = 220, axis = true, labels = true } = {}) {
    Object.assign(this, { width, height, labels });
    // Without an axis, the ends are those of a slider below the chart.
    [this.left, this.right, this.bottom] = axis ? [30, 12, 24] : [8, 8, 6];
    this.grid = svg("g");
    this.areas = svg("g");
    this.curves = svg("g");
    this.texts = svg("g");
    this.marks = svg("g");
    this.handles = svg("g");
    this.hasAxis = axis;
    this.node = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img" },
      this.grid, this.areas, this.curves, this.marks, this.texts, this.handles);
    this.axis = [0, 1];
    this.top = 1;
    this.node.style.height = `${height}px`;
    new ResizeObserver(() => this.fit()).observe(this.node);
  }

  /** One unit is one pixel, so that texts have the same size in all charts. */
  fit() {
    const width = Math.round(this.node.getBoundingClientRect().width);
    if (!width || width === this.width) return;
    this.width = width;
    this.node.setAttribute("viewBox", `0 0 ${width} ${this.height}`);
    this.gridDrawn = false;
    if (this.last) this.update(...this.last);
    this.onfit?.();
  }

  toX(fraction) {
    return this.left + fraction * (this.width - this.left - this.right);
  }

  xOf(value) {
    return this.toX((value - this.axis[0]) / (this.axis[1] - this.axis[0]));
  }

  yOf(membership) {
    return TOP + (1 - membership / this.top) * (this.height - TOP - this.bottom);
  }

  /** Position and membership of a pointer event. */
  locate(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.node.getScreenCTM().inverse());
    const fraction = (point.x - this.left) / (this.width - this.left - this.right);
    const [lower, upper] = this.axis;
    return { x: lower + fraction * (upper - lower), y: this.top * (1 - (point.y - TOP) / (this.height - TOP - this.bottom)) };
  }

  path(curve) {
    let text = "";
    let gap = true;
    for (let i = 0; i < curve.length; i += 2) {
      if (curve[i + 1] === null || curve[i] === null) {
        gap = true;
        continue;
      }
      text += `${gap ? "M" : "L"}${this.toX(curve[i]).toFixed(1)} ${this.yOf(curve[i + 1]).toFixed(1)}`;
      gap = false;
    }
    return text;
  }

  area(curve) {
    if (!curve?.length) return "";
    const zero = this.yOf(0).toFixed(1);
    return `${this.path(curve)}L${this.toX(curve.at(-2)).toFixed(1)} ${zero}L${this.toX(curve[0]).toFixed(1)} ${zero}Z`;
  }

  /** The region between the lower and the upper curve. */
  band(lower, upper) {
    if (!lower.length || !upper.length) return "";
    const back = [];
    for (let i = lower.length - 2; i >= 0; i -= 2) back.push(lower[i], lower[i + 1]);
    return `${this.path(upper)}${this.path(back).replace("M", "L")}Z`;
  }

  update(drawn, names, { value = null, interval = null, clipped = null, aggregated = null, selected = -1, title = "" } = {}) {
    this.drawn = drawn;
    this.last = [drawn, names, { value, interval, clipped, aggregated, selected, title }];
    const all = drawn.sets.flatMap((item) => [item.curve, item.upper ?? []]).concat(aggregated ? [aggregated] : []);
    let top = 1;
    for (const curve of all) for (let i = 1; i < curve.length; i += 2) if (curve[i] > top) top = curve[i];
    this.drawAxis(drawn.axis, top);
    set(this.node, { "aria-label": title });
    const curves = [];
    const areas = [];
    drawn.sets.forEach((item, i) => {
      const style = { stroke: setColor(i), "stroke-dasharray": setDash(i), class: i === selected ? "curve selected" : "curve", "data-set": i };
      if (item.upper) {
        areas.push({ d: this.band(item.curve, item.upper), fill: setColor(i), "fill-opacity": 0.28, class: "band" });
        curves.push({ d: this.path(item.upper), ...style });
      }
      if (item.value !== undefined) {
        const x = this.xOf(item.value).toFixed(1);
        curves.push({ d: `M${x} ${this.yOf(0)}L${x} ${this.yOf(1)}`, ...style });
      } else {
        curves.push({ d: this.path(item.curve), ...style });
      }
      if (clipped?.[i]) areas.push({ d: this.area(clipped[i]), fill: setColor(i), "fill-opacity": 0.35, class: "clipped" });
    });
    if (aggregated) curves.push({ d: this.path(aggregated), class: "aggregated" });
    this.reuse(this.areas, areas);
    this.reuse(this.curves, curves);
    this.drawMarks(value, interval);
    this.drawLabels(drawn, names);
  }

  /** Updates the paths of a group, creating and removing as few as possible. */
  reuse(group, paths) {
    while (group.childElementCount > paths.length) group.lastChild.remove();
    while (group.childElementCount < paths.length) group.append(svg("path"));
    paths.forEach((attributes, i) => set(group.children[i], { fill: "none", "stroke-dasharray": "", "fill-opacity": 1, stroke: "none", ...attributes }));
  }

  drawAxis(axis, top) {
    if (this.gridDrawn && axis[0] === this.axis[0] && axis[1] === this.axis[1] && top === this.top) return;
    [this.axis, this.top, this.gridDrawn] = [axis, top, true];
    const lines = [];
    const [y0, y1] = [this.yOf(0), this.yOf(top)];
    if (this.hasAxis) {
      for (const x of ticks(axis[0], axis[1], this.width / 90)) {
        const at = this.xOf(x).toFixed(1);
        lines.push(svg("line", { x1: at, x2: at, y1: y0, y2: y1, class: "grid-line" }));
        lines.push(svg("text", { x: at, y: y0 + 16, class: "tick", "text-anchor": "middle" }, tickText(x)));
      }
      for (const m of top > 1 ? ticks(0, top, 3) : [0, 0.5, 1]) {
        lines.push(svg("text", { x: this.left - 6, y: this.yOf(m) + 4, class: "tick", "text-anchor": "end" }, tickText(m)));
        lines.push(svg("line", { x1: this.left, x2: this.width - this.right, y1: this.yOf(m), y2: this.yOf(m), class: "grid-line" }));
      }
    }
    lines.push(svg("line", { x1: this.left, x2: this.width - this.right, y1: y0, y2: y0, class: "axis-line" }));
    this.grid.replaceChildren(...lines);
  }

  drawMarks(value, interval) {
    const marks = [];
    if (interval && interval.every(Number.isFinite)) {
      const [from, to] = interval.map((x) => this.xOf(x));
      marks.push({ d: `M${from} ${this.yOf(0)}H${to}V${TOP - 2}H${from}Z`, class: "interval" });
    }
    if (Number.isFinite(value)) {
      const x = this.xOf(Math.min(Math.max(value, this.axis[0]), this.axis[1])).toFixed(1);
      marks.push({ d: `M${x} ${this.yOf(0)}V${TOP - 4}`, class: "value-line" });
    }
    this.reuse(this.marks, marks);
  }

  drawLabels(drawn, names) {
    if (!this.labels) return;
    const texts = [];
    const ends = [];
    drawn.sets.forEach((item, i) => {
      const peak = item.value !== undefined ? (item.value - this.axis[0]) / (this.axis[1] - this.axis[0]) : peakOf(item.upper ?? item.curve);
      if (peak === null || i >= 24) return;
      const name = names[i] ?? "";
      const half = Math.min(name.length, 18) * 3.6;
      const x = Math.min(Math.max(this.toX(peak), this.left + half), this.width - this.right - half);
      // Labels that would overlap are left out; the list of sets has all names.
      if (ends.some(([from, to]) => x - half < to + 4 && x + half > from - 4)) return;
      ends.push([x - half, x + half]);
      texts.push([x, name, i]);
    });
    while (this.texts.childElementCount > texts.length) this.texts.lastChild.remove();
    while (this.texts.childElementCount < texts.length) this.texts.append(svg("text", { "text-anchor": "middle", y: TOP - 7 }));
    texts.forEach(([x, name, i], at) => {
      const node = this.texts.children[at];
      set(node, { x: x.toFixed(0), class: "set-label", fill: setColor(i) });
      const short = name.length > 18 ? `${name.slice(0, 17)}…` : name;
      if (node.textContent !== short) node.textContent = short;
    });
  }

  /** Membership of a drawn curve at `x`, to place a handle on it. */
  heightAt(i, x, isUpper = false) {
    const { curve: lower, upper, value } = this.drawn.sets[i];
    const curve = isUpper && upper ? upper : lower;
    if (value !== undefined) return 1;
    const u = (x - this.axis[0]) / (this.axis[1] - this.axis[0]);
    for (let k = 2; k < curve.length; k += 2) {
      if (curve[k] >= u) {
        const [x0, y0, x1, y1] = curve.slice(k - 2, k + 2);
        return x1 > x0 ? y0 + ((y1 - y0) * (u - x0)) / (x1 - x0) : Math.max(y0, y1);
      }
    }
    return curve.at(-1) ?? 0;
  }
}

/** Middle of the highest part of a curve, as a fraction of the axis. */
function peakOf(curve) {
  if (!curve.length) return null;
  let best = -1;
  for (let i = 1; i < curve.length; i += 2) best = Math.max(best, curve[i] ?? -1);
  if (best <= 0) return null;
  let [first, last] = [null, null];
  for (let i = 1; i < curve.length; i += 2) {
    if ((curve[i] ?? -1) >= best - 0.01) {
      first ??= curve[i - 1];
      last = curve[i - 1];
    }
  }
  return (first + last) / 2;
}
