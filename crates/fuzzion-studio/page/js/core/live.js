// The results of the server for the current document: one request in flight, the latest state follows.

import { latest, post } from "./api.js";
import { notify } from "./notice.js";
import { store, subscribe } from "./store.js";

const listeners = new Set();

/** Response of `api/evaluate`, and the document for which it was computed. */
export const live = { result: null, system: null };

/** Calls `listener(result)` after each evaluation. */
export function onResult(listener) {
  listeners.add(listener);
  if (live.result) listener(live.result);
  return () => listeners.delete(listener);
}

let connected = true;

const evaluate = latest(async () => {
  const { system, at, eventTime } = store;
  if (!system) return;
  try {
    const result = await post("evaluate", { system, at });
    connected = true;
    live.result = result;
    live.system = system;
    for (const listener of listeners) listener(result);
    if (eventTime) performance.measure("live update", { start: eventTime, end: performance.now() });
  } catch (error) {
    if (connected) notify(error.message, { bad: true });
    connected = false;
  }
});

subscribe((kind) => {
  if (kind !== "path") evaluate();
});

// Measurements are kept only as long as they are interesting.
setInterval(() => {
  if (performance.getEntriesByName("live update").length > 2000) performance.clearMeasures("live update");
}, 10000);
