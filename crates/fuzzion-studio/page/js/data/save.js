// Saving results in the start folder.

import { post } from "../core/api.js";
import { choices } from "../core/choices.js";
import { openDialog } from "../core/dialog.js";
import { field, h } from "../core/dom.js";
import { notify } from "../core/notice.js";

async function write(body) {
  const result = await post("data/save", body);
  if (!result.exists) {
    notify(`Saved ${result.saved} in the folder “${choices.folder}”.`);
    return;
  }
  const confirmed = await openDialog(`Replace ${body.path}?`, (close) => [
    h("p", {}, "A file of this name exists."),
    h("div", { class: "buttons" },
      h("button", { type: "button", onclick: () => close(false) }, "Cancel"),
      h("button", { type: "button", class: "primary", onclick: () => close(true) }, "Replace")),
  ]);
  if (confirmed) await write({ ...body, replace: true });
}

/** Asks for a name and saves `outputs` or `clusters` of the table with this number. */
export async function saveResults(table, what, suggestion) {
  const name = h("input", { type: "text", value: suggestion, class: "grow", spellcheck: "false" });
  const path = await openDialog(`Save ${what}`, (close) => {
    const submit = () => close(name.value.trim());
    name.addEventListener("keydown", (event) => event.key === "Enter" && submit());
    return [
      h("p", { class: "help" }, `The table is saved in the folder “${choices.folder}”, with one row for each row of the open table.`),
      field("File (.csv, .tsv or .csv.gz)", name),
      h("div", { class: "buttons" },
        h("button", { type: "button", onclick: () => close() }, "Cancel"),
        h("button", { type: "button", class: "primary", onclick: submit }, "Save")),
    ];
  });
  if (path) await write({ table, path, what });
}

/** Name of a file for results of a table: `iris.csv` becomes `iris-outputs.csv`. */
export const resultName = (table, what) => `${table.split("/").at(-1).replace(/(\.[a-z]+)?(\.gz)?$/i, "")}-${what}.csv`;
