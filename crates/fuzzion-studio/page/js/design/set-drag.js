// Handles on the chart of the selected variable: dragging points, and dragging a whole set by its curve.

import { set as setAttributes, svg } from "../core/dom.js";
import { change, endMerge } from "../core/store.js";
import { handlesOf, rounding, shift } from "../model/shapes.js";
import { setColor } from "../plot/colors.js";
import { selection } from "./selection.js";

/** The handles of a set and of its upper set. */
function allHandles(item) {
  const upper = item.upper ? handlesOf(item.upper) : [];
  return [...handlesOf(item).map((handle) => ({ ...handle, isUpper: false })), ...upper.map((handle) => ({ ...handle, isUpper: true }))];
}

/**
 * Makes a chart draggable. `variable()` returns the variable of the document, and `onselect(set)` is called when a set is
 * touched. Returns a function that places the handles again.
 */
export function makeDraggable(chart, variable, onselect) {
  let drag = null;

  const apply = (event, edit) => {
    const { kind, index } = selection;
    change((system) => edit(system[kind][index].sets[drag.set]), { merge: drag.merge, event });
  };

  /** Changes a copy of the parameters of the set, or of its upper set, by a handle. */
  const applyHandle = (event, handle, x, y) => apply(event, (item) => {
    const target = handle.isUpper ? item.upper : item;
    target.parameters = target.parameters.slice();
    handle.drag(target.parameters, x, y, (chart.axis[1] - chart.axis[0]) / 1000);
  });

  const begin = (event, set, handle) => {
    event.preventDefault();
    event.stopPropagation();
    onselect(set);
    const item = variable().sets[set];
    drag = { set, handle, item: structuredClone(item), from: chart.locate(event).x, axis: chart.axis, merge: `drag-${set}-${event.timeStamp}` };
    chart.node.setPointerCapture(event.pointerId);
  };

  const move = (event) => {
    if (!drag) return;
    const { x, y } = chart.locate(event);
    const [lower, upper] = drag.axis;
    const round = rounding(drag.axis);
    const inside = Math.min(Math.max(x, lower), upper);
    if (drag.handle === null) {
      const by = round(x) - round(drag.from);
      apply(event, (set) => {
        set.parameters = shift(drag.item, by, round);
        if (set.upper?.parameters) set.upper.parameters = shift(drag.item.upper, by, round);
      });
      return;
    }
    applyHandle(event, drag.handle, round(inside), y);
  };

  const end = () => {
    if (!drag) return;
    drag = null;
    endMerge();
  };

  // The raw events do not wait for the next drawing.
  chart.node.addEventListener("onpointerrawupdate" in window ? "pointerrawupdate" : "pointermove", move);
  chart.node.addEventListener("pointerup", end);
  chart.node.addEventListener("pointercancel", end);
  chart.curves.addEventListener("pointerdown", (event) => {
    const set = event.target.dataset?.set;
    if (set !== undefined && event.button === 0) begin(event, Number(set), null);
  });

  const nudge = (event, set, handle) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const [lower, upper] = chart.axis;
    const round = rounding(chart.axis);
    const by = (step * (upper - lower)) / (event.shiftKey ? 20 : 200);
    const vertical = event.key === "ArrowUp" || event.key === "ArrowDown";
    drag = { set, merge: `nudge-${set}-${handle.isUpper}-${handle.name}` };
    const y = (handle.y ?? 0) + (vertical ? step * 0.05 : 0);
    applyHandle(event, handle, vertical ? handle.x : round(handle.x + by), y);
    drag = null;
  };

  return function place() {
    const item = variable()?.sets?.[selection.set];
    const drawn = chart.drawn?.sets[selection.set];
    const handles = item && drawn && !drawn.error ? allHandles(item) : [];
    while (chart.handles.childElementCount > handles.length) chart.handles.lastChild.remove();
    while (chart.handles.childElementCount < handles.length) {
      chart.handles.append(svg("circle", { r: 7, class: "handle", tabindex: 0, role: "slider" }));
    }
    handles.forEach((handle, i) => {
      const node = chart.handles.children[i];
      const visible = handle.x >= chart.axis[0] && handle.x <= chart.axis[1];
      const y = handle.y ?? chart.heightAt(selection.set, handle.x, handle.isUpper);
      setAttributes(node, {
        cx: chart.xOf(handle.x).toFixed(1), cy: chart.yOf(y).toFixed(1), stroke: setColor(selection.set),
        "aria-label": `Parameter ${handle.name + 1} of ${handle.isUpper ? "the upper set of " : ""}${item.name}`,
        "aria-valuenow": handle.x, visibility: visible ? "visible" : "hidden",
      });
      node.onpointerdown = (event) => begin(event, selection.set, handle);
      node.onkeydown = (event) => nudge(event, selection.set, handle);
    });
  };
}
