// The rules with their firing strengths; the strongest first, or in their order.

import { format, h, set, setText } from "../core/dom.js";
import { live, onResult } from "../core/live.js";
import { onNextFrame } from "../core/rebuild.js";
import { VirtualList } from "../core/virtual-list.js";
import { locateRule } from "../model/edit.js";

const STATUS = { fired: "", "too weak": "does not fire", "not chosen": "not chosen by the activation", disabled: "block disabled", invalid: "invalid" };

export function createRuleStrengths(container) {
  let order = [];
  const sorted = h("input", { type: "checkbox", onchange: () => update() });
  const count = h("span", { class: "small muted" });

  const createRow = () => {
    const number = h("span", { class: "rule-number number" });
    const text = h("span", { class: "strength-text" });
    const bar = h("span", { class: "bar" });
    const value = h("span", { class: "number" });
    const node = h("div", { class: "strength-row" }, number, text, h("span", { class: "bar-box", "aria-hidden": "true" }, bar), value);
    return {
      node,
      update(at) {
        const index = order[at];
        const { strengths, upper, statuses, propositions } = live.result.rules;
        const where = locateRule(live.system, index);
        const rule = where ? live.system.blocks[where.block].rules[where.rule] : "";
        setText(number, String(index + 1));
        setText(text, rule);
        const parts = propositions[index]?.map((m) => format(m, 3)).join(", ");
        set(text, { title: [rule, parts ? `memberships: ${parts}` : "", STATUS[statuses[index]] ?? ""].filter(Boolean).join("\n") });
        const strength = upper?.[index] ?? strengths[index] ?? 0;
        bar.style.transform = `scaleX(${Math.min(Math.max(strength, 0), 1)})`;
        setText(value, upper ? `${format(strengths[index], 2)}–${format(upper[index], 2)}` : format(strengths[index], 3));
        node.classList.toggle("off", statuses[index] !== "fired");
      },
    };
  };

  const list = new VirtualList({ rowHeight: 46, createRow, maxHeight: 482, label: "Firing strengths" });
  container.append(h("div", { class: "row spread" }, h("label", { class: "check small" }, sorted, "strongest first"), count), list.node);

  function update() {
    if (!live.result) return;
    const { strengths, statuses, upper } = live.result.rules;
    order = strengths.map((_, i) => i);
    const value = upper ?? strengths;
    if (sorted.checked) order.sort((a, b) => value[b] - value[a] || a - b);
    const fired = statuses.filter((status) => status === "fired").length;
    count.textContent = `${fired} of ${strengths.length} fire`;
    list.update(order.length);
  }
  onResult(onNextFrame(update));
}
