// The row of a set: name, shape, parameters, height, upper set.

import { choices } from "../core/choices.js";
import { h, select } from "../core/dom.js";
import { change } from "../core/store.js";
import { deleteSet, moveSet, removeUpper, renameSet } from "../model/edit.js";
import { extent, fromNumber, initialParameters, toNumber } from "../model/shapes.js";
import { setColor } from "../plot/colors.js";
import { notify } from "../core/notice.js";

const FREE_SHAPES = ["Discrete", "Constant", "Linear", "Function"];

/** Names of the parameters of a set. */
function parameterNames(set, inputs) {
  const known = choices.shapes.find(({ name }) => name === set.shape);
  if (known) return known.parameters.map((name) => name.replaceAll("_", " "));
  if (set.shape === "Constant") return ["value"];
  if (set.shape === "Linear") return [...inputs.map((input) => `× ${input.name}`), "constant"];
  return set.parameters.map((_, i) => `${i % 2 ? "y" : "x"}${Math.floor(i / 2) + 1}`);
}

/** Fields of the parameters of a set or of its upper set. `get(system)` finds it. */
function parameterFields(set, get, key, inputs) {
  if (set.shape === "Function") {
    return h("label", { class: "parameter wide" }, h("span", {}, "formula"),
      h("input", { type: "text", class: "code", value: set.expression, "data-key": `${key}-f`, spellcheck: "false",
        onchange: (event) => change((system) => { get(system).expression = event.target.value; }) }));
  }
  const names = parameterNames(set, inputs);
  return names.map((name, i) => h("label", { class: "parameter" }, h("span", {}, name),
    h("input", { type: "text", inputmode: "decimal", class: "numeric", value: fromNumber(toNumber(set.parameters[i] ?? NaN)),
      "data-key": `${key}-${i}`, "data-parameter": i,
      onchange: (event) => change((system) => { get(system).parameters[i] = fromNumber(toNumber(event.target.value)); }),
      onkeydown: (event) => {
        if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
        const x = Number(event.target.value);
        if (!Number.isFinite(x)) return;
        event.preventDefault();
        const step = 10 ** Math.floor(Math.log10(Math.max(Math.abs(x), 1) / 10)) * (event.key === "ArrowUp" ? 1 : -1);
        event.target.value = Number((x + step).toPrecision(10));
        change((system) => { get(system).parameters[i] = Number(event.target.value); }, { merge: `field-${key}-${i}` });
      } })));
}

function setShape(set, shape, range, inputs) {
  const [a, b] = extent(set, range);
  set.shape = shape;
  delete set.upper;
  if (shape === "Function") {
    delete set.parameters;
    delete set.height;
    set.expression = "0";
    return;
  }
  delete set.expression;
  set.parameters = initialParameters(shape, a, b, inputs);
  if (FREE_SHAPES.includes(shape) && shape !== "Discrete") delete set.height;
}

function moreFields(set, get, at, where, index, axis, inputs) {
  const consequent = ["Constant", "Linear", "Function"].includes(set.shape);
  const height = h("input", { type: "text", inputmode: "decimal", class: "numeric", value: set.height ?? 1, "data-key": `h-${index}`,
    onchange: (event) => change((system) => {
      const height = toNumber(event.target.value);
      if (height === 1) delete get(system).height;
      else get(system).height = fromNumber(height);
    }) });
  const points = set.shape === "Discrete" ? h("div", { class: "row" },
    h("button", { type: "button", onclick: () => change((system) => {
      const { parameters } = get(system);
      const last = toNumber(parameters.at(-2));
      parameters.push(Math.max(last, axis[1]), 0);
    }) }, "+ Point"),
    h("button", { type: "button", disabled: set.parameters.length <= 2, onclick: () => change((system) => { get(system).parameters.splice(-2); }) }, "− Point")) : null;
  const upper = set.upper
    ? [h("span", { class: "small muted" }, "Upper set:"), h("span", { class: "upper-parameters" }, parameterFields(set.upper, (system) => get(system).upper, `u-${index}`, inputs)),
      h("button", { type: "button", onclick: () => change((system) => removeUpper(system, get(system))) }, "Remove upper set")]
    : [set.shape !== "Function" && h("button", { type: "button", title: "Makes the set an interval type-2 set, drawn as a band",
      onclick: () => change((system) => {
        const target = get(system);
        target.upper = { shape: target.shape, parameters: target.parameters.slice() };
        if (target.height !== undefined) target.upper.height = target.height;
      }) }, "Add upper set (type 2)")];
  return h("div", { class: "fields more" }, consequent ? null : h("label", { class: "parameter" }, h("span", {}, "height"), height), points, upper,
    h("span", { class: "row" },
      h("button", { type: "button", class: "icon", "aria-label": `Move ${set.name} up`, disabled: index === 0,
        onclick: () => { change((system) => moveSet(system, where, index, -1)); at(index - 1); } }, "↑"),
      h("button", { type: "button", class: "icon", "aria-label": `Move ${set.name} down`,
        onclick: () => { change((system) => moveSet(system, where, index, 1)); at(index + 1); } }, "↓")));
}

/** The row of set `index`; `update(set, drawn)` shows changed numbers and an error. */
export function createSetRow(set, index, { where, axis, inputs, selected, onselect }) {
  const get = (system) => system[where.kind][where.index].sets[index];
  const isOutput = where.kind === "outputs";
  const shapes = [...choices.shapes.map(({ name }) => name), "Discrete", ...(isOutput ? ["Constant", "Linear"] : []), "Function"];
  const swatch = h("button", { type: "button", class: "swatch", "aria-label": `Select ${set.name}`, "aria-pressed": selected, onclick: () => onselect(index) });
  swatch.style.background = setColor(index);
  const error = h("p", { class: "bad-text small", hidden: true });
  const remove = () => {
    let deleted = 0;
    change((system) => { deleted = deleteSet(system, where, index); });
    if (deleted) notify(`Deleted ${set.name} and ${deleted} rule${deleted === 1 ? "" : "s"} that used it. Ctrl+Z restores them.`);
  };
  const node = h("div", { class: selected ? "set-row selected" : "set-row", onfocusin: () => !selected && onselect(index) },
    h("div", { class: "set-line" }, swatch, h("div", { class: "row" },
      h("input", { type: "text", class: "set-name", value: set.name, "aria-label": "Name of the set", "data-key": `n-${index}`, spellcheck: "false",
        onchange: (event) => event.target.value.trim() && change((system) => renameSet(system, where, index, event.target.value.trim())) }),
      select(shapes, set.shape, (shape) => change((system) => setShape(get(system), shape, axis, system.inputs.length)),
        { "aria-label": `Shape of ${set.name}`, "data-key": `s-${index}` }),
      h("span", { class: "parameters" }, parameterFields(set, get, `p-${index}`, inputs))),
      h("button", { type: "button", class: "icon quiet", "aria-label": `Delete ${set.name}`, "data-key": `d-${index}`, onclick: remove }, "×")),
    error,
    selected ? moreFields(set, get, onselect, where, index, axis, inputs) : null);
  return {
    node,
    update(current, drawn) {
      for (const input of node.querySelectorAll("[data-parameter]")) {
        const { parameters } = input.closest(".upper-parameters") ? current.upper ?? {} : current;
        const text = String(fromNumber(toNumber(parameters?.[input.dataset.parameter] ?? NaN)));
        if (document.activeElement !== input && input.value !== text) input.value = text;
      }
      const problem = drawn?.error ?? null;
      error.hidden = !problem;
      error.textContent = problem ?? "";
      for (const input of node.querySelectorAll(".parameters input")) input.setAttribute("aria-invalid", Boolean(problem));
    },
  };
}
