// A scatter plot that requests its rows from the server.

import { latest, postNumbers } from "../core/api.js";
import { h } from "../core/dom.js";
import { createScatterPlot } from "./scatter-plot.js";

/** Texts with a color of their own, as in the server. */
const OWN_CATEGORIES = 7;

/** Adds to a column how many of its texts have a color of their own. */
export const asColor = (source) => (source.texts ? { ...source, own: OWN_CATEGORIES } : source);

/**
 * `draw` gets the number of the table, the sources x, y and color (null for none), centers, and the time of the event that
 * caused it, with which the time until the plot is complete is measured.
 */
export function createScatterFigure({ label, compact = false }) {
  const plot = createScatterPlot({ label, compact });
  const problem = h("p", { class: "bad-text small", role: "status" });
  const node = h("figure", { class: "scatter" }, ...(compact ? [plot.canvas] : plot.nodes), problem);
  let wanted = null;

  const request = latest(async () => {
    const { table, x, y, color, centers, time, cells } = wanted;
    try {
      const numbers = await postNumbers("data/scatter", { table, x: x.request, y: y.request, color: color?.request ?? null, cells });
      problem.textContent = "";
      plot.update({ numbers, x, y, color, centers });
      if (time) performance.measure("scatter plot", { start: time, end: performance.now() });
    } catch (error) {
      problem.textContent = error.message;
    }
  });

  return {
    node,
    draw(next) {
      wanted = { color: null, centers: [], time: 0, ...next };
      return request();
    },
  };
}
