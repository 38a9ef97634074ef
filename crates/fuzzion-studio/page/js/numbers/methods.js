// The curves and widths of all methods, and which is narrower and why.

import { format, h } from "../core/dom.js";
import { setColor } from "../plot/colors.js";
import { SetChart } from "../plot/set-chart.js";
import { onAnswer } from "./state.js";

const nameOf = ({ method, encoding, precision }) => `${method}, ${encoding}${precision === "f64" ? "" : ` ${precision}`}`;

export function createMethods(container) {
  const chart = new SetChart({ width: 620, height: 300, labels: false });
  const sentences = h("ul", { class: "method-sentences", role: "status" });
  const body = h("tbody");
  const table = h("table", { class: "plain methods" }, h("caption", { class: "visually-hidden" }, "Widths of the results of all methods"),
    h("thead", {}, h("tr", {}, ["method", "support", "core", "mean"].map((title) => h("th", { scope: "col" }, title)))), body);
  const content = h("div", { class: "methods-content" }, h("div", {}, chart.node), h("div", {}, h("div", { class: "scroll-x" }, table), sentences));
  container.append(content);
  const hidden = new Set(["vertex, mr", "affine, mr"]);
  let last = null;

  const draw = () => {
    const { methods, axis } = last;
    const sets = methods.map((method) => ({ curve: hidden.has(nameOf(method)) && !method.chosen ? [] : method.curve }));
    chart.update({ axis, sets }, [], { selected: methods.findIndex((method) => method.chosen), title: "Results of the shown methods" });
  };

  const row = (method, i) => {
    const name = nameOf(method);
    const box = h("input", { type: "checkbox", checked: method.chosen || !hidden.has(name), disabled: method.chosen, "aria-label": `Show ${name}`, onchange: () => {
      if (box.checked) hidden.delete(name);
      else hidden.add(name);
      draw();
    } });
    const line = h("span", { class: "method-line" });
    line.style.background = setColor(i);
    const widths = [method.support_width, method.core_width, method.mean_width];
    return h("tr", { class: method.chosen ? "chosen" : null }, h("th", { scope: "row" }, h("label", { class: "check" }, box, line, name)),
      widths.map((width) => h("td", { class: "number" }, format(width, 5))));
  };

  onAnswer((answer) => {
    content.classList.toggle("stale", !answer.result);
    if (!answer.result) return;
    last = answer;
    const focused = [...body.querySelectorAll("input")].indexOf(document.activeElement);
    body.replaceChildren(...answer.methods.map(row));
    if (focused >= 0) body.querySelectorAll("input")[focused]?.focus();
    sentences.replaceChildren(...answer.sentences.map((sentence) => h("li", {}, sentence)));
    draw();
  });
}
