// The system of the page for all rows of the table: outputs, their plots and their errors.

import { post } from "../core/api.js";
import { field, format, h, select } from "../core/dom.js";
import { attempt } from "../core/notice.js";
import { onNextFrame } from "../core/rebuild.js";
import { store, subscribe } from "../core/store.js";
import { createJobBar } from "./job-bar.js";
import { resultName, saveResults } from "./save.js";
import { createScatterFigure } from "./scatter-figure.js";
import { columnOptions, columnSource, count, counted, data, numberColumns, onTable } from "./state.js";

/** The column of each input: by name, ignoring case; by position if the columns have no names. */
function matchInputs(inputs) {
  const numbers = numberColumns();
  const names = numbers.map((i) => data.table.columns[i].name.toLowerCase());
  const find = (name) => (name ? numbers[names.indexOf(name.toLowerCase())] : undefined);
  // In file formats that cannot represent the name of a column, the description of the input contains it.
  const matched = inputs.map((input) => find(input.name) ?? find(input.description) ?? null);
  const isNumbered = names.length === inputs.length && names.every((name, i) => name === `c${i + 1}`);
  return isNumbered && matched.every((column) => column === null) ? numbers : matched;
}

/** Table of the outputs. */
function outputTable({ outputs, rows }) {
  const heads = ["Output", "Smallest", "Mean", "Largest", "Rows without a value", "Rows without a rule"];
  const row = (output) => h("tr", {}, h("th", { scope: "row" }, output.name),
    [output.min, output.mean, output.max].map((value) => h("td", { class: "number" }, format(value, 6))),
    h("td", { class: "number" }, count(output.missing)),
    h("td", { class: "number" }, output.without_rule === null ? "–" : count(output.without_rule)));
  return h("div", { class: "scroll-x" }, h("table", { class: "plain" }, h("caption", { class: "small muted" }, `Outputs of ${counted(rows, "row")}`),
    h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, outputs.map(row))));
}

export function createRun(container) {
  const note = h("p", { class: "help", role: "status" });
  const menus = h("div", { class: "fields" });
  const start = h("button", { type: "button", class: "primary", onclick: () => run() }, "Run");
  const bar = createJobBar("Progress of the run");
  const results = h("div", { class: "results", hidden: true });
  container.append(note, menus, h("div", { class: "row" }, start, bar.node), results);
  /** Column of each input, or null. */
  let columns = [];
  /** Names of the inputs for which the menus were built. */
  let built = "";

  const update = () => {
    if (!data.table) return;
    const { inputs, outputs } = store.system;
    const isUsable = inputs.length > 0 && outputs.length > 0;
    const missing = inputs.filter((_, i) => columns[i] === null).map((input) => input.name);
    start.disabled = !isUsable || missing.length > 0;
    note.textContent = !isUsable ? "Open or design a system with inputs and outputs first."
      : missing.length ? `Choose a column for ${missing.join(", ")}.`
      : `${store.system.name || "The system"} is applied to each row.`;
  };

  const rebuild = () => {
    if (!data.table) return;
    const { inputs } = store.system;
    const key = JSON.stringify([data.table.table, inputs.map((input) => input.name)]);
    if (key !== built) {
      built = key;
      columns = matchInputs(inputs);
      const options = columnOptions(numberColumns());
      menus.replaceChildren(...inputs.map((input, i) => field(`Column of ${input.name}`, select([["", "–"], ...options],
        columns[i] === null ? "" : String(columns[i]), (value) => {
          columns[i] = value === "" ? null : Number(value);
          update();
        }))));
    }
    update();
  };

  async function run() {
    const { table, name } = data.table;
    const { system } = store;
    start.disabled = true;
    const result = await bar.run("data/run", { table, system, columns });
    update();
    if (!result || data.table.table !== table) return;
    results.hidden = false;
    results.replaceChildren(outputTable(result),
      h("div", { class: "row" }, h("button", { type: "button", onclick: () => attempt(() => saveResults(table, "outputs", resultName(name, "outputs"))) }, "Save outputs …")),
      outputPlots(table, result.outputs.map((output) => output.name)));
  }

  onTable(() => {
    results.hidden = true;
    results.replaceChildren();
    bar.status.textContent = "";
    rebuild();
  });
  const later = onNextFrame(rebuild);
  subscribe((kind) => kind === "system" && later());
}

/** Plots of the outputs and of their errors. */
function outputPlots(table, names) {
  const figure = createScatterFigure({ label: "Plot of the output" });
  const residuals = createScatterFigure({ label: "Plot of the errors" });
  const errors = h("p", { class: "errors", role: "status" });
  const errorPart = h("div", { hidden: true }, h("h3", {}, "Errors"), errors, residuals.node);
  const chosen = { output: 0, column: numberColumns()[0] ?? 0, target: "" };
  const outputSource = () => ({ request: { of: "output", index: chosen.output }, name: names[chosen.output] });

  const drawErrors = async () => {
    errorPart.hidden = chosen.target === "";
    if (errorPart.hidden) return;
    const { output, target } = chosen;
    const column = columnSource(target);
    try {
      const { rows, rmse, mean, largest } = await post("data/residuals", { table, output, target });
      errors.classList.remove("bad-text");
      errors.textContent = `RMSE ${format(rmse, 6)}; mean error ${format(mean, 6)}; largest error ${format(largest.error, 6)} in row ${count(largest.row)} `
        + `(${names[output]} is ${format(largest.output, 6)}, ${column.name} is ${format(largest.target, 6)}). ${counted(rows, "row")} compared.`;
    } catch (error) {
      errors.classList.add("bad-text");
      errors.textContent = error.message;
    }
    const name = `${names[output]} − ${column.name}`;
    await residuals.draw({ table, x: column, y: { request: { of: "error", index: output, target }, name } });
  };
  const draw = () => {
    figure.draw({ table, x: columnSource(chosen.column), y: outputSource(), time: performance.now() });
    drawErrors();
  };
  const pick = (label, key, options) => field(label, select(options, String(chosen[key]), (value) => {
    chosen[key] = value === "" ? "" : Number(value);
    draw();
  }));
  const all = columnOptions(data.table.columns.map((_, i) => i));
  draw();
  return h("div", {},
    h("div", { class: "fields" }, pick("Output", "output", names.map((name, i) => [String(i), name])), pick("Over", "column", all),
      pick("Target (correct values)", "target", [["", "none"], ...columnOptions(numberColumns())])),
    h("div", { class: "figures output-plots" }, figure.node, errorPart));
}
