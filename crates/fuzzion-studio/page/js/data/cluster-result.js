// Clusters that were found: validity indices, centers, and the rows colored by cluster.

import { latest, post } from "../core/api.js";
import { field, format, h, select } from "../core/dom.js";
import { attempt } from "../core/notice.js";
import { createLineChart } from "../plot/line-chart.js";
import { resultName, saveResults } from "./save.js";
import { createScatterFigure } from "./scatter-figure.js";
import { columnSource, count, data } from "./state.js";

/** Chart of a validity index over the number of clusters. */
function indexChart(result) {
  const chart = createLineChart();
  const { fits, indices } = result;
  const clusters = fits.map((fit) => fit.clusters);
  const draw = (id) => {
    const index = indices.find((item) => item.id === id);
    const values = fits.map((fit) => (typeof fit.indices[id] === "number" ? fit.indices[id] : NaN));
    const known = values.filter((value) => !Number.isNaN(value));
    chart.update({
      values, x: { name: "clusters", range: [clusters[0], clusters.at(-1)] }, yName: index.name,
      limits: known.length ? [Math.min(...known), Math.max(...known)] : [0, 1],
      at: result.recommended ?? clusters[0], value: values[clusters.indexOf(result.recommended)],
    });
  };
  const options = indices.map((item) => [item.id, `${item.name} (${item.higher ? "higher" : "lower"} is better)`]);
  draw("xb");
  return h("figure", { class: "index-chart" }, field("Validity index", select(options, "xb", draw)), chart.node);
}

/** Table of the centers in the units of the data. */
function centerTable(result, fit) {
  const rows = fit.centers.map((center, i) => h("tr", {}, h("th", { scope: "row" }, `cluster ${i + 1}`),
    h("td", { class: "number" }, count(Math.round(fit.sizes[i]))), center.map((value) => h("td", { class: "number" }, format(value, 5)))));
  return h("div", { class: "scroll-x" }, h("table", { class: "plain centers" }, h("caption", { class: "small muted" }, "Centers in the units of the table"),
    h("thead", {}, h("tr", {}, ["Cluster", "Rows", ...result.names].map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, rows)));
}

/** The positions that can be an axis: the clustered columns, then the principal axes. */
function axisChoices(result) {
  const columns = result.columns.map((column, i) => ({ source: columnSource(column), centers: (fit) => fit.centers.map((center) => center[i]) }));
  const axes = (result.explained ?? []).map((part, i) => ({
    source: { request: { of: "axis", index: i }, name: `principal axis ${i + 1} (${format(100 * part, 3)} % of the variance)` },
    centers: (fit) => fit.axes.map((axis) => axis[i]),
  }));
  return [...columns, ...axes];
}

/** The elements that show a result of `data/cluster`. */
export function createClusterResult(table, name, result) {
  const choices = axisChoices(result);
  const chosen = { clusters: result.shown, x: 0, y: Math.min(1, choices.length - 1) };
  const warnings = h("div");
  const centers = h("div");
  const figure = createScatterFigure({ label: "Clusters" });
  const fit = () => result.fits.find((candidate) => candidate.clusters === chosen.clusters);

  const draw = (time) => {
    const [x, y] = [choices[chosen.x], choices[chosen.y]];
    const [xs, ys] = [x.centers(fit()), y.centers(fit())];
    const texts = fit().centers.map((_, i) => `cluster ${i + 1}`);
    return figure.draw({
      table, x: x.source, y: y.source, color: { request: { of: "cluster" }, name: "cluster", texts }, centers: xs.map((at, i) => [at, ys[i]]), time,
    });
  };

  const showFit = latest(async () => {
    const { clusters } = chosen;
    await attempt(async () => {
      await post("data/clusters", { table, clusters });
      if (data.table.table !== table) return;
      const found = fit();
      const reached = found.converged ? "" : [`The limit of ${found.iterations} iterations was reached before the centers were stable.`];
      warnings.replaceChildren(...[...found.warnings.map((text) => `Warning: ${text}`), ...reached].map((text) => h("p", { class: "bad-text small" }, text)));
      centers.replaceChildren(centerTable(result, found));
      await draw(performance.now());
    });
  });

  const numbers = result.fits.map((item) => [String(item.clusters), `${item.clusters}${item.clusters === result.recommended ? " (recommended)" : ""}`]);
  const pickAxis = (label, key) => field(label, select(choices.map((item, i) => [String(i), item.source.name]), String(chosen[key]), (value) => {
    chosen[key] = Number(value);
    draw(performance.now());
  }));
  const sweep = result.fits.length > 1;
  const shown = sweep ? field("Shown number of clusters", select(numbers, String(chosen.clusters), (value) => {
    chosen.clusters = Number(value);
    showFit();
  })) : null;
  showFit();
  const help = "The color is the cluster with the largest membership; the weaker the membership, the paler the color. Crosses are centers.";
  return [
    h("p", { class: "recommendation", role: "status" }, result.recommendation ?? (sweep ? "The indices recommend no number of clusters." : "")),
    h("div", { class: "parts" },
      h("div", { class: "part" }, sweep ? indexChart(result) : null, h("div", { class: "fields" }, shown,
        h("button", { type: "button", onclick: () => attempt(() => saveResults(table, "clusters", resultName(name, "clusters"))) }, "Save clusters …")),
      warnings, centers),
      h("div", { class: "part" }, h("div", { class: "fields" }, pickAxis("Horizontal", "x"), pickAxis("Vertical", "y")), figure.node, h("p", { class: "small muted" }, help))),
  ];
}
