// Changes of a system that keep its rules consistent. All functions change the system that they are given.

import { fromNumber, initialParameters, rescale, toNumber } from "./shapes.js";
import { mapWords, toWord, uses, wordOf } from "./rule-text.js";

/** The variable `{ kind: "inputs" | "outputs", index }`. */
export const variableAt = (system, { kind, index }) => system[kind]?.[index];

const isPlain = (name) => /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name);

function setName(item, name, siblings) {
  const taken = siblings.filter((other) => other !== item).map(wordOf);
  const word = toWord(name, taken);
  item.name = name;
  if (word === name && isPlain(name)) delete item.word;
  else item.word = word;
}

function mapRules(system, run) {
  for (const block of system.blocks) block.rules = block.rules.map(run);
}

const allVariables = (system) => [...system.inputs, ...system.outputs];

export function renameVariable(system, where, name) {
  const variable = variableAt(system, where);
  const old = wordOf(variable);
  const oldName = variable.name;
  setName(variable, name, allVariables(system));
  const word = wordOf(variable);
  mapRules(system, (rule) => mapWords(rule, (v) => (v === old ? word : v), (_, s) => s));
  // Formulas use the names of inputs.
  for (const set of allVariables(system).flatMap((item) => item.sets ?? [])) {
    if (set.expression && isPlain(oldName)) {
      set.expression = set.expression.replace(new RegExp(`(?<![\\p{L}\\p{N}_])${oldName}(?![\\p{L}\\p{N}_])`, "gu"), () => name);
    }
  }
}

export function renameSet(system, where, index, name) {
  const variable = variableAt(system, where);
  const set = variable.sets[index];
  const old = wordOf(set);
  const of = wordOf(variable);
  setName(set, name, variable.sets);
  const word = wordOf(set);
  mapRules(system, (rule) => mapWords(rule, (v) => v, (v, s) => (v === of && s === old ? word : s)));
}

function uniqueName(prefix, items) {
  const names = items.map((item) => item.name);
  let number = items.length + 1;
  while (names.includes(`${prefix}${number}`)) number++;
  return `${prefix}${number}`;
}

/** Adds an input or output with three sets. */
export function addVariable(system, kind, { name = null, range = [0, 10] } = {}) {
  const prefix = kind === "inputs" ? "input" : "output";
  const variable = { name: name ?? uniqueName(prefix, system[kind]), range, sets: [] };
  if (kind === "outputs") Object.assign(variable, { aggregation: "Maximum", defuzzifier: "Centroid" });
  const [a, b] = range;
  const middle = (a + b) / 2;
  variable.sets = [
    { name: "low", shape: "Triangle", parameters: [a, a, middle] },
    { name: "medium", shape: "Triangle", parameters: [a, middle, b] },
    { name: "high", shape: "Triangle", parameters: [middle, b, b] },
  ];
  system[kind].push(variable);
  if (kind === "inputs") mapLinear(system, (coefficients) => [...coefficients, 0]);
  return { kind, index: system[kind].length - 1 };
}

/** Changes the coefficients of Linear sets, which have one per input. */
function mapLinear(system, run) {
  for (const set of system.outputs.flatMap((output) => output.sets ?? [])) {
    for (const linear of [set, set.upper]) {
      if (linear?.shape === "Linear") linear.parameters = [...run(linear.parameters.slice(0, -1)), linear.parameters.at(-1)];
    }
  }
}

function deleteRules(system, isUsed) {
  let deleted = 0;
  for (const block of system.blocks) {
    const kept = block.rules.filter((rule) => !isUsed(rule));
    deleted += block.rules.length - kept.length;
    block.rules = kept;
  }
  return deleted;
}

/** Deletes a variable and the rules that use it. Returns the number of deleted rules. */
export function deleteVariable(system, { kind, index }) {
  const [variable] = system[kind].splice(index, 1);
  if (kind === "inputs") mapLinear(system, (coefficients) => coefficients.toSpliced(index, 1));
  return deleteRules(system, (rule) => uses(rule, wordOf(variable)));
}

/** Deletes a set and the rules that use it. Returns the number of deleted rules. */
export function deleteSet(system, where, index) {
  const variable = variableAt(system, where);
  const [set] = variable.sets.splice(index, 1);
  return deleteRules(system, (rule) => uses(rule, wordOf(variable), wordOf(set)));
}

function swap(items, i, j) {
  [items[i], items[j]] = [items[j], items[i]];
}

export function moveVariable(system, { kind, index }, by) {
  const to = index + by;
  if (!system[kind][to]) return false;
  swap(system[kind], index, to);
  if (kind === "inputs") {
    mapLinear(system, (coefficients) => {
      swap(coefficients, index, to);
      return coefficients;
    });
  }
  return true;
}

export function moveSet(system, where, index, by) {
  const { sets } = variableAt(system, where);
  if (!sets[index + by]) return false;
  swap(sets, index, index + by);
  return true;
}

/** Removes the upper set of a set; a system without upper sets is of type 1. */
export function removeUpper(system, set) {
  delete set.upper;
  const any = allVariables(system).some((variable) => variable.sets?.some((other) => other.upper));
  if (!any) delete system.type_reduction;
}

/** Changes an end of the range; the sets are scaled with it. */
export function setRange(system, where, i, value) {
  const variable = variableAt(system, where);
  const old = (variable.range ?? ["-inf", "inf"]).map(toNumber);
  const next = old.with(i, value);
  variable.range = next.map(fromNumber);
  const isFinite = ([a, b]) => Number.isFinite(b - a) && b > a;
  if (!isFinite(old) || !isFinite(next)) return;
  for (const set of (variable.sets ?? []).flatMap((item) => [item, item.upper ?? []].flat())) {
    if (set.parameters) set.parameters = rescale(set, old, next);
  }
}

/** Adds a set in the middle of the axis. */
export function addSet(system, where, axis) {
  const variable = variableAt(system, where);
  variable.sets ??= [];
  const [a, b] = axis;
  const shape = variable.sets.at(-1)?.shape ?? "Triangle";
  const set = { name: uniqueName("set", variable.sets), shape };
  if (shape === "Function") set.expression = "0";
  else set.parameters = initialParameters(shape, a + (b - a) * 0.25, b - (b - a) * 0.25, system.inputs.length);
  variable.sets.push(set);
}

/** Block and index in it of a rule that is counted across all blocks. */
export function locateRule(system, number) {
  let rest = number;
  for (const [block, { rules }] of system.blocks.entries()) {
    if (rest < rules.length) return { block, rule: rest };
    rest -= rules.length;
  }
  return null;
}
