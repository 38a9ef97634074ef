// The view Numbers: formulas over fuzzy numbers.

import { h } from "../core/dom.js";
import { createFormula } from "./formula.js";
import { createMethods } from "./methods.js";
import { createResult } from "./result.js";
import { replace } from "./state.js";
import { createValues } from "./values.js";

export function create(container) {
  const panel = (title, help, create) => {
    const node = h("section", { class: "panel", "aria-label": title }, h("h2", {}, title), help ? h("p", { class: "help" }, help) : null);
    create(node);
    return node;
  };
  container.append(
    h("div", { class: "numbers" },
      h("div", {},
        panel("Formula", "Computes with fuzzy numbers, such as “about 5” or “between 0.4 and 0.7”. The result encloses the exact one.", createFormula),
        panel("Values", "Numbers for the names in the formula.", createValues)),
      panel("Result", null, createResult)),
    panel("Methods compared", "The widths of the results of all methods; the chosen one is bold. All of them enclose the exact result, and the narrowest "
      + "is the most precise.", createMethods));
  replace({});
}
