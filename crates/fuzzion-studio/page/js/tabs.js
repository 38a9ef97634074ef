// Showing one of the views.

import { h } from "./core/dom.js";
import { attempt } from "./core/notice.js";
import { VIEWS } from "./views.js";

const main = document.getElementById("view");
const created = new Map();

/** Shows the view with this identifier. */
export async function show(id) {
  const view = VIEWS.find((candidate) => candidate.id === id) ?? VIEWS[0];
  let entry = created.get(view.id);
  if (!entry) {
    const container = h("div", { id: `panel-${view.id}`, role: "tabpanel", "aria-labelledby": `tab-${view.id}` });
    entry = { container, module: await view.load() };
    created.set(view.id, entry);
    await attempt(async () => entry.module.create(container));
  }
  main.replaceChildren(entry.container);
  for (const tab of document.querySelectorAll("#tabs button")) {
    const selected = tab.id === `tab-${view.id}`;
    tab.setAttribute("aria-selected", selected);
    tab.tabIndex = selected ? 0 : -1;
  }
  history.replaceState(null, "", `#${view.id}`);
  entry.module.show?.();
}
