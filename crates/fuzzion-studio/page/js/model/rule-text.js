// The text of rules: reading simple rules for the table, and renaming words.

const KEYWORDS = new Set(["if", "is", "then", "and", "or", "with", "else"]);
let hedges = new Set(["any", "not", "very", "somewhat", "extremely", "seldom"]);

/** Sets the names of the hedges. */
export function useHedges(names) {
  hedges = new Set(names);
}

const tokenize = (text) => text.match(/[(),]|[^\s(),]+/g) ?? [];

/** The name of a variable or set in rules. */
export const wordOf = (item) => item.word ?? item.name;

/** A name for rules: letters, digits and `_`, unique among `taken`. */
export function toWord(name, taken) {
  const plain = name.trim().replace(/[^\p{L}\p{N}_.]+/gu, "_").replace(/^(?=\d)/, "_") || "_";
  const base = KEYWORDS.has(plain) || hedges.has(plain) ? `${plain}_` : plain;
  let word = base;
  for (let i = 2; taken.includes(word); i++) word = `${base}_${i}`;
  return word;
}

/**
 * A rule without parentheses, with only `and` or only `or`: `{ otherwise, connective, conditions, conclusions, weight }`, where
 * conditions and conclusions are `{ variable, hedges, set }`. Null for other rules.
 */
export function parseRule(text) {
  const tokens = tokenize(text);
  let next = 0;
  const proposition = () => {
    const variable = tokens[next++];
    if (!variable || KEYWORDS.has(variable) || tokens[next++] !== "is") return null;
    const used = [];
    while (hedges.has(tokens[next])) used.push(tokens[next++]);
    if (used.at(-1) === "any") return { variable, hedges: used, set: null };
    const set = tokens[next++];
    return !set || KEYWORDS.has(set) || "(),".includes(set) ? null : { variable, hedges: used, set };
  };
  const rule = { otherwise: tokens[0] === "else", connective: "and", conditions: [], conclusions: [], weight: 1 };
  const start = tokens[next++];
  if (start === "if") {
    let connective = null;
    for (;;) {
      const condition = proposition();
      if (!condition) return null;
      rule.conditions.push(condition);
      const word = tokens[next++];
      if (word === "then") break;
      if ((word !== "and" && word !== "or") || (connective && connective !== word)) return null;
      connective = word;
    }
    rule.connective = connective ?? "and";
  } else if (start !== "else") {
    return null;
  }
  for (;;) {
    const conclusion = proposition();
    if (!conclusion) return null;
    rule.conclusions.push(conclusion);
    if (tokens[next] !== "and") break;
    next++;
  }
  if (tokens[next] === "with") {
    rule.weight = Number(tokens[next + 1]);
    next += 2;
  }
  return next === tokens.length && Number.isFinite(rule.weight) ? rule : null;
}

/** The text of a rule from `parseRule`. */
export function formatRule({ otherwise, connective, conditions, conclusions, weight }) {
  const text = ({ variable, hedges: used, set }) => [variable, "is", ...used, set].filter((word) => word !== null).join(" ");
  const start = otherwise ? "else" : `if ${conditions.map(text).join(` ${connective} `)} then`;
  return `${start} ${conclusions.map(text).join(" and ")}${weight === 1 ? "" : ` with ${weight}`}`;
}

/** The weight at the end of a rule. */
export function weightOf(text) {
  const match = text.match(/\swith\s+(\S+)\s*$/);
  return match ? Number(match[1]) : 1;
}

/** The rule with another weight. */
export function withWeight(text, weight) {
  const plain = text.replace(/\s+with\s+\S+\s*$/, "");
  return weight === 1 ? plain : `${plain} with ${weight}`;
}

/** Calls `replace(variable, set)` for every variable and every set with its variable; returns the text with the results. */
export function mapWords(text, replaceVariable, replaceSet) {
  const parts = text.match(/\s+|[(),]|[^\s(),]+/g) ?? [];
  const words = parts.map((part, i) => [part, i]).filter(([part]) => part.trim() !== "");
  words.forEach(([word, i], at) => {
    if (word !== "is" || at === 0) return;
    const [variable, position] = words[at - 1];
    let set = at + 1;
    while (set < words.length && hedges.has(words[set][0])) set++;
    parts[position] = replaceVariable(variable);
    if (set < words.length && words[set - 1][0] !== "any") parts[words[set][1]] = replaceSet(variable, words[set][0]);
  });
  return parts.join("");
}

/** Whether a rule uses the variable, or its set if one is given. */
export function uses(text, variable, set = null) {
  let found = false;
  mapWords(text, (v) => { found ||= set === null && v === variable; return v; },
    (v, s) => { found ||= set !== null && v === variable && s === set; return s; });
  return found;
}
