// Drawing of points, cells and centers.

import { colorOf, cssColor, sequential } from "../plot/colors.js";

// The last color is gray, for all other texts.
const CATEGORIES = [0, 1, 2, 3, 4, 5, 7, 6];
const LAST = CATEGORIES.length - 1;

/** CSS variable of the color of a category. */
export const categoryVariable = (i) => `--set${CATEGORIES[i % CATEGORIES.length]}`;

/** Position of the color of a category: texts without a color of their own share the last one. */
const categoryOf = (value, color) => (color.own ? Math.min(value, LAST) : value % CATEGORIES.length);

/** Colors by category, as CSS text. */
const categoryColors = () => CATEGORIES.map((_, i) => cssColor(categoryVariable(i)));

/** Draws the rows as points; points without a color are gray. */
export function drawPoints(context, { toX, toY }, shown, compact) {
  const { drawn, first, second, colors, memberships, color, hasCategories, colorRange } = shown;
  const plain = cssColor(color ? "--muted" : "--set0");
  const categories = categoryColors();
  const map = sequential.map(([red, green, blue]) => `rgb(${red} ${green} ${blue})`);
  const [lower, upper] = colorRange;
  const scale = upper > lower ? 255 / (upper - lower) : 0;
  const size = compact ? 2 : drawn > 5000 ? 3 : 5;
  const alpha = drawn > 5000 ? 0.5 : drawn > 500 ? 0.65 : 0.8;
  for (let i = 0; i < drawn; i++) {
    const value = colors[i];
    context.fillStyle = Number.isNaN(value) ? plain
      : hasCategories ? categories[categoryOf(value, color)]
      : map[Math.min(Math.max(Math.round((value - lower) * scale), 0), 255)] ?? plain;
    context.globalAlpha = alpha * (0.15 + 0.85 * memberships[i]);
    if (size < 5) context.fillRect(toX(first[i]) - size / 2, toY(second[i]) - size / 2, size, size);
    else {
      context.beginPath();
      context.arc(toX(first[i]), toY(second[i]), size / 2 + 0.5, 0, 2 * Math.PI);
      context.fill();
    }
  }
}

/** Red, green and blue of a CSS color. */
function channels(text) {
  const context = document.createElement("canvas").getContext("2d");
  context.fillStyle = text;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}

/** Paints the cells, one pixel each; cells without rows are transparent. */
export function paintCells(bitmap, { cells: n, first: counts, colors, memberships, color, hasCategories, colorRange, highest }) {
  bitmap.width = n;
  bitmap.height = n;
  const context = bitmap.getContext("2d");
  const image = context.createImageData(n, n);
  const categories = hasCategories ? categoryColors().map(channels) : [];
  const gray = channels(cssColor("--muted"));
  const level = (rows) => (highest > 1 ? Math.log(rows) / Math.log(highest) : 1);
  for (let cell = 0; cell < n * n; cell++) {
    const rows = counts[cell];
    if (!rows) continue;
    const value = colors[cell];
    const rgb = !color ? colorOf(sequential, level(rows), 0, 1)
      : Number.isNaN(value) ? gray
      : hasCategories ? categories[categoryOf(value, color)]
      : colorOf(sequential, value, ...colorRange);
    // Rows of images begin at the top.
    const at = 4 * ((n - 1 - Math.floor(cell / n)) * n + (cell % n));
    image.data.set(rgb, at);
    const weight = hasCategories ? (0.35 + 0.65 * level(rows)) * (0.15 + 0.85 * memberships[cell]) : 1;
    image.data[at + 3] = Math.round(255 * weight);
  }
  context.putImageData(image, 0, 0);
}

/** Draws numbered crosses at the centers of clusters. */
export function drawCenters(context, { left, top, w, h, toX, toY }, centers) {
  context.save();
  context.beginPath();
  context.rect(left, top, w, h);
  context.clip();
  context.font = "600 13px system-ui, sans-serif";
  context.textAlign = "left";
  context.textBaseline = "bottom";
  centers.forEach(([x, y], i) => {
    const [at, up] = [toX(x), toY(y)];
    for (const [style, width] of [[cssColor("--surface"), 6], [cssColor("--text"), 2.5]]) {
      context.strokeStyle = style;
      context.lineWidth = width;
      context.beginPath();
      context.moveTo(at - 7, up - 7);
      context.lineTo(at + 7, up + 7);
      context.moveTo(at - 7, up + 7);
      context.lineTo(at + 7, up - 7);
      context.stroke();
    }
    context.lineWidth = 4;
    context.strokeStyle = cssColor("--surface");
    context.strokeText(String(i + 1), at + 9, up - 4);
    context.fillStyle = cssColor("--text");
    context.fillText(String(i + 1), at + 9, up - 4);
  });
  context.restore();
}
