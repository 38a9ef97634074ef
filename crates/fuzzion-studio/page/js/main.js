// Starts the page: tabs, theme, keyboard, dropped files, and unsaved changes of an earlier visit.

import { get } from "./core/api.js";
import { h } from "./core/dom.js";
import { attempt, notify } from "./core/notice.js";
import { choices } from "./core/choices.js";
import { emptySystem, forget, kept, load, redo, store, undo, useStorage } from "./core/store.js";
import "./core/live.js";
import { createFileMenu, openPath, openText, saveFile } from "./files/menu.js";
import { useHedges } from "./model/rule-text.js";
import { VIEWS } from "./views.js";
import { show } from "./tabs.js";

function createTheme() {
  const button = document.getElementById("theme");
  const root = document.documentElement;
  try {
    root.dataset.theme = localStorage.getItem("fuzzion-studio-theme") ?? "";
  } catch {
    // Without storage, the theme of the system is used.
  }
  button.addEventListener("click", () => {
    const dark = getComputedStyle(root).colorScheme === "dark"
      || (getComputedStyle(root).colorScheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
    root.dataset.theme = dark ? "light" : "dark";
    try {
      localStorage.setItem("fuzzion-studio-theme", root.dataset.theme);
    } catch {
      // As above.
    }
    dispatchEvent(new Event("themechange"));
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dispatchEvent(new Event("themechange")));
}

/** Whether a text field has the focus and its text was changed, so that Ctrl-Z belongs to it. */
function isEditing(target) {
  return target.matches?.("input:not([type=range], [type=checkbox]), textarea") && target.value !== target.defaultValue;
}

function createKeys() {
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    const isUndo = key === "z" && !event.shiftKey;
    const isRedo = key === "y" || (key === "z" && event.shiftKey);
    if ((isUndo || isRedo) && store.system && !isEditing(event.target)) {
      event.preventDefault();
      if (isUndo) undo();
      else redo();
    } else if (key === "s") {
      event.preventDefault();
      if (store.system) saveFile();
    }
  });
}

function createDrop() {
  const body = document.body;
  const isFile = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) body.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    body.classList.remove("dropping");
    // A view handles the files that it understands, such as tables, first.
    if (!isFile(event) || event.defaultPrevented) return;
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) attempt(async () => openText(await file.text(), file.name));
  });
}

function offerKept() {
  const earlier = kept();
  if (!earlier?.system) return;
  const name = earlier.path ?? earlier.system.name ?? "a system";
  notify(`There are unsaved changes of ${name}.`, {
    seconds: 0,
    actions: [
      ["Restore", () => {
        load(earlier.system, earlier.path, { changed: true });
        show("design");
      }],
      ["Discard", forget],
    ],
  });
}

async function start() {
  createTheme();
  Object.assign(choices, await get("start"));
  useHedges(choices.hedges);
  useStorage(choices.folder);
  const tabs = document.getElementById("tabs");
  for (const { id, title } of VIEWS) {
    tabs.append(h("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": "view", onclick: () => show(id) }, title));
  }
  tabs.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const all = [...tabs.children];
    const next = all.at((all.indexOf(document.activeElement) + step) % all.length);
    next.focus();
    next.click();
  });
  createFileMenu(document.getElementById("file-menu"));
  createKeys();
  createDrop();
  addEventListener("beforeunload", (event) => {
    if (store.changed) event.preventDefault();
  });
  const previous = kept();
  if (choices.file) await attempt(() => openPath(choices.file));
  if (!store.system) {
    load(emptySystem());
    await show(location.hash.slice(1) || "start");
  }
  if (previous) {
    // Opening a file forgets them.
    try {
      localStorage.setItem(`fuzzion-studio/${choices.folder}`, JSON.stringify(previous));
    } catch {
      // Without storage there was nothing kept.
    }
    offerKept();
  }
}

attempt(start);
