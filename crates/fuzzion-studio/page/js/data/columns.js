// The columns of the table: kind, range, mean, missing values and histogram.

import { format, h } from "../core/dom.js";
import { histogram } from "./histogram.js";
import { count, data, onTable } from "./state.js";

/** Number of texts that are listed in a row. */
const LISTED = 4;

function numberCells(column) {
  return [column.min, column.mean, column.max].map((value) => h("td", { class: "number" }, format(value)));
}

function textCell(column) {
  const texts = column.texts.slice(0, LISTED).map((item) => `${item.text} (${count(item.count)})`);
  const more = column.different > LISTED ? ", …" : "";
  return h("td", { colspan: 3, class: "texts" }, texts.join(", ") + more);
}

function row(column) {
  return h("tr", {}, h("th", { scope: "row" }, column.name), h("td", {}, column.kind), h("td", {}, histogram(column)),
    column.kind === "text" ? textCell(column) : numberCells(column),
    h("td", { class: "number" }, count(column.missing)),
    h("td", { class: "number" }, column.kind === "text" ? count(column.different) : ""));
}

export function createColumns(container) {
  const body = h("tbody");
  const heads = ["Column", "Kind", "Distribution", "Smallest", "Mean", "Largest", "Missing", "Different texts"];
  container.append(h("div", { class: "columns-box", tabindex: 0, role: "region", "aria-label": "Columns of the table" },
    h("table", { class: "plain columns" }, h("caption", { class: "visually-hidden" }, "Columns of the table"),
      h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text)))), body)));
  onTable(() => body.replaceChildren(...data.table.columns.map(row)));
}
