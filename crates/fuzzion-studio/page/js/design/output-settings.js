// How the sets of an output become a number.

import { choices } from "../core/choices.js";
import { field, h, select } from "../core/dom.js";
import { change } from "../core/store.js";
import { fromNumber, toNumber } from "../model/shapes.js";

const HELP = {
  Centroid: "center of gravity of the aggregated set",
  Bisector: "splits the area in half",
  SmallestOfMaximum: "smallest value of maximum membership",
  LargestOfMaximum: "largest value of maximum membership",
  MeanOfMaximum: "mean of the values of maximum membership",
  WeightedAverage: "average of the consequents, weighted by the firing strengths",
  WeightedSum: "weighted sum of the consequents",
};

export function outputSettings(variable, where) {
  const edit = (run) => change((system) => run(system[where.kind][where.index]));
  const [name, detail = ""] = variable.defuzzifier.split(" ");
  const method = choices.defuzzifiers.find((candidate) => candidate.name === name);
  const sampled = method?.sampled ?? true;
  const setDefuzzifier = (next) => edit((output) => {
    output.defuzzifier = next;
    const isSampled = choices.defuzzifiers.find((candidate) => candidate.name === next)?.sampled;
    if (isSampled) output.aggregation ??= "Maximum";
  });
  const optional = (key, text, value) => (text.trim() === "" || text.trim() === String(value) ? (output) => delete output[key]
    : (output) => { output[key] = fromNumber(toNumber(text)); });
  const number = (key, label, placeholder, fallback) => field(label,
    h("input", { type: "text", inputmode: "decimal", class: "numeric", value: variable[key] ?? fallback ?? "", placeholder, "data-key": key,
      onchange: (event) => edit(optional(key, event.target.value, fallback)) }));
  return h("details", { class: "output-settings", open: true }, h("summary", {}, "Defuzzification"),
    h("div", { class: "fields" },
      field("Method", select(choices.defuzzifiers.map((d) => [d.name, d.name]), name, setDefuzzifier, { "data-key": "defuzzifier", title: HELP[name] })),
      sampled
        ? field("Samples", h("input", { type: "number", min: 1, class: "numeric", value: detail, placeholder: "default", "data-key": "samples",
          onchange: (event) => edit((output) => { output.defuzzifier = event.target.value ? `${name} ${event.target.value}` : name; }) }))
        : field("Consequents", select(choices.weighted_kinds, detail || "Automatic",
          (kind) => edit((output) => { output.defuzzifier = kind === "Automatic" ? name : `${name} ${kind}`; }), { "data-key": "kind" })),
      field("Aggregation", select([["", "none"], ...choices.s_norms], variable.aggregation ?? "",
        (norm) => edit((output) => {
          if (norm) output.aggregation = norm;
          else delete output.aggregation;
        }), { "data-key": "aggregation" })),
      number("default", "Value if no rule fires", "none"),
      number("scale", "Factor", "1", 1),
      h("label", { class: "check small" }, h("input", { type: "checkbox", checked: variable.lock_previous, "data-key": "previous",
        onchange: (event) => edit((output) => { output.lock_previous = event.target.checked; }) }), "keep the previous value if no rule fires")),
    h("p", { class: "help" }, `${name}: ${HELP[name] ?? ""}.`));
}
