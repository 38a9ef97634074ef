// Scatter plots of all pairs of up to five columns.

import { h } from "../core/dom.js";
import { createColumnPicker } from "./column-picker.js";
import { histogram } from "./histogram.js";
import { createScatterFigure } from "./scatter-figure.js";
import { columnSource, data, onTable } from "./state.js";

const MAX_COLUMNS = 5;
/** Cells along an axis of these small plots. */
const CELLS = 60;

export function createMatrix(container) {
  const grid = h("div", { class: "matrix-grid" });
  const picker = createColumnPicker({ label: `Columns (up to ${MAX_COLUMNS})`, max: MAX_COLUMNS, onchange: () => draw() });
  const details = h("details", { ontoggle: () => draw() }, h("summary", {}, "Scatter plots of all pairs of up to five columns"), picker.node, grid);
  container.append(details);

  function draw() {
    if (!details.open || !data.table) return;
    const columns = picker.selected;
    grid.style.gridTemplateColumns = `repeat(${Math.max(columns.length, 1)}, minmax(0, 1fr))`;
    const started = performance.now();
    const plots = [];
    const cells = columns.flatMap((y, row) => columns.map((x, column) => {
      if (column > row) return h("div", { class: "matrix-empty" });
      if (column === row) {
        return h("div", { class: "matrix-name" }, h("span", { class: "small" }, data.table.columns[x].name), histogram(data.table.columns[x]));
      }
      const figure = createScatterFigure({ label: "Small scatter plot", compact: true });
      plots.push([figure, x, y]);
      return figure.node;
    }));
    grid.replaceChildren(...cells);
    // One after another, so that the connections of the browser stay free.
    const { table } = data.table;
    const drawAll = async () => {
      for (const [figure, x, y] of plots) {
        if (!figure.node.isConnected) return;
        await figure.draw({ table, x: columnSource(x), y: columnSource(y), cells: CELLS });
      }
      performance.measure("scatter matrix", { start: started, end: performance.now() });
    };
    drawAll();
  }

  onTable(() => {
    picker.reset(4);
    draw();
  });
}
