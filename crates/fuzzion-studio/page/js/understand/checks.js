// Probable mistakes, found by a job of the server.

import { latest, runJob } from "../core/api.js";
import { debounce, h } from "../core/dom.js";
import { store, setInputs, subscribe } from "../core/store.js";
import { locateRule } from "../model/edit.js";

export function createChecks(container) {
  const status = h("p", { class: "help", role: "status" });
  const list = h("ul", { class: "findings" });
  container.append(status, list);
  let checked = null;

  const show = (finding) => {
    const rules = finding.rules.map((number) => {
      const where = locateRule(store.system, number);
      return where ? h("p", { class: "code small" }, `${number + 1}: ${store.system.blocks[where.block].rules[where.rule]}`) : null;
    });
    return h("li", { class: "finding" },
      h("span", { class: "tag" }, finding.kind), h("p", {}, finding.text), rules, h("p", { class: "muted small" }, finding.advice),
      finding.at ? h("button", { type: "button", onclick: () => { setInputs(finding.at); container.closest("main").scrollIntoView(); } }, "Show this point") : null);
  };

  const check = latest(async () => {
    const { system } = store;
    if (!container.isConnected || system === checked) return;
    checked = system;
    status.textContent = "Checking …";
    try {
      const job = await runJob("check", { system });
      const { findings } = await job.done;
      if (store.system !== system) return;
      list.replaceChildren(...findings.map(show));
      status.textContent = findings.length ? `${findings.length} finding${findings.length === 1 ? "" : "s"}.` : "Nothing found.";
    } catch (error) {
      list.replaceChildren();
      status.textContent = error.message;
    }
  });
  const later = debounce(check, 500);
  subscribe((kind) => kind === "system" && later());
  addEventListener("studio-show-understand", check);
  setTimeout(check, 100);
}
