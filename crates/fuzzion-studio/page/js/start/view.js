// The start page: what can be done, and a gallery of examples.

import { get } from "../core/api.js";
import { h } from "../core/dom.js";
import { attempt } from "../core/notice.js";
import { load } from "../core/store.js";
import { mayDiscard, newFile } from "../files/menu.js";
import { show } from "../tabs.js";
import { createPendulum } from "./pendulum.js";
import { createThumbnail } from "./thumbnail.js";

async function openExample(example) {
  if (!(await mayDiscard())) return;
  load(structuredClone(example.system));
  await show("understand");
}

export async function create(container) {
  const { examples } = await get("examples");
  const cards = examples.map((example) => {
    const picture = example.name === "pendulum" ? createPendulum(example.system) : createThumbnail(example.system);
    return h("article", { class: "card" },
      h("div", { class: "picture" }, picture),
      h("h3", {}, example.title),
      h("p", { class: "small muted" }, example.description),
      h("button", { type: "button", onclick: () => attempt(() => openExample(example)), "aria-label": `Open ${example.title}` }, "Open"));
  });
  container.append(
    h("section", { class: "hero" },
      h("h2", {}, "Design and understand fuzzy systems"),
      h("p", { class: "help" }, "A fuzzy system describes quantities by overlapping sets, such as “cold” and “warm”, and "
        + "decides by rules, such as “if the temperature is low then the valve is open”. Open an example, move its sliders, and drag "
        + "its sets. Or create your own; you can also drag a .fll, .fis, .fcl or .json file onto this page."),
      h("button", { type: "button", class: "primary", onclick: () => attempt(newFile) }, "New system")),
    h("section", { class: "gallery", "aria-label": "Examples" }, cards));
}
