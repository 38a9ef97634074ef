// A heat map of values over two inputs, with axes, a color bar, a hatching where no rule fires, and a cross at one point.

import { format } from "../core/dom.js";
import { tickText, ticks } from "./axis.js";
import { createCanvas } from "./canvas.js";
import { colorOf, cssColor } from "./colors.js";

const LEFT = 56;
const TOP = 12;
const RIGHT = 78;
const BOTTOM = 44;

/** `onpick(x, y)` is called when a point is clicked or dragged. */
export function createHeatMap({ label, onpick = null }) {
  /** values, fired, n, x: {name, range}, y, limits: [lower, upper], map, point: [x, y] */
  let data = null;
  const bitmap = document.createElement("canvas");

  const inner = (width, height) => [width - LEFT - RIGHT, height - TOP - BOTTOM];
  const toX = (x, width) => LEFT + ((x - data.x.range[0]) / (data.x.range[1] - data.x.range[0])) * inner(width, 0)[0];
  const toY = (y, height) => TOP + (1 - (y - data.y.range[0]) / (data.y.range[1] - data.y.range[0])) * inner(0, height)[1];

  const paintBitmap = () => {
    const { values, fired, n, limits, map } = data;
    bitmap.width = n;
    bitmap.height = n;
    const context = bitmap.getContext("2d");
    const image = context.createImageData(n, n);
    for (let row = 0; row < n; row++) {
      for (let column = 0; column < n; column++) {
        const from = row * n + column;
        const to = 4 * ((n - 1 - row) * n + column);
        const value = values[from];
        if (Number.isNaN(value)) continue;
        const [r, g, b] = colorOf(map, value, limits[0], limits[1]);
        const hatched = fired && fired[from] === 0 && (row + column) % 4 < 2;
        image.data[to] = hatched ? r * 0.55 + 105 : r;
        image.data[to + 1] = hatched ? g * 0.55 + 105 : g;
        image.data[to + 2] = hatched ? b * 0.55 + 105 : b;
        image.data[to + 3] = 255;
      }
    }
    context.putImageData(image, 0, 0);
  };

  const { canvas, redraw } = createCanvas((context, width, height) => {
    if (!data) return;
    const [w, h] = inner(width, height);
    context.imageSmoothingEnabled = !data.fired?.includes(0);
    context.drawImage(bitmap, 0.5, 0.5, data.n - 1, data.n - 1, LEFT, TOP, w, h);
    const text = cssColor("--text");
    const muted = cssColor("--muted");
    context.strokeStyle = cssColor("--line");
    context.strokeRect(LEFT + 0.5, TOP + 0.5, w, h);
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = muted;
    context.textAlign = "center";
    context.textBaseline = "top";
    for (const x of ticks(...data.x.range, w / 80)) context.fillText(tickText(x), toX(x, width), TOP + h + 5);
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const y of ticks(...data.y.range, h / 50)) context.fillText(tickText(y), LEFT - 5, toY(y, height));
    context.fillStyle = text;
    context.textAlign = "center";
    context.textBaseline = "bottom";
    context.fillText(data.x.name, LEFT + w / 2, height - 4);
    context.save();
    context.translate(14, TOP + h / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(data.y.name, 0, 0);
    context.restore();
    drawBar(context, LEFT + w + 14, h, text);
    if (data.point) {
      const [x, y] = [toX(data.point[0], width), toY(data.point[1], height)];
      for (const [style, size] of [["#000", 3.5], ["#fff", 1.5]]) {
        context.strokeStyle = style;
        context.lineWidth = size;
        context.beginPath();
        context.arc(x, y, 6, 0, 2 * Math.PI);
        context.stroke();
      }
      context.lineWidth = 1;
    }
  }, { label });

  function drawBar(context, x, h, text) {
    const [lower, upper] = data.limits;
    for (let i = 0; i < h; i++) {
      const [r, g, b] = colorOf(data.map, 1 - i / h, 0, 1);
      context.fillStyle = `rgb(${r} ${g} ${b})`;
      context.fillRect(x, TOP + i, 12, 1.5);
    }
    context.fillStyle = text;
    context.textAlign = "left";
    context.textBaseline = "middle";
    const marks = upper > lower ? ticks(lower, upper, 4) : [lower];
    for (const value of marks) {
      const y = upper > lower ? TOP + (1 - (value - lower) / (upper - lower)) * h : TOP + h / 2;
      context.fillText(tickText(value), x + 16, y);
    }
  }

  const pick = (event) => {
    if (!data || !onpick) return;
    const box = canvas.getBoundingClientRect();
    const [w, h] = inner(canvas.clientWidth, canvas.clientHeight);
    const u = Math.min(Math.max((event.clientX - box.left - LEFT) / w, 0), 1);
    const v = Math.min(Math.max(1 - (event.clientY - box.top - TOP) / h, 0), 1);
    const at = ([lower, upper], fraction) => lower + fraction * (upper - lower);
    onpick(at(data.x.range, u), at(data.y.range, v), event);
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pick(event);
  });
  canvas.addEventListener("pointermove", (event) => event.buttons === 1 && pick(event));
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step || !data?.point || !onpick) return;
    event.preventDefault();
    const move = (value, [lower, upper], by) => Math.min(Math.max(value + (by * (upper - lower)) / 50, lower), upper);
    onpick(move(data.point[0], data.x.range, step[0]), move(data.point[1], data.y.range, step[1]), event);
  });

  return {
    canvas,
    update(next) {
      data = next;
      paintBitmap();
      canvas.setAttribute("aria-label", `${label}: from ${format(data.limits[0])} to ${format(data.limits[1])} over ${data.x.name} and ${data.y.name}`);
      redraw();
    },
    point(point) {
      if (!data) return;
      data.point = point;
      redraw();
    },
  };
}
