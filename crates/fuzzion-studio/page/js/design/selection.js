// The variable that is edited.

import { store } from "../core/store.js";

const listeners = new Set();

export const selection = { kind: "inputs", index: 0, set: 0 };

export function onSelection(listener) {
  listeners.add(listener);
}

/** Selects a variable, and one of its sets. */
export function selectVariable(where, set = 0) {
  Object.assign(selection, where, { set });
  for (const listener of listeners) listener();
}

/** The selected variable; another one if it no longer exists. */
export function selectedVariable() {
  const { system } = store;
  if (!system) return null;
  if (!system[selection.kind]?.[selection.index]) {
    const kind = system.inputs.length ? "inputs" : "outputs";
    Object.assign(selection, { kind, index: Math.max(0, Math.min(selection.index, system[kind].length - 1)), set: 0 });
  }
  return system[selection.kind][selection.index] ?? null;
}
