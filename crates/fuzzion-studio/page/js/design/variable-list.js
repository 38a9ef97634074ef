// The variables with small charts: inputs with sliders, outputs with their values.

import { format, h, setText } from "../core/dom.js";
import { live, onResult } from "../core/live.js";
import { onNextFrame, rebuild } from "../core/rebuild.js";
import { inputSlider } from "../core/sliders.js";
import { change, store, subscribe } from "../core/store.js";
import { addVariable } from "../model/edit.js";
import { SetChart } from "../plot/set-chart.js";
import { onSelection, selectVariable, selection } from "./selection.js";

function createCard(kind, index) {
  const chart = new SetChart({ width: 300, height: 84, axis: false });
  const name = h("span", { class: "variable-name" });
  const value = h("output", { class: "number" });
  const controls = kind === "inputs" ? inputSlider(index) : null;
  const open = h("button", { type: "button", class: "variable-open", "data-key": `${kind}-${index}`,
    onclick: () => selectVariable({ kind, index }) }, name);
  const node = h("div", { class: "variable-card" },
    h("div", { class: "row spread" }, open, controls ? controls.number : value),
    h("div", { class: "chart-box", onclick: () => selectVariable({ kind, index }) }, chart.node),
    controls?.slider);
  return {
    node,
    update(variable, drawn) {
      setText(name, variable.name);
      node.classList.toggle("selected", selection.kind === kind && selection.index === index);
      open.setAttribute("aria-current", selection.kind === kind && selection.index === index);
      if (!drawn) return;
      const names = (variable.sets ?? []).map((set) => set.name);
      const { value: at, interval, clipped, aggregated } = drawn;
      chart.update(drawn, names, { value: at, interval, clipped, aggregated, title: `Sets of ${variable.name}: ${names.join(", ")}` });
      controls?.update(variable.name, drawn.axis, at);
      if (!controls) {
        setText(value, interval ? `${format(at)} [${format(interval[0])}, ${format(interval[1])}]` : format(at ?? NaN));
      }
    },
  };
}

export function createVariableList(container) {
  let cards = { inputs: [], outputs: [] };

  const update = () => {
    for (const kind of ["inputs", "outputs"]) {
      cards[kind].forEach((card, i) => {
        const variable = store.system[kind][i];
        const fits = live.result && live.result[kind].length === store.system[kind].length;
        if (variable) card.update(variable, fits ? live.result[kind][i] : null);
      });
    }
  };

  const group = (kind, title) => {
    const add = () => {
      let where;
      change((system) => { where = addVariable(system, kind); });
      selectVariable(where);
    };
    return [
      h("div", { class: "row spread list-head" }, h("h2", {}, title),
        h("button", { type: "button", onclick: add, "data-key": `add-${kind}` }, kind === "inputs" ? "+ Input" : "+ Output")),
      ...cards[kind].map((card) => card.node),
    ];
  };

  const build = () => {
    const { system } = store;
    cards = {
      inputs: system.inputs.map((_, i) => createCard("inputs", i)),
      outputs: system.outputs.map((_, i) => createCard("outputs", i)),
    };
    rebuild(container, [...group("inputs", "Inputs"), ...group("outputs", "Outputs")]);
    update();
  };

  const refresh = onNextFrame(() => {
    const { system } = store;
    const same = cards.inputs.length === system.inputs.length && cards.outputs.length === system.outputs.length;
    if (same && container.childElementCount) update();
    else build();
  });
  subscribe((kind) => kind !== "path" && refresh());
  onSelection(refresh);
  onResult(update);
  build();
}
