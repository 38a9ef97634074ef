// The rules as a table: one column per variable. Rules that a table cannot show appear as text.

import { h, select } from "../core/dom.js";
import { rebuild } from "../core/rebuild.js";
import { store } from "../core/store.js";
import { formatRule, parseRule, wordOf } from "../model/rule-text.js";
import { setRule, switchRule } from "./rule-list.js";
import { weightOf } from "../model/rule-text.js";

/** Maximum number of rows; longer rule bases are edited as text. */
export const MAX_ROWS = 150;

/** Menu of the sets of a variable, with negations; `any` means that the rule does not use it. */
function cell(variable, proposition, onchange, label, isOutput) {
  const sets = (variable.sets ?? []).map(wordOf);
  const options = [["", isOutput ? "–" : "any"], ...sets.map((set) => [set, set]), ...(isOutput ? [] : sets.map((set) => [`not ${set}`, `not ${set}`]))];
  const value = proposition ? [...proposition.hedges, proposition.set].filter((word) => word !== null).join(" ") : "";
  return select(options, value, onchange, { "aria-label": label });
}

function withProposition(list, word, value) {
  const rest = list.filter((item) => item.variable !== word);
  if (value === "") return rest;
  const words = value.split(" ");
  const proposition = { variable: word, hedges: words.slice(0, -1), set: words.at(-1) };
  const at = list.findIndex((item) => item.variable === word);
  return at < 0 ? [...rest, proposition] : list.with(at, proposition);
}

function isTabular(rule, system) {
  if (!rule) return false;
  const inputs = system.inputs.map(wordOf);
  const once = (list) => new Set(list.map((item) => item.variable)).size === list.length;
  return once(rule.conditions) && once(rule.conclusions) && rule.conditions.every((item) => inputs.includes(item.variable));
}

export function drawRuleTable(container, block) {
  const { system } = store;
  const { inputs, outputs } = system;
  const rules = system.blocks[block].rules.slice(0, MAX_ROWS);
  const offset = system.blocks.slice(0, block).reduce((sum, item) => sum + item.rules.length, 0);
  const row = (text, i) => {
    const rule = parseRule(text);
    const label = `rule ${offset + i + 1}`;
    const on = h("input", { type: "checkbox", checked: weightOf(text) !== 0, "aria-label": `Use ${label}`, onchange: (event) => switchRule(block, i, event.target.checked) });
    const remove = h("button", { type: "button", class: "icon quiet", "aria-label": `Delete ${label}`, onclick: () => setRule(block, i, "") }, "×");
    const start = [h("td", { class: "number" }, String(offset + i + 1)), h("td", {}, on)];
    if (!isTabular(rule, system)) {
      return h("tr", {}, start, h("td", { colspan: inputs.length + outputs.length + 2, class: "code" }, text), h("td", {}, remove));
    }
    const write = (change) => {
      const next = { ...rule, ...change };
      if (next.conclusions.length && (next.conditions.length || next.otherwise)) setRule(block, i, formatRule(next));
    };
    const find = (list, variable) => list.find((item) => item.variable === wordOf(variable));
    const connective = rule.conditions.length > 1
      ? select(["and", "or"], rule.connective, (value) => write({ connective: value }), { "aria-label": `Connective of ${label}` })
      : rule.otherwise ? "else" : "";
    return h("tr", {}, start,
      inputs.map((input) => h("td", {}, cell(input, find(rule.conditions, input),
        (value) => write({ conditions: withProposition(rule.conditions, wordOf(input), value) }), `${input.name} in ${label}`, false))),
      h("td", {}, connective),
      outputs.map((output) => h("td", {}, cell(output, find(rule.conclusions, output),
        (value) => write({ conclusions: withProposition(rule.conclusions, wordOf(output), value) }), `${output.name} in ${label}`, true))),
      h("td", {}, h("input", { type: "number", class: "numeric weight", min: 0, max: 1, step: 0.1, value: rule.weight, "aria-label": `Weight of ${label}`,
        onchange: (event) => write({ weight: Number(event.target.value) }) })),
      h("td", {}, remove));
  };
  const head = ["", "", ...inputs.map((input) => input.name), "", ...outputs.map((output) => `→ ${output.name}`), "weight", ""];
  const more = system.blocks[block].rules.length - rules.length;
  rebuild(container, [
    h("div", { class: "scroll-x" }, h("table", { class: "plain rule-table" },
      h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, rules.map(row)))),
    more > 0 ? h("p", { class: "help" }, `${more} more rules; use the text view for them.`) : null,
  ].filter(Boolean));
}
