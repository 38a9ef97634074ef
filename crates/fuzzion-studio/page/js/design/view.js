// The view Design: variables, the selected variable, rules.

import { h } from "../core/dom.js";
import { onResult } from "../core/live.js";
import { createRulesPanel } from "./rules-panel.js";
import { createVariableEditor } from "./variable-editor.js";
import { createVariableList } from "./variable-list.js";

export function create(container) {
  const list = h("aside", { class: "panel variable-list", "aria-label": "Variables" });
  const editor = h("section", { class: "panel variable-editor", "aria-label": "Selected variable" });
  const rules = h("section", { class: "panel rules-panel", "aria-label": "Rules" });
  const problem = h("p", { class: "system-problem", role: "status" });
  container.append(h("div", { class: "design" }, list, h("div", { class: "design-main" }, problem, editor, rules)));
  createVariableList(list);
  createVariableEditor(editor);
  createRulesPanel(rules);
  onResult((result) => {
    const text = result.error ?? "";
    if (problem.textContent !== text) problem.textContent = text;
    problem.hidden = !text;
  });
}
