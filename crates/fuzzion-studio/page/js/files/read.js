// Reading systems.

import { post } from "../core/api.js";
import { openDialog } from "../core/dialog.js";
import { h } from "../core/dom.js";

/** Calls `parse` or `open`; of several function blocks in the file, the user chooses one. Null if the dialog is canceled. */
export async function readSystem(call, body) {
  const answer = await post(call, body);
  if (!answer.blocks) return answer;
  const block = await openDialog("Choose a function block", (close) => [
    h("p", { class: "help" }, "The file contains several systems."),
    h("div", { class: "file-list" }, answer.blocks.map((name) => h("button", { type: "button", onclick: () => close(name) }, name))),
    h("div", { class: "buttons" }, h("button", { type: "button", onclick: () => close() }, "Cancel")),
  ]);
  return block === undefined ? null : post(call, { ...body, block });
}
