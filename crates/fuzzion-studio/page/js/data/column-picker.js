// Check boxes for columns of numbers.

import { h } from "../core/dom.js";
import { columnOptions, numberColumns } from "./state.js";

/** `selected` are positions of columns in the order of the table; at most `max` can be chosen. */
export function createColumnPicker({ label, max, onchange }) {
  const boxes = h("div", { class: "picker-boxes" });
  const node = h("fieldset", { class: "picker" }, h("legend", { class: "small muted" }, label), boxes);
  const picker = {
    node,
    selected: [],
    /** Shows the columns of another table, with the first `count` ones chosen. */
    reset(count) {
      picker.selected = numberColumns().slice(0, Math.min(count, max));
      const box = ([value, name]) => {
        const i = Number(value);
        return h("label", { class: "check" }, h("input", { type: "checkbox", value, checked: picker.selected.includes(i), onchange: change }), name);
      };
      boxes.replaceChildren(...columnOptions(numberColumns()).map(box));
      limit();
    },
  };
  const inputs = () => [...boxes.querySelectorAll("input")];
  const limit = () => inputs().forEach((input) => { input.disabled = !input.checked && picker.selected.length >= max; });
  function change() {
    picker.selected = inputs().filter((input) => input.checked).map((input) => Number(input.value));
    limit();
    onchange();
  }
  return picker;
}
