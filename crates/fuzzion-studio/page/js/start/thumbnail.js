// A small picture of a system for the gallery: the sets of its first input and of its output.

import { post } from "../core/api.js";
import { h } from "../core/dom.js";
import { attempt } from "../core/notice.js";
import { SetChart } from "../plot/set-chart.js";

export function createThumbnail(system) {
  const node = h("div", { class: "thumbnail" });
  attempt(async () => {
    const result = await post("evaluate", { system, at: [] });
    const [input, output] = [system.inputs[0], system.outputs[0]];
    for (const [variable, drawn] of [[input, result.inputs[0]], [output, result.outputs[0]]]) {
      const chart = new SetChart({ width: 320, height: 90, axis: false });
      chart.update(drawn, variable.sets.map((set) => set.name), { title: `Sets of ${variable.name}` });
      node.append(chart.node);
    }
  });
  return node;
}
