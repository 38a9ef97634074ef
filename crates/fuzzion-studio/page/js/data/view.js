// The view Data: a table, its plots, the outputs of the system for its rows, and clusters.

import { h } from "../core/dom.js";
import { attempt } from "../core/notice.js";
import { createClusters } from "./clusters.js";
import { createColumns } from "./columns.js";
import { createMatrix } from "./matrix.js";
import { createOpen } from "./open.js";
import { createRun } from "./run.js";
import { createScatter } from "./scatter.js";
import { onTable } from "./state.js";

let open = null;

export function create(container) {
  const panel = (title, help, ...parts) => {
    const node = h("section", { class: "panel", "aria-label": title }, h("h2", {}, title), help ? h("p", { class: "help" }, help) : null);
    // Several parts are next to each other if there is space.
    const places = parts.length > 1 ? parts.map(() => h("div", { class: "part" })) : [node];
    if (parts.length > 1) node.append(h("div", { class: "parts" }, places));
    const results = parts.map((part, i) => part(places[i]));
    return { node, results };
  };
  const first = panel("Table", "", createOpen);
  [open] = first.results;
  const columns = h("div", { hidden: true });
  createColumns(columns);
  first.node.append(columns);
  const others = [
    panel("Scatter plot", "Two columns, colored by a third one. Many rows are counted in cells.", createScatter, createMatrix),
    panel("Run the system", "The outputs of the system of this page for every row.", createRun),
    panel("Clusters", "Groups of similar rows. A row belongs to every cluster to some degree.", createClusters),
  ].map(({ node }) => node);
  const rest = h("div", { class: "data-panels", hidden: true }, others);
  container.append(first.node, rest);
  onTable(() => {
    columns.hidden = false;
    rest.hidden = false;
  });
}

/** The files of the start folder may have changed. */
export function show() {
  attempt(() => open.list());
}
