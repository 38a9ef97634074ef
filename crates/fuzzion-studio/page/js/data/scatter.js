// The scatter plot of two columns.

import { field, h, select } from "../core/dom.js";
import { asColor, createScatterFigure } from "./scatter-figure.js";
import { columnOptions, columnSource, data, numberColumns, onTable } from "./state.js";

export function createScatter(container) {
  const menus = h("div", { class: "fields" });
  const figure = createScatterFigure({ label: "Scatter plot" });
  container.append(menus, figure.node);
  let chosen = { x: 0, y: 0, color: "" };

  const draw = (time) => {
    const { x, y, color } = chosen;
    figure.draw({
      table: data.table.table, x: columnSource(x), y: columnSource(y), color: color === "" ? null : asColor(columnSource(color)), time,
    });
  };

  const menu = (label, key, options) => field(label, select(options, String(chosen[key]), (value) => {
    chosen[key] = value === "" ? "" : Number(value);
    draw(performance.now());
  }));

  onTable(() => {
    const { columns } = data.table;
    const numbers = numberColumns();
    const first = numbers[0] ?? 0;
    chosen = { x: first, y: numbers[1] ?? first, color: "" };
    const options = columnOptions(columns.map((_, i) => i));
    menus.replaceChildren(menu("Horizontal", "x", options), menu("Vertical", "y", options), menu("Color", "color", [["", "none"], ...options]));
    draw(performance.now());
  });
}
