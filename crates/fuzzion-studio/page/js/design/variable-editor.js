// The editor of the selected variable: chart with handles, name, range, sets, and the settings of an output.

import { h } from "../core/dom.js";
import { live, onResult } from "../core/live.js";
import { notify } from "../core/notice.js";
import { onNextFrame, rebuild } from "../core/rebuild.js";
import { change, store, subscribe } from "../core/store.js";
import { addSet, deleteVariable, moveVariable, renameVariable, setRange } from "../model/edit.js";
import { toNumber } from "../model/shapes.js";
import { SetChart } from "../plot/set-chart.js";
import { onSelection, selectVariable, selectedVariable, selection } from "./selection.js";
import { makeDraggable } from "./set-drag.js";
import { createSetRow } from "./set-row.js";
import { outputSettings } from "./output-settings.js";

/** Everything that needs new elements when it changes. */
function signature(variable) {
  const sets = (variable.sets ?? []).map((set) => [set.name, set.shape, set.parameters?.length, set.upper?.shape, set.expression]);
  const { sets: _, ...settings } = variable;
  const inputs = store.system.inputs.map((input) => input.name);
  return JSON.stringify([selection, settings, sets, inputs, store.system[selection.kind].length]);
}

export function createVariableEditor(container) {
  const chart = new SetChart({ width: 820, height: 260 });
  chart.node.classList.add("editable");
  const select = (set) => set !== selection.set && selectVariable({ kind: selection.kind, index: selection.index }, set);
  const place = makeDraggable(chart, selectedVariable, select);
  chart.onfit = place;
  let built = "";
  /** The variable that is edited. */
  let shown = "";
  let rows = [];

  const header = (variable) => {
    const where = { kind: selection.kind, index: selection.index };
    const edit = (run) => change((system) => run(system[where.kind][where.index], system));
    const bound = (i, label) => h("label", { class: "field" }, label,
      h("input", { type: "text", inputmode: "decimal", class: "numeric", "data-key": `range-${i}`, value: variable.range?.[i] ?? (i ? "inf" : "-inf"),
        onchange: (event) => change((system) => setRange(system, where, i, toNumber(event.target.value))) }));
    const remove = () => {
      let deleted = 0;
      change((system) => { deleted = deleteVariable(system, where); });
      if (deleted) notify(`Deleted ${variable.name} and ${deleted} rule${deleted === 1 ? "" : "s"} that used it. Ctrl+Z restores them.`);
    };
    const move = (by) => {
      change((system) => moveVariable(system, where, by));
      if (store.system[where.kind][where.index + by]) selectVariable({ kind: where.kind, index: where.index + by });
    };
    return h("div", { class: "fields editor-head" },
      h("label", { class: "field grow" }, where.kind === "inputs" ? "Input" : "Output",
        h("input", { type: "text", value: variable.name, "data-key": "name", spellcheck: "false",
          onchange: (event) => event.target.value.trim() && change((system) => renameVariable(system, where, event.target.value.trim())) })),
      bound(0, "from"), bound(1, "to"),
      h("label", { class: "check small", title: "Values outside of the range are replaced by its nearest end" },
        h("input", { type: "checkbox", checked: variable.lock_range, "data-key": "lock",
          onchange: (event) => edit((item) => { item.lock_range = event.target.checked; }) }), "clamp to the range"),
      h("span", { class: "row" },
        h("button", { type: "button", class: "icon", "aria-label": `Move ${variable.name} up`, onclick: () => move(-1) }, "↑"),
        h("button", { type: "button", class: "icon", "aria-label": `Move ${variable.name} down`, onclick: () => move(1) }, "↓"),
        h("button", { type: "button", "aria-label": `Delete ${variable.name}`, "data-key": "delete", onclick: remove }, "Delete")));
  };

  const build = () => {
    const variable = selectedVariable();
    if (!variable) {
      rows = [];
      [built, shown] = ["", ""];
      container.replaceChildren(h("p", { class: "help" }, "Add an input, such as a temperature, and an output, such as the position of a valve. "
        + "Each gets three sets, which you can rename and drag. Then write rules."));
      return;
    }
    built = signature(variable);
    shown = `${selection.kind}-${selection.index}`;
    const where = { kind: selection.kind, index: selection.index };
    const axis = live.result?.[where.kind]?.[where.index]?.axis ?? (variable.range ?? [0, 1]).map(toNumber);
    rows = (variable.sets ?? []).map((set, i) => createSetRow(set, i, {
      where, axis, inputs: store.system.inputs, selected: i === selection.set, onselect: select,
    }));
    rebuild(container, [
      header(variable),
      h("div", { class: "chart-box large" }, chart.node),
      h("div", { class: "set-rows" }, rows.map((row) => row.node)),
      h("button", { type: "button", class: "add-set", "data-key": "add-set",
        onclick: () => {
          change((system) => addSet(system, where, axis));
          selectVariable(where, store.system[where.kind][where.index].sets.length - 1);
        } }, "+ Set"),
      where.kind === "outputs" ? outputSettings(variable, where) : null,
    ].filter(Boolean));
  };

  const draw = () => {
    const variable = selectedVariable();
    const drawn = live.result?.[selection.kind]?.[selection.index];
    if (!variable || !drawn || drawn.sets.length !== (variable.sets ?? []).length) return;
    const names = (variable.sets ?? []).map((set) => set.name);
    const { value, interval, clipped, aggregated } = drawn;
    chart.update(drawn, names, { value, interval, clipped, aggregated, selected: selection.set,
      title: `Sets of ${variable.name}: ${names.join(", ")}. Drag a point or a curve.` });
    place();
    rows.forEach((row, i) => variable.sets[i] && row.update(variable.sets[i], drawn.sets[i]));
  };

  const refresh = () => {
    const variable = selectedVariable();
    if (!variable || signature(variable) !== built) build();
    draw();
  };
  const later = onNextFrame(refresh);
  subscribe((kind) => kind === "system" && later());
  // Fields of the previous variable must not be edited any more. A set is selected at the start of a drag, which needs the chart.
  onSelection(() => (shown === `${selection.kind}-${selection.index}` ? later() : refresh()));
  onResult(draw);
  build();
  draw();
}
