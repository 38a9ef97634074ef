// Short messages in the corner of the page.

import { h } from "./dom.js";

const list = document.getElementById("notice");

/** Shows a message; `actions` are pairs of text and function. */
export function notify(text, { bad = false, actions = [], seconds = bad ? 10 : 5 } = {}) {
  const close = () => node.remove();
  const buttons = actions.map(([label, run]) => h("button", { type: "button", onclick: () => { close(); run(); } }, label));
  const node = h("div", { class: bad ? "notice bad" : "notice" }, h("span", { class: "grow" }, text), buttons,
    h("button", { type: "button", class: "quiet icon", "aria-label": "Close the message", onclick: close }, "×"));
  list.append(node);
  while (list.children.length > 3) list.firstChild.remove();
  if (seconds) setTimeout(close, 1000 * seconds);
  return close;
}

/** Runs an asynchronous function and shows its error. */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    notify(error.message, { bad: true });
    return undefined;
  }
}
