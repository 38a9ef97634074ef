// A small histogram.

import { format, svg } from "../core/dom.js";

const [WIDTH, HEIGHT] = [120, 28];

/** The histogram of a column. */
export function histogram(column) {
  const counts = column.histogram;
  const highest = Math.max(...counts, 1);
  const step = WIDTH / Math.max(counts.length, 1);
  const bars = counts.map((count, i) => {
    // A bar of few rows is still visible.
    const height = count ? Math.max((HEIGHT * count) / highest, 1) : 0;
    return svg("rect", { x: (i * step).toFixed(2), width: Math.max(step - 1, 0.5).toFixed(2), y: (HEIGHT - height).toFixed(2), height: height.toFixed(2) });
  });
  const label = column.kind === "text" ? `Numbers of rows of the most frequent texts of ${column.name}`
    : column.range ? `Histogram of ${column.name} from ${format(column.range[0])} to ${format(column.range[1])}`
    : `${column.name} has no finite values`;
  return svg("svg", { class: "histogram", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label }, bars);
}
