// The view Understand: inference at one point, control surface, comparison, checks.

import { h } from "../core/dom.js";
import { onResult } from "../core/live.js";
import { createChecks } from "./checks.js";
import { createCompare } from "./compare.js";
import { createInputs } from "./inputs.js";
import { createOutputs } from "./outputs.js";
import { createRuleStrengths } from "./rule-strengths.js";
import { createSurface } from "./surface.js";

export function create(container) {
  const panel = (title, help, create) => {
    const node = h("section", { class: "panel", "aria-label": title }, h("h2", {}, title), help ? h("p", { class: "help" }, help) : null);
    create(node);
    return node;
  };
  const problem = h("p", { class: "system-problem", role: "status", hidden: true });
  container.append(
    problem,
    h("div", { class: "inference" },
      panel("Inputs", "Move the sliders.", createInputs),
      panel("Rules", "How far each rule applies.", createRuleStrengths),
      panel("Outputs", "Sets cut at the firing strengths, and what they add up to.", createOutputs)),
    panel("Control surface", "The output for all values of two inputs; the others have the values above. Click to move the inputs there. "
      + "Hatched: no rule fires.", createSurface),
    panel("Compare", "The difference to another system, or to another dialect of this one.", createCompare),
    panel("Checks", "Probable mistakes, and what to do about them.", createChecks));
  onResult((result) => {
    problem.hidden = !result.error;
    problem.textContent = result.error ?? "";
  });
}

/** Plots and checks of a hidden view are not updated; they follow when it is shown. */
export function show() {
  dispatchEvent(new Event("studio-show-understand"));
}
