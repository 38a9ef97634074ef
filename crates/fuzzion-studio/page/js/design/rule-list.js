// The rules as text: one row each, with a switch, the weight and the firing strength.

import { format, h, set, setText } from "../core/dom.js";
import { live, onResult } from "../core/live.js";
import { onNextFrame } from "../core/rebuild.js";
import { change, store, subscribe } from "../core/store.js";
import { VirtualList } from "../core/virtual-list.js";
import { weightOf, withWeight } from "../model/rule-text.js";
import { createRuleField } from "./rule-field.js";

/** Weights of rules before they were switched off, by their text without a weight. */
const earlierWeights = new Map();

/** Replaces the text of a rule; an empty text deletes it. */
export function setRule(block, rule, text) {
  if (store.system.blocks[block].rules[rule] === text) return;
  change((system) => {
    const { rules } = system.blocks[block];
    if (text === "") rules.splice(rule, 1);
    else rules[rule] = text;
  });
}

/** Switches a rule on or off: a rule that is off has the weight 0. */
export function switchRule(block, rule, on) {
  const text = store.system.blocks[block].rules[rule];
  const plain = withWeight(text, 1);
  if (!on) earlierWeights.set(plain, weightOf(text));
  setRule(block, rule, withWeight(text, on ? earlierWeights.get(plain) ?? 1 : 0));
}

function moveRule(block, rule, by) {
  change((system) => {
    const { rules } = system.blocks[block];
    if (rules[rule + by] === undefined) return false;
    [rules[rule], rules[rule + by]] = [rules[rule + by], rules[rule]];
    return true;
  });
}

/** Creates the list for the block that `block()` returns. */
export function createRuleList(container, block) {
  const problem = h("p", { class: "bad-text small rule-problem", role: "status" });
  const rules = () => store.system.blocks[block()]?.rules ?? [];
  /** Number of rules in the blocks before. */
  const offset = () => store.system.blocks.slice(0, block()).reduce((sum, { rules }) => sum + rules.length, 0);

  const createRow = () => {
    let index = 0;
    const number = h("span", { class: "rule-number number" });
    const on = h("input", { type: "checkbox", onchange: () => switchRule(block(), index, on.checked) });
    const field = createRuleField({
      label: "Rule",
      oncommit: (text, enter) => {
        if (rules()[index] !== undefined) setRule(block(), index, text);
        if (enter) field.input.blur();
      },
      onproblem: (found) => showProblem(index, found),
    });
    const weight = h("input", { type: "number", min: 0, max: 1, step: 0.1, class: "numeric weight", onchange: () => {
      const value = Number(weight.value);
      if (Number.isFinite(value)) setRule(block(), index, withWeight(rules()[index], value));
    } });
    const bar = h("span", { class: "bar" });
    const strength = h("span", { class: "strength number" });
    const up = h("button", { type: "button", class: "icon quiet", onclick: () => moveRule(block(), index, -1) }, "↑");
    const remove = h("button", { type: "button", class: "icon quiet", onclick: () => setRule(block(), index, "") }, "×");
    const node = h("div", { class: "rule-row" }, number, on, field.node, weight, h("span", { class: "bar-box", "aria-hidden": "true" }, bar), strength, up, remove);
    return {
      node,
      update(i) {
        if (i !== index && document.activeElement === field.input) field.input.blur();
        index = i;
        const text = rules()[i];
        if (text === undefined) return;
        const label = `rule ${offset() + i + 1}`;
        setText(number, String(offset() + i + 1));
        if (document.activeElement !== field.input && field.input.value !== text) field.input.value = text;
        field.input.defaultValue = text;
        set(field.input, { "aria-label": `Text of ${label}`, title: text.length > 70 ? text : "" });
        const current = weightOf(text);
        on.checked = current !== 0;
        set(on, { "aria-label": `Use ${label}` });
        if (document.activeElement !== weight) weight.value = current;
        set(weight, { "aria-label": `Weight of ${label}`, title: "Weight" });
        set(up, { "aria-label": `Move ${label} up` });
        set(remove, { "aria-label": `Delete ${label}` });
        const result = live.result?.rules;
        const value = result?.strengths[offset() + i] ?? 0;
        const error = errorOf(i);
        bar.style.transform = `scaleX(${Math.min(Math.max(value, 0), 1)})`;
        setText(strength, error ? "error" : format(value, 2));
        set(field.input, { "aria-invalid": Boolean(error) });
        node.classList.toggle("off", current === 0);
        if (error) set(field.input, { title: error.problem });
      },
    };
  };

  const list = new VirtualList({ rowHeight: 40, createRow, maxHeight: 538, label: "Rules" });
  const errorOf = (i) => live.result?.rule_errors.find((error) => error.block === block() && error.rule === i);

  function showProblem(i, found) {
    problem.textContent = found ? `Rule ${offset() + i + 1}, column ${found.column}: ${found.problem}` : "";
  }

  const add = createRuleField({
    label: "New rule",
    placeholder: "New rule: if … is … then … is …",
    oncommit: (text, enter) => {
      if (!enter || text === "") return;
      change((system) => { system.blocks[block()].rules.push(text); });
      add.input.value = "";
      add.close();
      requestAnimationFrame(() => list.scrollTo(rules().length));
    },
    onproblem: (found) => { problem.textContent = found && add.input.value.trim().endsWith("then") === false ? "" : problem.textContent; },
  });
  const addButton = h("button", { type: "button", onpointerdown: (event) => event.preventDefault(), onclick: () => {
    const text = add.input.value.trim();
    if (text) change((system) => { system.blocks[block()].rules.push(text); });
    add.input.value = "";
    add.input.focus();
  } }, "Add rule");
  container.append(list.node, problem, h("div", { class: "row add-rule" }, add.node, addButton));

  const update = () => {
    list.update(rules().length);
    const [first] = live.result?.rule_errors.filter((error) => error.block === block()) ?? [];
    if (!container.contains(document.activeElement) || !first) showProblem(first?.rule, first);
  };
  const refresh = onNextFrame(update);
  subscribe((kind) => kind === "system" && refresh());
  onResult(refresh);
  update();
  return { update };
}
