// Creating elements. Texts enter the page only through textContent and attributes, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("aria-")) node.setAttribute(name, String(value));
    else if (value === false) continue;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "text") node.textContent = value;
    else if (name === "value") node.value = value;
    else if (name === "checked" || name === "disabled" || name === "selected") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An HTML element: `h("button", { class: "primary", onclick: save }, "Save")`. */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** An SVG element. */
export function svg(tag, properties, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

/** Sets attributes that changed. */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = String(value);
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
  return node;
}

/** Sets the text if it changed. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** A menu of choices: texts, or pairs of value and text. */
export function select(options, value, onchange, properties) {
  const items = options.map((option) => (Array.isArray(option) ? option : [option, option]));
  if (!items.some(([known]) => known === value)) items.unshift([value, value === "" ? "–" : String(value)]);
  return h("select", { onchange: (event) => onchange(event.target.value), ...properties },
    items.map(([known, text]) => h("option", { value: known, selected: known === value }, text)));
}

/** A labeled control. */
export function field(label, control) {
  return h("label", { class: "field" }, label, control);
}

/** Calls `run` after `delay` milliseconds without another call. */
export function debounce(run, delay) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...values), delay);
  };
}

/** A short text of a number. */
export function format(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (typeof value === "string") return value;
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const text = Math.abs(value) < 1e-9 ? "0" : String(Number(value.toPrecision(digits)));
  return text.replace("-", "−");
}
