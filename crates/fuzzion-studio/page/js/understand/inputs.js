// Inputs: slider, sets and memberships.

import { format, h, setText } from "../core/dom.js";
import { live, onResult } from "../core/live.js";
import { inputSlider } from "../core/sliders.js";
import { store } from "../core/store.js";
import { SetChart } from "../plot/set-chart.js";
import { setColor } from "../plot/colors.js";

/** Names of sets with a bar and the membership of each. */
export function membershipList() {
  const node = h("dl", { class: "memberships" });
  return {
    node,
    update(sets, drawn) {
      while (node.childElementCount > sets.length) node.lastChild.remove();
      while (node.childElementCount < sets.length) {
        node.append(h("div", {}, h("dt"), h("dd", {}, h("span", { class: "bar-box" }, h("span", { class: "bar" })), h("span", { class: "number" }))));
      }
      sets.forEach((set, i) => {
        const [name, value] = node.children[i].children;
        const [box, number] = value.children;
        setText(name, set.name);
        const { membership, upper_membership: upper } = drawn[i];
        box.firstChild.style.background = setColor(i);
        box.firstChild.style.transform = `scaleX(${Math.min(Math.max(upper ?? membership ?? 0, 0), 1)})`;
        setText(number, upper === undefined ? format(membership, 3) : `${format(membership, 3)}–${format(upper, 3)}`);
      });
    },
  };
}

function createInput(i) {
  const name = h("h3");
  const chart = new SetChart({ width: 360, height: 110, axis: false });
  const controls = inputSlider(i);
  const memberships = membershipList();
  return {
    node: h("div", { class: "input-block" }, h("div", { class: "row spread" }, name, controls.number), chart.node, controls.slider, memberships.node),
    update(variable, drawn) {
      setText(name, variable.name);
      const sets = variable.sets ?? [];
      chart.update(drawn, sets.map((set) => set.name), { value: drawn.value, title: `Sets of ${variable.name}` });
      controls.update(variable.name, drawn.axis, drawn.value);
      memberships.update(sets, drawn.sets);
    },
  };
}

export function createInputs(container) {
  const list = h("div", { class: "blocks" });
  container.append(list);
  let blocks = [];
  onResult((result) => {
    const { inputs } = live.system;
    if (blocks.length !== inputs.length) {
      blocks = inputs.map((_, i) => createInput(i));
      list.replaceChildren(...blocks.map((block) => block.node));
    }
    inputs.forEach((variable, i) => blocks[i].update(variable, result.inputs[i]));
  });
  if (!store.system.inputs.length) list.append(h("p", { class: "help" }, "The system has no inputs yet; add them in the view Design."));
}
