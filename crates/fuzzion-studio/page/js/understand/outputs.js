// Outputs: clipped and aggregated sets, value, and the contribution of each rule.

import { format, h, setText } from "../core/dom.js";
import { live, onResult } from "../core/live.js";
import { SetChart } from "../plot/set-chart.js";
import { setColor } from "../plot/colors.js";

const MAX_CONTRIBUTIONS = 30;

function createOutput() {
  const name = h("h3");
  const value = h("output", { class: "output-value number" });
  const reason = h("p", { class: "small muted" });
  const chart = new SetChart({ width: 420, height: 190 });
  const contributions = h("tbody");
  const table = h("table", { class: "plain contributions" }, h("caption", { class: "visually-hidden" }, "Contributions of the rules"),
    h("thead", {}, h("tr", {}, ["rule", "set", "strength", "part", "adds"].map((text) => h("th", { scope: "col" }, text)))), contributions);

  const row = () => h("tr", {}, h("td", { class: "number" }), h("td", {}), h("td", { class: "number" }),
    h("td", {}, h("span", { class: "bar-box" }, h("span", { class: "bar" }))), h("td", { class: "number" }));

  return {
    node: h("div", { class: "output-block" }, h("div", { class: "row spread" }, name, value), chart.node, reason, table),
    update(variable, drawn) {
      const sets = variable.sets ?? [];
      setText(name, variable.name);
      const { value: result = null, interval, clipped, aggregated, reason: why = "", contributions: all = [] } = drawn;
      setText(value, interval ? `${format(result)}  [${format(interval[0])}, ${format(interval[1])}]` : format(result ?? NaN, 5));
      value.dataset.value = String(result);
      setText(reason, why);
      chart.update(drawn, sets.map((set) => set.name), { value: result, interval, clipped, aggregated, title: `Result for ${variable.name}: ${format(result)}` });
      const shown = all.toSorted((a, b) => Math.abs(b.fraction) - Math.abs(a.fraction)).slice(0, MAX_CONTRIBUTIONS);
      table.hidden = shown.length === 0;
      while (contributions.childElementCount > shown.length) contributions.lastChild.remove();
      while (contributions.childElementCount < shown.length) contributions.append(row());
      shown.forEach((item, i) => {
        const [rule, set, strength, part, adds] = contributions.children[i].children;
        setText(rule, String(item.rule + 1));
        setText(set, item.formula ?? item.set);
        setText(strength, format(item.strength, 3));
        const bar = part.firstChild.firstChild;
        bar.style.transform = `scaleX(${Math.min(Math.abs(item.fraction), 1)})`;
        bar.style.background = setColor(Math.max(sets.findIndex((each) => each.name === item.set), 0));
        part.firstChild.title = `${format(100 * item.fraction, 3)} %`;
        setText(adds, format(item.addend, 4));
      });
    },
  };
}

export function createOutputs(container) {
  const list = h("div", { class: "blocks" });
  container.append(list);
  let blocks = [];
  onResult((result) => {
    const { outputs } = live.system;
    if (blocks.length !== outputs.length) {
      blocks = outputs.map(createOutput);
      list.replaceChildren(...blocks.map((block) => block.node));
    }
    outputs.forEach((variable, i) => blocks[i].update(variable, result.outputs[i]));
  });
}
