// New, open, save, export, undo and redo.

import { get, post } from "../core/api.js";
import { choices } from "../core/choices.js";
import { openDialog } from "../core/dialog.js";
import { field, h, select } from "../core/dom.js";
import { attempt, notify } from "../core/notice.js";
import { canRedo, canUndo, emptySystem, load, redo, saved, store, subscribe, undo } from "../core/store.js";
import { show } from "../tabs.js";
import { readSystem } from "./read.js";

const FORMATS = [
  ["fll", "FLL (fuzzylite)", "fll"], ["fis", "FIS (MATLAB)", "fis"], ["json", "JSON (Fuzzion)", "json"],
  ["c", "C code", "c"], ["rust", "Rust code", "rs"], ["cuda", "CUDA code", "cu"],
  ["python", "Python builder", "py"], ["rust-builder", "Rust builder", "rs"],
];

/** Shows the answer of a call that reads a system; without a path the system is not saved yet. */
async function showSystem(answer) {
  if (!answer) return;
  load(answer.system, answer.path ?? null, { changed: !answer.path });
  answer.warnings.forEach((warning) => notify(warning));
  await show("design");
}

/** Parses a dropped or chosen file and shows it. */
export async function openText(text, name) {
  if (await mayDiscard()) await showSystem(await readSystem("parse", { text, format: name }));
}

/** Opens a file of the start folder and shows it. */
export async function openPath(path) {
  if (await mayDiscard()) await showSystem(await readSystem("open", { path }));
}

/** Asks before unsaved changes are replaced. */
export function mayDiscard() {
  if (!store.changed) return Promise.resolve(true);
  return openDialog("Discard unsaved changes?", (close) => [
    h("p", {}, "The current system has changes that were not saved."),
    h("div", { class: "buttons" },
      h("button", { type: "button", onclick: () => close(false) }, "Keep editing"),
      h("button", { type: "button", class: "primary", onclick: () => close(true) }, "Discard")),
  ]);
}

export async function newFile() {
  if (!(await mayDiscard())) return;
  load(emptySystem());
  show("design");
}

async function openFile() {
  const { files } = await get("files");
  const upload = h("input", { type: "file", accept: ".fll,.fis,.fcl,.json" });
  const chosen = await openDialog("Open a system", (close) => {
    upload.addEventListener("change", () => close(upload.files[0]));
    const items = files.map((path) => h("button", { type: "button", onclick: () => close(path) }, path));
    return [
      h("p", { class: "help" }, `Files in the folder “${choices.folder}”. You can also drag a file onto the page.`),
      files.length ? h("div", { class: "file-list" }, items) : h("p", {}, "No .fll, .fis, .fcl or .json files here."),
      h("p", {}, field("From another folder", upload)),
      h("div", { class: "buttons" }, h("button", { type: "button", onclick: () => close() }, "Cancel")),
    ];
  });
  if (!chosen) return;
  if (chosen instanceof File) await openText(await chosen.text(), chosen.name);
  else await openPath(chosen);
}

async function write(path, format, replace) {
  const { system } = store;
  const result = await post("save", { path, system, format, replace });
  if (!result.exists) {
    if (["fll", "fis", "json"].includes(format)) saved(path);
    notify(`Saved ${path} in the folder “${choices.folder}”.`);
    return;
  }
  const confirmed = await openDialog(`Replace ${path}?`, (close) => [
    h("p", {}, "A file of this name exists."),
    h("div", { class: "buttons" },
      h("button", { type: "button", onclick: () => close(false) }, "Cancel"),
      h("button", { type: "button", class: "primary", onclick: () => close(true) }, "Replace")),
  ]);
  if (confirmed) await write(path, format, true);
}

/** Saves under the current path, or asks for one. */
export async function saveFile() {
  if (!store.path || store.path.toLowerCase().endsWith(".fcl")) return saveAs();
  return attempt(() => write(store.path, store.path.split(".").at(-1).toLowerCase(), true));
}

async function saveAs() {
  const stem = (store.path ?? store.system.name ?? "system").replace(/\.[^.]*$/, "") || "system";
  const name = h("input", { type: "text", value: `${stem}.fll`, class: "grow", spellcheck: "false" });
  let format = "fll";
  const choice = await openDialog("Save", (close) => {
    const submit = () => close({ path: name.value.trim(), format });
    name.addEventListener("keydown", (event) => event.key === "Enter" && submit());
    const formats = select(FORMATS, format, (value) => {
      format = value;
      name.value = name.value.replace(/(\.[^.]*)?$/, `.${FORMATS.find(([id]) => id === value)[2]}`);
    });
    return [
      h("p", { class: "help" }, `The file is saved in the folder “${choices.folder}”, in which the Studio was started.`),
      h("div", { class: "fields" }, field("Format", formats), h("div", { class: "grow" }, field("File", name))),
      h("div", { class: "buttons" },
        h("button", { type: "button", onclick: () => close() }, "Cancel"),
        h("button", { type: "button", class: "primary", onclick: submit }, "Save")),
    ];
  });
  if (choice?.path) await attempt(() => write(choice.path, choice.format, false));
}

function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

async function exportCode() {
  const area = h("textarea", { readonly: true, class: "code", "aria-label": "Text of the system" });
  let format = "python";
  const update = async () => {
    area.value = "";
    try {
      area.value = (await post("write", { system: store.system, format })).text;
    } catch (error) {
      area.value = error.message;
    }
  };
  update();
  await openDialog("Export", (close) => [
    h("div", { class: "row spread" },
      field("As", select(FORMATS, format, (value) => { format = value; update(); })),
      h("div", { class: "row" },
        h("button", { type: "button", onclick: () => attempt(async () => {
          area.select();
          await navigator.clipboard.writeText(area.value);
          notify("Copied.");
        }) }, "Copy"),
        h("button", { type: "button", onclick: () => {
          download(`${store.system.name || "system"}.${FORMATS.find(([id]) => id === format)[2]}`, area.value);
        } }, "Download"))),
    h("p", {}, area),
    h("div", { class: "buttons" }, h("button", { type: "button", class: "primary", onclick: () => close() }, "Close")),
  ]);
}

export function createFileMenu(container) {
  const button = (text, run, properties) => h("button", { type: "button", onclick: () => attempt(run), ...properties }, text);
  const undoButton = button("↶", undo, { class: "icon", "aria-label": "Undo", title: "Undo (Ctrl+Z)" });
  const redoButton = button("↷", redo, { class: "icon", "aria-label": "Redo", title: "Redo (Ctrl+Y)" });
  const name = h("span", { class: "muted small file-name" });
  container.append(name, undoButton, redoButton, button("New", newFile), button("Open", openFile),
    button("Save", saveFile, { title: "Save (Ctrl+S)" }), button("Save as", saveAs), button("Export", exportCode));
  const update = () => {
    undoButton.disabled = !canUndo();
    redoButton.disabled = !canRedo();
    name.textContent = store.system ? `${store.path ?? store.system.name}${store.changed ? " •" : ""}` : "";
    name.title = store.changed ? "There are unsaved changes" : "";
  };
  subscribe(update);
  update();
}
