// The difference of an output between this system and another one.

import { get, latest, postNumbers } from "../core/api.js";
import { choices } from "../core/choices.js";
import { field, format, h, select } from "../core/dom.js";
import { live, onResult } from "../core/live.js";
import { attempt } from "../core/notice.js";
import { store } from "../core/store.js";
import { readSystem } from "../files/read.js";
import { diverging } from "../plot/colors.js";
import { createHeatMap } from "../plot/heat-map.js";
import { gridRequest, limitsOf, onAxes } from "./surface.js";

export function createCompare(container) {
  const menu = h("div", { class: "fields" });
  const note = h("p", { class: "help", role: "status" });
  const heat = createHeatMap({ label: "Difference" });
  const figure = h("figure", { hidden: true }, heat.canvas);
  container.append(menu, note, figure);
  /** `dialect:NAME`, `file:PATH` or `kept`, and the system that was opened or kept. */
  let choice = "";
  let other = null;
  let wanted = null;

  const drawMenu = async () => {
    const { files } = await get("files");
    const options = [["", "nothing"], ...choices.dialects.map((name) => [`dialect:${name}`, `this system in dialect ${name}`]),
      ["kept", "this system as it is now, while you change it"], ...files.map((path) => [`file:${path}`, `file ${path}`])];
    menu.replaceChildren(field("Compare with", select(options, choice, (value) => attempt(() => choose(value)))));
  };

  async function choose(value) {
    choice = value;
    other = null;
    if (value === "kept") other = store.system;
    if (value.startsWith("file:")) other = (await readSystem("open", { path: value.slice(5) }))?.system;
    update();
  }

  const request = latest(async () => {
    const body = wanted;
    try {
      const numbers = await postNumbers("compare", body);
      const [mean, largest, atX, atY] = numbers;
      const values = numbers.subarray(4);
      const [lower, upper] = limitsOf(values);
      const bound = Math.max(-lower, upper, 1e-12);
      const { inputs, outputs } = body.system;
      const x = { name: inputs[body.x.input].name, range: body.x.range };
      const y = { name: inputs[body.y.input].name, range: body.y.range };
      figure.hidden = false;
      heat.update({ values, n: body.n, x, y, limits: [-bound, bound], map: diverging, point: Number.isFinite(atX) && largest > 0 ? [atX, atY] : null });
      note.textContent = largest > 0
        ? `${outputs[body.output].name} differs by up to ${format(largest)} (at ${x.name} = ${format(atX)}, ${y.name} = ${format(atY)}), on average by ${format(mean)}.`
        : Number.isNaN(largest) ? "The systems have no common values." : "There is no difference.";
    } catch (error) {
      figure.hidden = true;
      note.textContent = error.message;
    }
  });

  function update() {
    const { result, system } = live;
    if (!result || !container.isConnected) return;
    const body = choice && !result.error ? gridRequest(result, system) : null;
    if (!body) {
      figure.hidden = true;
      note.textContent = choice && !result.error ? "A comparison needs two inputs and an output." : "";
      return;
    }
    const against = choice.startsWith("dialect:") ? { ...system, dialect: choice.slice(8) } : other;
    if (!against) return;
    wanted = { ...body, other: against };
    request();
  }
  onResult(update);
  onAxes(update);
  drawMenu().catch(() => {});
}
