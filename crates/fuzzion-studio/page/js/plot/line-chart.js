// A line chart of an output over one input, with a mark at one point.

import { format, set, svg } from "../core/dom.js";
import { tickText, ticks } from "./axis.js";

const [LEFT, RIGHT, TOP, BOTTOM] = [52, 12, 12, 40];

export function createLineChart({ height = 230 } = {}) {
  let width = 620;
  let last = null;
  const grid = svg("g");
  const line = svg("path", { class: "cross-line" });
  const mark = svg("circle", { r: 5, class: "cross-mark" });
  const node = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img" }, grid, line, mark);
  node.style.height = `${height}px`;
  new ResizeObserver(() => {
    const next = Math.round(node.getBoundingClientRect().width);
    if (!next || next === width) return;
    width = next;
    node.setAttribute("viewBox", `0 0 ${width} ${height}`);
    if (last) chart.update(last);
  }).observe(node);
  const chart = {
    node,
    /** `values` are at equal distances over the range of `x`; the mark is at `at`. */
    update(data) {
      last = data;
      const { values, x, yName, limits, at, value } = data;
      let [lower, upper] = limits;
      if (!(upper > lower)) [lower, upper] = [lower - 0.5, upper + 0.5];
      const toX = (fraction) => LEFT + fraction * (width - LEFT - RIGHT);
      const toY = (y) => TOP + (1 - (y - lower) / (upper - lower)) * (height - TOP - BOTTOM);
      const fraction = (position) => (position - x.range[0]) / (x.range[1] - x.range[0]);
      let path = "";
      let gap = true;
      values.forEach((y, i) => {
        if (Number.isNaN(y)) gap = true;
        else {
          path += `${gap ? "M" : "L"}${toX(i / (values.length - 1)).toFixed(1)} ${toY(y).toFixed(1)}`;
          gap = false;
        }
      });
      set(line, { d: path });
      const visible = Number.isFinite(value);
      set(mark, { cx: toX(fraction(at)).toFixed(1), cy: visible ? toY(value).toFixed(1) : 0, visibility: visible ? "visible" : "hidden" });
      set(node, { "aria-label": `${yName} over ${x.name}; at ${format(at)} it is ${format(value)}` });
      grid.replaceChildren(
        ...ticks(...x.range, 5).flatMap((tick) => [
          svg("line", { class: "grid-line", x1: toX(fraction(tick)), x2: toX(fraction(tick)), y1: TOP, y2: height - BOTTOM }),
          svg("text", { class: "tick", x: toX(fraction(tick)), y: height - BOTTOM + 15, "text-anchor": "middle" }, tickText(tick))]),
        ...ticks(lower, upper, 4).flatMap((tick) => [
          svg("line", { class: "grid-line", x1: LEFT, x2: width - RIGHT, y1: toY(tick), y2: toY(tick) }),
          svg("text", { class: "tick", x: LEFT - 6, y: toY(tick) + 4, "text-anchor": "end" }, tickText(tick))]),
        svg("text", { class: "tick axis-name", x: LEFT + (width - LEFT - RIGHT) / 2, y: height - 6, "text-anchor": "middle" }, x.name));
    },
  };
  return chart;
}
