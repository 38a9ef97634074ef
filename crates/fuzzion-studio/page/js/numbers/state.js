// The formula, its values and settings, and the last answer of the server.

import { latest, post } from "../core/api.js";
import { debounce } from "../core/dom.js";

/** Time without typing after which the server is asked. */
const DELAY = 150;

export const EXAMPLES = [
  { title: "Product", formula: "tri(1, 2, 3) * (a + 2)", values: [["a", "trap(1, 2, 3, 4)"]] },
  { title: "Division", formula: "distance / time", values: [["distance", "tri(90, 100, 120)"], ["time", "[1.5, 2]"]] },
  { title: "Repeated variable", formula: "x * (1 - x)", values: [["x", "tri(0, 0.5, 1)"]] },
  { title: "Parallel resistors", formula: "r1 * r2 / (r1 + r2)", values: [["r1", "tri(95, 100, 105)"], ["r2", "tri(190, 200, 220)"]] },
];

/** A row of the list of values; its object stays the same while it is edited. */
const row = ([name, text]) => ({ name, text });

export const state = {
  formula: EXAMPLES[0].formula,
  values: EXAMPLES[0].values.map(row),
  cuts: 11,
  encoding: "lu",
  precision: "f64",
  method: "direct",
};

const listeners = new Set();
const structure = new Set();

/** Calls `listener(answer, values)` after each answer; `values` are the rows that were sent. */
export function onAnswer(listener) {
  listeners.add(listener);
}

/** Calls `listener()` when the formula or the rows were replaced, not typed. */
export function onReplace(listener) {
  structure.add(listener);
}

const ask = latest(async () => {
  const values = [...state.values];
  try {
    const answer = await post("numbers", { ...state, values: values.map(({ name, text }) => ({ name, text })) });
    for (const listener of listeners) listener(answer, values);
  } catch (error) {
    for (const listener of listeners) listener({ values: [], unbound: [], result: null, failure: error.message }, []);
  }
});
const askLater = debounce(ask, DELAY);

/** Changes the state while the user types. */
export function type(changes) {
  Object.assign(state, changes);
  askLater();
}

export function typeValue(value, changes) {
  Object.assign(value, changes);
  askLater();
}

/** Changes the state and draws the fields again. */
export function replace(changes) {
  Object.assign(state, changes);
  for (const listener of structure) listener();
  ask();
}

export const addValue = (name = "", text = "") => replace({ values: [...state.values, row([name, text])] });
export const deleteValue = (value) => replace({ values: state.values.filter((other) => other !== value) });
export const openExample = ({ formula, values }) => replace({ formula, values: values.map(row) });
