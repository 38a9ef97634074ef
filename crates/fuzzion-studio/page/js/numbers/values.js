// The named values: a row with name, number and chart for each.

import { h, setText } from "../core/dom.js";
import { SetChart } from "../plot/set-chart.js";
import { createProblem } from "./formula.js";
import { addValue, deleteValue, onAnswer, onReplace, state, typeValue } from "./state.js";

function createRow(value) {
  const chart = new SetChart({ width: 360, height: 96, labels: false });
  const problem = createProblem();
  const note = h("span", { class: "small muted value-note" });
  const name = h("input", { type: "text", class: "code value-name", spellcheck: "false", autocomplete: "off", value: value.name, placeholder: "name",
    oninput: () => { label(); typeValue(value, { name: name.value }); } });
  const text = h("input", { type: "text", class: "code value-text", spellcheck: "false", autocomplete: "off", value: value.text,
    placeholder: "tri(1, 2, 3)", oninput: () => typeValue(value, { text: text.value }) });
  const remove = h("button", { type: "button", class: "quiet icon", onclick: () => deleteValue(value) }, "×");
  const label = () => {
    const shown = name.value.trim() || "the new value";
    name.setAttribute("aria-label", `Name of ${shown}`);
    text.setAttribute("aria-label", `Number of ${shown}`);
    remove.setAttribute("aria-label", `Delete ${shown}`);
  };
  label();
  return {
    value,
    name,
    node: h("div", { class: "value-row" }, h("div", { class: "value-line" }, name, h("span", { class: "muted" }, "="), text, remove), problem.node, chart.node, note),
    update({ number, error, used }) {
      text.setAttribute("aria-invalid", String(Boolean(error)));
      problem.update(text.value, error);
      const drawn = number ? { axis: number.axis, sets: [{ curve: number.curve }] } : { axis: [0, 1], sets: [] };
      const shown = name.value.trim();
      chart.update(drawn, [shown], { clipped: number ? [number.curve] : null, title: number ? `Membership of ${shown}` : `No number for ${shown}` });
      setText(note, number && !used && shown ? "not in the formula" : "");
    },
  };
}

export function createValues(container) {
  const list = h("div", { class: "value-rows" });
  let rows = [];
  const draw = () => {
    rows = state.values.map((value) => rows.find((row) => row.value === value) ?? createRow(value));
    list.replaceChildren(...rows.map((row) => row.node));
  };
  const add = h("button", { type: "button", onclick: () => {
    addValue();
    rows.at(-1).name.focus();
  } }, "Add value");
  container.append(list, add);
  onReplace(draw);
  onAnswer((answer, values) => {
    values.forEach((value, i) => rows.find((row) => row.value === value)?.update(answer.values[i]));
  });
  draw();
}
