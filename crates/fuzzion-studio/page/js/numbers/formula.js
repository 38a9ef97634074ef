// The formula, its problem with the position, examples and settings.

import { field, h, select } from "../core/dom.js";
import { EXAMPLES, addValue, onAnswer, onReplace, openExample, replace, state, type } from "./state.js";

/** Characters that are shown before and after the position of a problem. */
const CONTEXT = 24;

/** A problem with its position: a sentence, and the part of the text with the marked character. */
export function createProblem() {
  const sentence = h("span");
  const mark = h("span", { class: "code problem-mark" });
  const node = h("p", { class: "bad-text small problem", role: "status" }, sentence, mark);
  return {
    node,
    update(text, found) {
      sentence.textContent = found ? `Column ${found.column}: ${found.problem}` : "";
      mark.hidden = !found;
      if (!found) return;
      const letters = [...text];
      const at = Math.min(found.column - 1, letters.length);
      const from = Math.max(at - CONTEXT, 0);
      mark.replaceChildren(from > 0 ? "…" : "", letters.slice(from, at).join(""), h("mark", {}, letters[at] ?? "\u00a0"),
        letters.slice(at + 1, at + CONTEXT).join(""), at + CONTEXT < letters.length ? "…" : "");
    },
  };
}

function createSettings() {
  const node = h("div", { class: "fields" });
  const cuts = h("input", { type: "number", class: "numeric", min: 1, max: 1000, step: 1, value: state.cuts, "aria-label": "Cuts", oninput: () => {
    const n = Number(cuts.value);
    const valid = Number.isInteger(n) && n >= 1 && n <= 1000;
    cuts.setAttribute("aria-invalid", String(!valid));
    if (valid) type({ cuts: n });
  } });
  const draw = () => {
    const precisions = state.encoding === "mr" ? ["f64", "f32", ["mixed", "mixed (f32 radii)"]] : ["f64", "f32"];
    node.replaceChildren(
      field("Cuts", cuts),
      field("Method", select([["direct", "direct"], ["vertex", "vertex (narrowest)"], ["affine", "affine (linear)"]],
        state.method, (method) => replace({ method }), { "aria-label": "Method" })),
      field("Encoding", select([["lu", "lu (bounds)"], ["mr", "mr (midpoint, radii)"]], state.encoding, (encoding) => {
        replace({ encoding, precision: encoding === "lu" && state.precision === "mixed" ? "f64" : state.precision });
      }, { "aria-label": "Encoding" })),
      field("Precision", select(precisions, state.precision, (precision) => replace({ precision }), { "aria-label": "Precision" })));
  };
  draw();
  onReplace(() => {
    const focused = [...node.querySelectorAll("select")].indexOf(document.activeElement);
    draw();
    if (focused >= 0) node.querySelectorAll("select")[focused].focus();
  });
  return node;
}

export function createFormula(container) {
  const input = h("input", {
    type: "text", class: "code formula-text", spellcheck: "false", autocomplete: "off", "aria-label": "Formula", value: state.formula,
    placeholder: "tri(1, 2, 3) * (a + 2)", oninput: () => type({ formula: input.value }),
  });
  const problem = createProblem();
  const missing = h("div", { class: "row missing" });
  const examples = EXAMPLES.map((example) => h("button", { type: "button", onclick: () => openExample(example) }, example.title));
  container.append(
    h("div", { class: "row", role: "group", "aria-label": "Examples" }, h("span", { class: "muted small" }, "Examples"), examples),
    input, problem.node, missing, createSettings(),
    h("details", {}, h("summary", {}, "How numbers and formulas are written"), h("dl", { class: "syntax" },
      ...[["2, -1.5e3", "a crisp number"], ["[1, 3]", "an interval"], ["tri(1, 2, 3)", "a triangle: “about 2”"],
        ["trap(1, 2, 3, 4)", "a trapezoid: “between 2 and 3”"], ["gauss(5, 0.5), bell(5, 1, 2)", "curves with unbounded support"],
        ["cuts([1, 3], [2, 2])", "the bounds of every cut"], ["+ - * / ^ ( )", "operators; the exponent is an integer"],
        ["recip sqr sqrt exp log abs", "functions of one number"], ["min max, fma", "functions of two and of three numbers"]]
        .map(([text, meaning]) => h("div", {}, h("dt", { class: "code" }, text), h("dd", {}, meaning))))));
  onReplace(() => {
    if (input.value !== state.formula) input.value = state.formula;
  });
  onAnswer((answer) => {
    input.setAttribute("aria-invalid", String(Boolean(answer.error)));
    problem.update(input.value, answer.error ?? (answer.failure ? { column: 1, problem: answer.failure } : null));
    missing.replaceChildren(...answer.unbound.map((name) => h("button", { type: "button", onclick: () => {
      addValue(name, "tri(1, 2, 3)");
    } }, `Add ${name} = tri(1, 2, 3)`)));
  });
}
