// Fuzzy clusters of the rows: settings and the job.

import { field, h, select } from "../core/dom.js";
import { createClusterResult } from "./cluster-result.js";
import { createColumnPicker } from "./column-picker.js";
import { createJobBar } from "./job-bar.js";
import { data, onTable } from "./state.js";

/** Names of the metrics in the library, and what they are called here. */
const METRICS = [["euclidean", "Euclidean (fuzzy c-means)"], ["mahalanobis", "Mahalanobis"], ["gk", "Gustafson-Kessel"], ["gg", "Gath-Geva"]];
const MISSING = [["error", "report an error"], ["partial", "use the other values"]];
const MAX_COLUMNS = 100;
/** The numbers of clusters that are compared. */
const SWEEP = [2, 10];

export function createClusters(container) {
  const settings = { clusters: 3, sweep: true, fuzzifier: 2, metric: "euclidean", standardize: true, missing: "error" };
  const picker = createColumnPicker({ label: "Columns", max: MAX_COLUMNS, onchange: () => update() });
  const number = (key, properties) => h("input", { type: "number", class: "numeric", value: settings[key], ...properties, onchange: (event) => {
    settings[key] = Number(event.target.value);
  } });
  const check = (label, key) => h("label", { class: "check" }, h("input", { type: "checkbox", checked: settings[key], onchange: (event) => {
    settings[key] = event.target.checked;
    update();
  } }), label);
  const choice = (key, options) => select(options, settings[key], (value) => {
    settings[key] = value;
    update();
  });
  const clusters = number("clusters", { min: 1, max: 50, step: 1 });
  const standardize = check("Standardize columns", "standardize");
  const start = h("button", { type: "button", class: "primary", onclick: () => run() }, "Find clusters");
  const bar = createJobBar("Progress of the clustering");
  const results = h("div", { class: "results", hidden: true });
  container.append(picker.node,
    h("div", { class: "fields" },
      check(`Compare ${SWEEP[0]} to ${SWEEP[1]} clusters`, "sweep"), field("Clusters", clusters), field("Fuzzifier", number("fuzzifier", { min: 1.01, step: 0.1 })),
      field("Metric", choice("metric", METRICS)), standardize, field("Missing values", choice("missing", MISSING))),
    h("div", { class: "row" }, start, bar.node), results);

  function update() {
    clusters.disabled = settings.sweep;
    // The other metrics do not depend on the units of the columns.
    standardize.firstChild.disabled = settings.metric !== "euclidean";
    start.disabled = !data.table || picker.selected.length === 0;
  }

  async function run() {
    const { table, name } = data.table;
    const { sweep, fuzzifier, metric, standardize, missing } = settings;
    start.disabled = true;
    const result = await bar.run("data/cluster", {
      table, columns: picker.selected, clusters: sweep ? SWEEP : [settings.clusters, settings.clusters], fuzzifier, metric, standardize, missing,
    });
    update();
    if (!result || data.table.table !== table) return;
    results.hidden = false;
    results.replaceChildren(...createClusterResult(table, name, result));
  }

  onTable(() => {
    picker.reset(4);
    results.hidden = true;
    results.replaceChildren();
    bar.status.textContent = "";
    update();
  });
  update();
}
