// The document: the JSON of the system, the values of its inputs, and the history for undo.

import { debounce } from "./dom.js";

const MAX_HISTORY = 200;
const listeners = new Set();

/** Never change these objects; use `change`. */
export const store = {
  system: null,
  /** Path in the start folder, or null. */
  path: null,
  /** Values of the inputs, by position; null is the middle. */
  at: [],
  /** Whether there are changes since the last save. */
  changed: false,
  /** Event timestamp of the last change, to measure the time until it is drawn. */
  eventTime: 0,
};

let past = [];
let future = [];
let lastMerge = null;
let storageKey = "fuzzion-studio";

/** Calls `listener(kind)` after each change: `system`, `at`, `path`. */
export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function emit(kind) {
  for (const listener of listeners) listener(kind);
}

/** An empty system with one rule block. */
export function emptySystem() {
  return {
    fuzzion: "system", version: 1, name: "system", dialect: "fuzzylite8", inputs: [], outputs: [],
    blocks: [{ conjunction: "Minimum", disjunction: "Maximum", implication: "Minimum", rules: [] }],
  };
}

/** Replaces the document. */
export function load(system, path = null, { changed = false } = {}) {
  Object.assign(store, { system, path, at: system.inputs.map(() => null), changed });
  past = [];
  future = [];
  lastMerge = null;
  if (!changed) forget();
  emit("system");
  emit("path");
}

/**
 * Changes a copy of the system. Successive changes with the same `merge` are one step of undo, for example those of a drag.
 */
export function change(edit, { merge = null, event = null } = {}) {
  const next = structuredClone(store.system);
  if (edit(next) === false) return;
  if (merge === null || merge !== lastMerge) {
    past.push({ system: store.system, at: store.at });
    if (past.length > MAX_HISTORY) past.shift();
  }
  lastMerge = merge;
  future = [];
  store.system = next;
  store.changed = true;
  store.eventTime = event ? event.timeStamp : 0;
  fitInputs();
  keep();
  emit("system");
}

/** Ends a series of merged changes. */
export function endMerge() {
  lastMerge = null;
}

function fitInputs() {
  const count = store.system.inputs.length;
  if (store.at.length !== count) store.at = Array.from({ length: count }, (_, i) => store.at[i] ?? null);
}

function step(from, to) {
  const previous = from.pop();
  if (!previous) return false;
  to.push({ system: store.system, at: store.at });
  store.system = previous.system;
  store.changed = true;
  store.eventTime = 0;
  lastMerge = null;
  fitInputs();
  keep();
  emit("system");
  return true;
}

export const undo = () => step(past, future);
export const redo = () => step(future, past);
export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

/** Sets the value of an input. */
export function setInput(i, value, event = null) {
  store.at = store.at.with(i, value);
  store.eventTime = event ? event.timeStamp : 0;
  emit("at");
}

/** Sets the values of all inputs. */
export function setInputs(values) {
  store.at = values.slice(0, store.system.inputs.length);
  store.eventTime = 0;
  emit("at");
}

/** The document was saved. */
export function saved(path) {
  store.path = path;
  store.changed = false;
  forget();
  emit("path");
}

/** Unsaved changes are kept per start folder. */
export function useStorage(folder) {
  storageKey = `fuzzion-studio/${folder}`;
}

const keep = debounce(() => {
  if (!store.changed) return;
  const text = JSON.stringify({ system: store.system, path: store.path, time: Date.now() });
  try {
    localStorage.setItem(storageKey, text);
  } catch {
    // The storage is full or switched off; changes are then kept only by the page.
  }
}, 300);

export function forget() {
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // As above.
  }
}

/** Unsaved changes of an earlier visit, or null. */
export function kept() {
  try {
    return JSON.parse(localStorage.getItem(storageKey));
  } catch {
    return null;
  }
}
