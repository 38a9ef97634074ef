// The panel of the rules: block, operators, and the views as text, table and matrix.

import { choices } from "../core/choices.js";
import { field, h, select } from "../core/dom.js";
import { onNextFrame } from "../core/rebuild.js";
import { change, store, subscribe } from "../core/store.js";
import { createRuleList } from "./rule-list.js";
import { drawRuleMatrix } from "./rule-matrix.js";
import { drawRuleTable } from "./rule-table.js";

const ACTIVATIONS = ["General", "First 1 0", "Last 1 0", "Highest 1", "Lowest 1", "Proportional", "Threshold >= 0.1"];

export function createRulesPanel(container) {
  let current = 0;
  let view = "text";
  const block = () => Math.min(current, store.system.blocks.length - 1);
  const head = h("div", { class: "row spread" });
  const settings = h("div", { class: "fields" });
  const text = h("div", {});
  const other = h("div", { hidden: true });

  const edit = (run) => change((system) => run(system.blocks[block()]));
  const optional = (key) => (value) => edit((item) => {
    if (value) item[key] = value;
    else delete item[key];
  });
  const norm = (label, key, norms, title) => field(label,
    select([["", "none"], ...norms], store.system.blocks[block()][key] ?? "", optional(key), { title, "aria-label": label }));

  const hasUpperSets = () => [...store.system.inputs, ...store.system.outputs].some((item) => item.sets?.some((set) => set.upper));

  const drawHead = () => {
    const { blocks } = store.system;
    const item = blocks[block()];
    const count = blocks.reduce((sum, { rules }) => sum + rules.length, 0);
    const views = [["text", "Text"], ["table", "Table"], ["matrix", "Matrix"]].map(([id, label]) => h("button", {
      type: "button", "aria-pressed": view === id, onclick: () => { view = id; draw(); } }, label));
    const names = blocks.map((each, i) => [String(i), each.name || `Block ${i + 1}`]);
    head.replaceChildren(
      h("h2", {}, `Rules (${count})`),
      h("div", { class: "row" },
        blocks.length > 1 ? select(names, String(block()), (value) => { current = Number(value); draw(); }, { "aria-label": "Rule block" }) : null ?? "",
        h("span", { class: "row", role: "group", "aria-label": "View of the rules" }, views)));
    settings.replaceChildren(
      norm("And", "conjunction", [...choices.t_norms, "Mean"], "T-norm that combines the conditions of “and”"),
      norm("Or", "disjunction", choices.s_norms, "S-norm that combines the conditions of “or”"),
      norm("Implication", "implication", choices.t_norms, "Applies the firing strength to the set of the conclusion: Minimum clips it, AlgebraicProduct scales it"),
      field("Activation", h("input", { type: "text", value: item.activation ?? "General", list: "activations", title: "Which rules take effect; General: all",
        onchange: (event) => edit((each) => {
          const value = event.target.value.trim();
          if (value === "General" || value === "") delete each.activation;
          else each.activation = value;
        }) })),
      h("datalist", { id: "activations" }, ACTIVATIONS.map((value) => h("option", { value }))),
      hasUpperSets() ? field("Type reduction", select(choices.type_reductions, store.system.type_reduction ?? "EIASC",
        (value) => change((system) => { system.type_reduction = value; }), { title: "How the output interval of a type-2 system is computed" })) : "",
      field("Dialect", select(choices.dialects, store.system.dialect ?? "fuzzylite8", (value) => change((system) => { system.dialect = value; }),
        { title: "The program whose results are reproduced", "aria-label": "Dialect" })),
      field("Name of the system", h("input", { type: "text", value: store.system.name ?? "",
        onchange: (event) => change((system) => { system.name = event.target.value.trim(); }) })),
      h("label", { class: "check small" }, h("input", { type: "checkbox", checked: item.enabled !== false,
        onchange: (event) => edit((each) => {
          if (event.target.checked) delete each.enabled;
          else each.enabled = false;
        }) }), "block enabled"),
      h("span", { class: "row" },
        h("button", { type: "button", onclick: () => {
          change((system) => { system.blocks.push({ ...system.blocks[block()], name: `block${system.blocks.length + 1}`, rules: [] }); });
          current = store.system.blocks.length - 1;
        } }, "+ Block"),
        blocks.length > 1 ? h("button", { type: "button", onclick: () => change((system) => { system.blocks.splice(block(), 1); }) }, "Delete block") : ""));
  };

  const drawOther = () => {
    other.hidden = view === "text";
    text.hidden = view !== "text";
    if (view === "table") drawRuleTable(other, block());
    if (view === "matrix") drawRuleMatrix(other, block());
  };

  const ensureBlock = () => {
    if (!store.system.blocks.length) change((system) => { system.blocks.push({ conjunction: "Minimum", disjunction: "Maximum", implication: "Minimum", rules: [] }); });
  };

  let list = null;
  let drawn = "";
  const draw = () => {
    ensureBlock();
    drawHead();
    drawOther();
    list?.update();
  };
  const refresh = onNextFrame(() => {
    // A drag of a set changes neither the head nor the table.
    const { blocks, dialect, name, inputs, outputs } = store.system;
    const names = [inputs, outputs].map((list) => list.map((item) => [item.name, (item.sets ?? []).map((set) => [set.name, Boolean(set.upper)])]));
    const next = JSON.stringify([blocks, dialect, name, names]);
    if (next === drawn) return;
    drawn = next;
    draw();
  });

  ensureBlock();
  list = createRuleList(text, block);
  container.append(head, text, other, h("details", {}, h("summary", {}, "Operators and settings"), settings),
    h("p", { class: "help" }, "A rule is “if service is poor or food is not delicious then tip is cheap”, optionally “with 0.5”. "
      + "Hedges: very, somewhat, extremely, seldom, not, any. A rule that is switched off has the weight 0."));
  subscribe((kind) => kind === "system" && refresh());
  draw();
}
