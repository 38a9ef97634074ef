// Showing one of the views.

import { h } from "./core/dom.js";
import { attempt } from "./core/notice.js";
import { VIEWS } from "./views.js";

const main = document.getElementById("view");
/** Promises of the views that were opened. */
const opened = new Map();
let calls = 0;

async function create(view) {
  const container = h("div", { id: `panel-${view.id}`, role: "tabpanel", "aria-labelledby": `tab-${view.id}` });
  try {
    const module = await view.load();
    await attempt(async () => module.create(container));
    return { container, module };
  } catch (error) {
    opened.delete(view.id);
    throw error;
  }
}

/** Shows the view with this identifier, unless another one is selected while it is loaded. */
export async function show(id) {
  const call = ++calls;
  const view = VIEWS.find((candidate) => candidate.id === id) ?? VIEWS[0];
  if (!opened.has(view.id)) opened.set(view.id, create(view));
  const { container, module } = await opened.get(view.id);
  if (call !== calls) return;
  main.replaceChildren(container);
  for (const tab of document.querySelectorAll("#tabs button")) {
    const selected = tab.id === `tab-${view.id}`;
    tab.setAttribute("aria-selected", selected);
    tab.tabIndex = selected ? 0 : -1;
  }
  history.replaceState(null, "", `#${view.id}`);
  module.show?.();
}
