// A slider and a number field for the value of an input.

import { format, h } from "./dom.js";
import { setInput } from "./store.js";

/** Controls of input `i`; `update(name, axis, value)` shows its state. */
export function inputSlider(i) {
  const slider = h("input", { type: "range", min: 0, max: 1000, step: 1, oninput: (event) => {
    setInput(i, state.axis[0] + (Number(slider.value) / 1000) * (state.axis[1] - state.axis[0]), event);
  } });
  const number = h("input", { type: "number", class: "numeric", step: "any", onchange: () => {
    if (number.value !== "") setInput(i, Number(number.value));
  } });
  const state = { axis: [0, 1] };
  return {
    slider,
    number,
    update(name, axis, value) {
      state.axis = axis;
      slider.setAttribute("aria-label", `Value of ${name}`);
      number.setAttribute("aria-label", `Value of ${name} as a number`);
      slider.setAttribute("aria-valuetext", format(value));
      if (document.activeElement !== slider || !slider.matches(":active")) {
        slider.value = Math.round((1000 * (value - axis[0])) / (axis[1] - axis[0]));
      }
      if (document.activeElement !== number) number.value = Number(value.toPrecision(6));
    },
  };
}
