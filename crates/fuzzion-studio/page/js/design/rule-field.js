// A text field for a rule, with completion of the word at the cursor.

import { post } from "../core/api.js";
import { h } from "../core/dom.js";
import { store } from "../core/store.js";

let number = 0;

/** A field that calls `oncommit(text)` on Enter or when it loses the focus; `onproblem(problem)` while the user types. */
export function createRuleField({ oncommit, onproblem = () => {}, label, placeholder = "" }) {
  const id = `completions-${number++}`;
  const list = h("ul", { class: "completions", role: "listbox", id, hidden: true });
  const input = h("input", {
    type: "text", class: "rule-text code", spellcheck: "false", autocomplete: "off", role: "combobox", "aria-label": label, placeholder,
    "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": id,
  });
  const node = h("div", { class: "rule-field" }, input, list);
  let items = [];
  let from = 0;
  let active = -1;
  let asked = 0;

  const close = () => {
    items = [];
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };

  const draw = () => {
    list.replaceChildren(...items.map((word, i) => h("li", {
      id: `${id}-${i}`, role: "option", "aria-selected": i === active,
      onpointerdown: (event) => { event.preventDefault(); accept(word); },
    }, word)));
    list.hidden = items.length === 0;
    input.setAttribute("aria-expanded", String(items.length > 0));
    if (active >= 0) input.setAttribute("aria-activedescendant", `${id}-${active}`);
    else input.removeAttribute("aria-activedescendant");
    const style = getComputedStyle(input);
    const characters = Math.min(from, input.value.length);
    list.style.left = `${Math.min(parseFloat(style.paddingLeft) + characters * 8, Math.max(input.clientWidth - 170, 0))}px`;
  };

  async function complete() {
    const ask = ++asked;
    try {
      const cursor = [...input.value.slice(0, input.selectionStart)].length;
      const answer = await post("rule", { system: store.system, text: input.value, cursor });
      if (ask !== asked || document.activeElement !== input) return;
      onproblem(input.value.trim() ? answer.error : null);
      items = answer.completions.slice(0, 12);
      from = answer.from;
      active = -1;
      draw();
    } catch {
      close();
    }
  }

  function accept(word) {
    const text = [...input.value];
    const end = [...input.value.slice(0, input.selectionStart)].length;
    const before = text.slice(0, from).join("") + word;
    const after = text.slice(end).join("");
    input.value = before + (after.startsWith(" ") ? after : ` ${after}`);
    input.setSelectionRange(before.length + 1, before.length + 1);
    complete();
  }

  input.addEventListener("input", complete);
  input.addEventListener("focus", complete);
  input.addEventListener("blur", () => {
    asked++;
    close();
    oncommit(input.value.trim(), false);
  });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && items.length) {
      event.preventDefault();
      active = (active + step + items.length + (active < 0 && step < 0 ? 1 : 0)) % items.length;
      draw();
    } else if (event.key === "Tab" && items.length && (active >= 0 || input.value.trim()) && !event.shiftKey) {
      // Tab completes only a word that was begun or selected; otherwise it moves the focus as usual.
      const begun = input.value.slice(from, input.selectionStart).length > 0;
      if (active < 0 && !begun) return;
      event.preventDefault();
      accept(items[Math.max(active, 0)]);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (active >= 0) {
        accept(items[active]);
        return;
      }
      asked++;
      close();
      oncommit(input.value.trim(), true);
    } else if (event.key === "Escape" && items.length) {
      event.preventDefault();
      close();
    }
  });
  return { node, input, close };
}
