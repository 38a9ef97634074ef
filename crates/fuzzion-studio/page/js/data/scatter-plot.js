// A scatter plot: points, or cells with the number of rows in each, with axes and a color bar or legend.

import { format, h } from "../core/dom.js";
import { tickText, ticks } from "../plot/axis.js";
import { createCanvas } from "../plot/canvas.js";
import { cssColor, sequential } from "../plot/colors.js";
import { categoryVariable, drawCenters, drawPoints, paintCells } from "./marks.js";
import { count, counted } from "./state.js";

const HEADER = 10;

/** The response of `data/scatter`. */
function parse(numbers) {
  const [cells, drawn, left, x0, x1, y0, y1, c0, c1, categories] = numbers;
  const size = cells ? cells * cells : drawn;
  const part = (i) => numbers.subarray(HEADER + i * size, HEADER + (i + 1) * size);
  return { cells, drawn, left, xRange: [x0, x1], yRange: [y0, y1], colorRange: [c0, c1], hasCategories: categories === 1, first: part(0), second: part(1), colors: part(2), memberships: part(3) };
}

/** A range in which no point touches the frame; texts have a distance to it already. */
function withMargin([lower, upper], axis) {
  const margin = axis.texts ? 0 : 0.03 * (upper - lower);
  return [lower - margin, upper + margin];
}

/** What is drawn, in words. */
function caption({ cells, drawn, left, hasCategories }, color) {
  const shown = cells ? `${counted(drawn, "row")} in ${cells} × ${cells} cells` : counted(drawn, "row");
  const meaning = cells && color ? `; color: ${hasCategories ? `most frequent ${color.name}` : `mean of ${color.name}`}`
    : color ? `; color: ${color.name}`
    : cells ? "; color: number of rows, logarithmic" : "";
  return `${shown}${meaning}.${left ? ` ${counted(left, "row")} without finite values ${left === 1 ? "is" : "are"} not shown.` : ""}`;
}

/** `compact` plots have no axes. `update` gets numbers, x, y, color and centers. */
export function createScatterPlot({ label, compact = false }) {
  let shown = null;
  const note = h("figcaption", { class: "small muted" });
  const legend = h("ul", { class: "legend", "aria-label": "Legend" });
  const bitmap = document.createElement("canvas");

  /** Left, top, right and bottom. */
  const margins = () => {
    if (compact) return [3, 3, 3, 3];
    const hasBar = shown.color ? !shown.hasCategories : shown.cells > 0;
    return [shown.y.texts ? 92 : 58, 12, hasBar ? 76 : 16, 44];
  };

  const { canvas, redraw } = createCanvas((context, width, height) => {
    if (!shown) return;
    const [left, top, right, bottom] = margins();
    const [w, h] = [width - left - right, height - top - bottom];
    const place = (range, value) => (value - range[0]) / (range[1] - range[0]);
    const area = { left, top, w, h, toX: (x) => left + place(shown.xRange, x) * w, toY: (y) => top + (1 - place(shown.yRange, y)) * h };
    if (shown.cells) {
      paintCells(bitmap, shown);
      context.imageSmoothingEnabled = false;
      context.drawImage(bitmap, left, top, w, h);
    } else drawPoints(context, area, shown, compact);
    context.globalAlpha = 1;
    context.strokeStyle = cssColor("--line");
    context.lineWidth = 1;
    context.strokeRect(left + 0.5, top + 0.5, w, h);
    if (compact) return;
    drawAxes(context, area, width, height);
    if (shown.color ? !shown.hasCategories : shown.cells) drawBar(context, area);
    drawCenters(context, area, shown.centers ?? []);
  }, { label, ratio: compact ? 1 : 0.72 });

  /** Pairs of position and text along an axis of `length` pixels. */
  function labels(axis, range, length, spacing) {
    if (!axis.texts) return ticks(...range, length / spacing).map((value) => [value, tickText(value)]);
    const step = Math.max(1, Math.ceil((axis.different * spacing) / length));
    const short = (text) => (text.length > 11 ? `${text.slice(0, 10)}…` : text);
    return axis.texts.map((text, i) => [i, short(text)]).filter(([i]) => i % step === 0);
  }

  function drawAxes(context, { left, top, w, h, toX, toY }, width, height) {
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = cssColor("--muted");
    context.textAlign = "center";
    context.textBaseline = "top";
    for (const [x, text] of labels(shown.x, shown.xRange, w, 80)) context.fillText(text, toX(x), top + h + 5);
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const [y, text] of labels(shown.y, shown.yRange, h, 40)) context.fillText(text, left - 5, toY(y));
    context.fillStyle = cssColor("--text");
    context.textAlign = "center";
    context.textBaseline = "bottom";
    context.fillText(shown.x.name, left + w / 2, height - 4, w);
    context.save();
    context.translate(14, top + h / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(shown.y.name, 0, 0, h);
    context.restore();
  }

  function drawBar(context, { left, top, w, h }) {
    const at = left + w + 14;
    for (let i = 0; i < h; i++) {
      const [red, green, blue] = sequential[Math.round(255 * (1 - i / h))];
      context.fillStyle = `rgb(${red} ${green} ${blue})`;
      context.fillRect(at, top + i, 12, 1.5);
    }
    context.fillStyle = cssColor("--text");
    context.textAlign = "left";
    context.textBaseline = "middle";
    const mark = (fraction, value) => context.fillText(tickText(value), at + 16, top + (1 - fraction) * h);
    if (shown.color) {
      const [lower, upper] = shown.colorRange;
      ticks(lower, upper, 4).forEach((value) => mark((value - lower) / (upper - lower), value));
      return;
    }
    const powers = Math.max(Math.floor(Math.log10(shown.highest)), 0);
    for (let power = 0; power <= powers; power++) {
      mark(shown.highest > 1 ? (power * Math.LN10) / Math.log(shown.highest) : 0, 10 ** power);
    }
  }

  function drawLegend() {
    const { color, hasCategories } = shown;
    const names = hasCategories ? color.texts.slice(0, color.own ?? color.texts.length) : [];
    if (hasCategories && color.own && color.different > color.own) names.push("other texts");
    legend.replaceChildren(...names.map((name, i) => {
      const swatch = h("span", { class: "legend-swatch", "aria-hidden": "true" });
      swatch.style.background = `var(${categoryVariable(i)})`;
      return h("li", {}, swatch, name);
    }));
  }

  return {
    canvas,
    nodes: [canvas, legend, note],
    update({ numbers, x, y, color = null, centers = [] }) {
      const parsed = parse(numbers);
      const [xValues, yValues] = [parsed.xRange, parsed.yRange];
      if (!parsed.cells) {
        parsed.xRange = withMargin(parsed.xRange, x);
        parsed.yRange = withMargin(parsed.yRange, y);
      }
      const highest = parsed.cells ? parsed.first.reduce((a, b) => Math.max(a, b), 1) : 1;
      shown = { ...parsed, x, y, color, centers, highest };
      note.textContent = caption(shown, color);
      const axis = (source, range) => (source.texts ? `${source.name} (${counted(source.different, "text")})` : `${source.name} from ${format(range[0])} to ${format(range[1])}`);
      canvas.setAttribute("aria-label", `${label}: ${axis(y, yValues)} over ${axis(x, xValues)}; ${count(shown.drawn)} rows${color ? `, colored by ${color.name}` : ""}`);
      drawLegend();
      redraw();
    },
  };
}
