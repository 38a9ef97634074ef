// The result: chart, support, core, text and command as on the command line, and the table of its cuts.

import { format, h, setText } from "../core/dom.js";
import { attempt, notify } from "../core/notice.js";
import { SetChart } from "../plot/set-chart.js";
import { onAnswer } from "./state.js";

const interval = ([lower, upper]) => `[${lower}, ${upper}]`;

/** A line of code with a button that copies it. */
function createCode(label) {
  const text = h("code", { class: "code grow copied", tabindex: 0, "aria-label": label });
  const button = h("button", { type: "button", "aria-label": `Copy: ${label}`, onclick: () => attempt(async () => {
    await navigator.clipboard.writeText(text.textContent);
    notify("Copied.");
  }) }, "Copy");
  return { text, node: h("div", { class: "row copy-line" }, text, button) };
}

export function createResult(container) {
  const chart = new SetChart({ width: 620, height: 260, labels: false });
  const status = h("p", { class: "help result-status", role: "status" });
  const values = Object.fromEntries(["support", "core", "centroid"].map((name) => [name, h("dd", { class: `code result-${name}` }, "–")]));
  const text = createCode("Result as text");
  const command = createCode("Command for this result");
  const head = h("tr");
  const body = h("tbody");
  const table = h("table", { class: "plain cuts" }, h("caption", { class: "visually-hidden" }, "Alpha-cuts with guaranteed bounds"), h("thead", {}, head), body);
  const content = h("div", { class: "result-content" },
    chart.node,
    h("dl", { class: "result-values" }, h("div", {}, h("dt", {}, "Support"), values.support), h("div", {}, h("dt", {}, "Core"), values.core),
      h("div", {}, h("dt", {}, "Centroid"), values.centroid)),
    h("h3", {}, "Cuts"),
    h("p", { class: "help" }, "The bounds are rounded outward, so that each cut encloses the exact one."),
    h("div", { class: "cut-table", tabindex: 0, role: "region", "aria-label": "Table of cuts" }, table),
    h("h3", {}, "Text"), text.node,
    h("h3", {}, "Command"), command.node);
  container.append(status, content);

  onAnswer(({ result, error, failure, command: line }) => {
    content.classList.toggle("stale", !result);
    setText(status, result ? (result.bounded ? "" : "inf: the cut is unbounded.") : error || failure ? "This is the last valid result." : "Enter a formula.");
    if (!result) return;
    const drawn = { axis: result.axis, sets: [{ curve: result.curve }] };
    const support = interval(result.bounds[0]);
    chart.update(drawn, ["result"], { clipped: [result.curve], value: result.centroid, title: `Membership of the result; support ${support}` });
    setText(values.support, support);
    setText(values.core, result.cuts.length > 1 ? interval(result.bounds.at(-1)) : "– (one cut is the support)");
    setText(values.centroid, result.centroid === null ? "undefined: a cut is unbounded" : format(result.centroid, 6));
    setText(text.text, result.text);
    setText(command.text, line);
    const widths = result.relative_widths;
    const titles = ["alpha", "lower", "upper", ...(widths ? ["relative width"] : [])];
    head.replaceChildren(...titles.map((title) => h("th", { scope: "col" }, title)));
    body.replaceChildren(...result.cuts.map(([alpha], i) => h("tr", {}, h("td", {}, format(alpha, 6)), h("td", {}, result.bounds[i][0]),
      h("td", {}, result.bounds[i][1]), widths ? h("td", {}, format(widths[i], 6)) : null)));
  });
}
