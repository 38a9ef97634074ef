// The control surface of an output over two inputs: heat map, 3-D plot and cross-sections.

import { latest, postNumbers } from "../core/api.js";
import { field, format, h, select } from "../core/dom.js";
import { live, onResult } from "../core/live.js";
import { setInputs, store } from "../core/store.js";
import { diverging, sequential } from "../plot/colors.js";
import { createHeatMap } from "../plot/heat-map.js";
import { createLineChart } from "../plot/line-chart.js";
import { createSurface3d } from "../plot/surface-3d.js";

/** The selected axes; also used by the comparison. */
export const axes = { output: 0, x: 0, y: 1, n: 101 };

const listeners = new Set();

/** Calls `listener` when the axes change. */
export const onAxes = (listener) => listeners.add(listener);

/** The body of a request for the axes, or null if the system has fewer than two inputs. */
export function gridRequest(result, system) {
  const count = system.inputs.length;
  if (count < 2 || !system.outputs.length) return null;
  axes.output = Math.min(axes.output, system.outputs.length - 1);
  axes.x = Math.min(axes.x, count - 1);
  axes.y = Math.min(axes.y, count - 1);
  if (axes.x === axes.y) axes.y = (axes.x + 1) % count;
  const axis = (input) => ({ input, range: result.inputs[input].axis });
  return { system, output: axes.output, x: axis(axes.x), y: axis(axes.y), n: axes.n, at: result.inputs.map((input) => input.value) };
}

/** Smallest and largest finite value. */
export function limitsOf(values) {
  let [lower, upper] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < lower) lower = value;
    if (value > upper) upper = value;
  }
  return lower <= upper ? [lower, upper] : [0, 1];
}

/** Menus for the output and the inputs of both axes. */
export function axisMenus(container, onchange) {
  const pick = (key, items, label) => field(label, select(items.map((item, i) => [String(i), item.name]), String(axes[key]), (value) => {
    axes[key] = Number(value);
    if (axes.x === axes.y) axes[key === "x" ? "y" : "x"] = (axes[key] + 1) % store.system.inputs.length;
    onchange();
    for (const listener of listeners) listener();
  }));
  const { inputs, outputs } = store.system;
  container.replaceChildren(pick("output", outputs, "Output"), pick("x", inputs, "Horizontal"), pick("y", inputs, "Vertical"),
    field("Points", select(["51", "101", "201"], String(axes.n), (value) => {
      axes.n = Number(value);
      onchange();
    })));
}

export function createSurface(container) {
  const menus = h("div", { class: "fields" });
  const note = h("p", { class: "help", role: "status" });
  const pick = (x, y) => {
    const values = live.result.inputs.map((input) => input.value);
    values[axes.x] = x;
    values[axes.y] = y;
    setInputs(values);
  };
  const heat = createHeatMap({ label: "Control surface", onpick: pick });
  const plot = createSurface3d({ label: "Control surface in three dimensions; drag or use the arrow keys to rotate it" });
  const sections = [createLineChart(), createLineChart()];
  const figures = h("div", { class: "figures" },
    h("figure", {}, heat.canvas), h("figure", {}, plot.canvas, h("figcaption", { class: "small muted" }, "Drag to rotate")),
    ...sections.map((chart) => h("figure", {}, chart.node)));
  container.append(menus, note, figures);
  let drawn = "";
  let menuKey = "";
  let wanted = null;

  const request = latest(async () => {
    const body = wanted;
    if (!body) return;
    const start = performance.now();
    try {
      const numbers = await postNumbers("surface", body);
      const size = body.n * body.n;
      const values = numbers.subarray(0, size);
      const fired = numbers.subarray(size);
      const limits = limitsOf(values);
      const { inputs, outputs } = body.system;
      const map = limits[0] < 0 && limits[1] > 0 ? diverging : sequential;
      const symmetric = map === diverging ? [-Math.max(-limits[0], limits[1]), Math.max(-limits[0], limits[1])] : limits;
      const x = { name: inputs[body.x.input].name, range: body.x.range };
      const y = { name: inputs[body.y.input].name, range: body.y.range };
      const data = { values, fired, n: body.n, x, y, limits: symmetric, map, point: [body.at[body.x.input], body.at[body.y.input]] };
      performance.measure("surface", { start, end: performance.now() });
      heat.update(data);
      plot.update({ ...data, limits });
      const without = fired.reduce((sum, value) => sum + (value === 0 ? 1 : 0), 0);
      const name = outputs[body.output].name;
      note.textContent = `${name} is from ${format(limits[0])} to ${format(limits[1])}.`
        + (without ? ` No rule fires at ${format((100 * without) / size, 3)} % of the points.` : " A rule fires everywhere.");
      await drawSections(body, limits, x, y, name);
    } catch (error) {
      note.textContent = error.message;
    }
  });

  async function drawSections(body, limits, x, y, name) {
    const along = (axis) => postNumbers("surface", { ...body, x: axis, y: null, n: 201 });
    const [overX, overY] = await Promise.all([along(body.x), along(body.y)]);
    const value = live.result.outputs[body.output]?.value;
    const draw = (chart, numbers, axis, at) => chart.update({ values: Array.from(numbers.subarray(0, 201)), x: axis, yName: name, limits, at, value });
    draw(sections[0], overX, x, body.at[body.x.input]);
    draw(sections[1], overY, y, body.at[body.y.input]);
  }

  function update() {
    const { result, system } = live;
    if (!result || !container.isConnected) return;
    const body = result.error ? null : gridRequest(result, system);
    figures.hidden = !body;
    menus.hidden = !body;
    if (!body) {
      note.textContent = result.error ? "" : "A surface needs two inputs and an output.";
      return;
    }
    const names = JSON.stringify([system.inputs.map((item) => item.name), system.outputs.map((item) => item.name), axes]);
    if (names !== menuKey) {
      menuKey = names;
      axisMenus(menus, update);
    }
    const key = JSON.stringify([body.output, body.x, body.y, body.n, body.at]);
    if (key === drawn && wanted?.system === system) return;
    drawn = key;
    wanted = body;
    request();
  }
  onResult(update);
  addEventListener("studio-show-understand", update);
}
