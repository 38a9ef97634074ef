// The rules over two inputs as a matrix: rows and columns are their sets, cells the set of an output.

import { field, h, select } from "../core/dom.js";
import { rebuild } from "../core/rebuild.js";
import { change, store } from "../core/store.js";
import { formatRule, parseRule, wordOf } from "../model/rule-text.js";

const choice = { x: 0, y: 1, output: 0 };

/** Rules of the form `if a is A and b is B then o is S`, by A and B. */
function cellsOf(rules, a, b, output) {
  const cells = new Map();
  rules.forEach((text, i) => {
    const rule = parseRule(text);
    if (!rule || rule.otherwise || rule.conditions.length !== 2 || rule.connective !== "and" || rule.conclusions.length !== 1) return;
    const of = (word) => rule.conditions.find((item) => item.variable === word && item.hedges.length === 0);
    const [x, y] = [of(wordOf(a)), of(wordOf(b))];
    const [conclusion] = rule.conclusions;
    if (x && y && conclusion.variable === wordOf(output) && conclusion.hedges.length === 0) cells.set(`${x.set}\n${y.set}`, { i, rule });
  });
  return cells;
}

export function drawRuleMatrix(container, block) {
  const { system } = store;
  const { inputs, outputs } = system;
  if (inputs.length < 2 || !outputs.length) {
    rebuild(container, [h("p", { class: "help" }, "A matrix needs two inputs and an output. Add them, or use the text view.")]);
    return;
  }
  choice.x = Math.min(choice.x, inputs.length - 1);
  choice.y = Math.min(choice.y, inputs.length - 1);
  if (choice.x === choice.y) choice.y = (choice.x + 1) % inputs.length;
  choice.output = Math.min(choice.output, outputs.length - 1);
  const [a, b, output] = [inputs[choice.x], inputs[choice.y], outputs[choice.output]];
  const cells = cellsOf(system.blocks[block].rules, a, b, output);
  const pick = (key, list, label) => field(label, select(list.map((item, i) => [String(i), item.name]), String(choice[key]), (value) => {
    choice[key] = Number(value);
    if (key === "x" && choice.y === choice.x) choice.y = (choice.x + 1) % inputs.length;
    if (key === "y" && choice.y === choice.x) choice.x = (choice.y + 1) % inputs.length;
    drawRuleMatrix(container, block);
  }));
  const setCell = (x, y, value) => change((next) => {
    const { rules } = next.blocks[block];
    const cell = cells.get(`${x}\n${y}`);
    const proposition = (variable, set) => ({ variable: wordOf(variable), hedges: [], set });
    if (!value) rules.splice(cell.i, 1);
    else if (cell) rules[cell.i] = formatRule({ ...cell.rule, conclusions: [proposition(output, value)] });
    else {
      rules.push(formatRule({ otherwise: false, connective: "and", conditions: [proposition(a, x), proposition(b, y)],
        conclusions: [proposition(output, value)], weight: 1 }));
    }
  });
  const sets = output.sets.map(wordOf);
  const body = (b.sets ?? []).map((y) => h("tr", {}, h("th", { scope: "row" }, y.name), (a.sets ?? []).map((x) => {
    const [wx, wy] = [wordOf(x), wordOf(y)];
    const current = cells.get(`${wx}\n${wy}`)?.rule.conclusions[0].set ?? "";
    return h("td", {}, select([["", "–"], ...sets], current, (value) => setCell(wx, wy, value), {
      "aria-label": `${output.name} if ${a.name} is ${x.name} and ${b.name} is ${y.name}`, class: `matrix-cell set-${sets.indexOf(current) % 8}`,
      "data-key": `m-${wx}-${wy}`,
    }));
  })));
  const others = system.blocks[block].rules.length - cells.size;
  rebuild(container, [
    h("div", { class: "fields" }, pick("x", inputs, "Columns"), pick("y", inputs, "Rows"), pick("output", outputs, "Output")),
    h("div", { class: "scroll-x" }, h("table", { class: "plain matrix" },
      h("thead", {}, h("tr", {}, h("th", {}, `${b.name} ╲ ${a.name}`), (a.sets ?? []).map((x) => h("th", { scope: "col" }, x.name)))),
      h("tbody", {}, body))),
    others ? h("p", { class: "help" }, `${others} other rule${others === 1 ? " is" : "s are"} not of this form; see the text view.`) : null,
  ].filter(Boolean));
}
