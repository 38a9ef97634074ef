// Modal dialogs.

import { h } from "./dom.js";

/** A dialog with the content that `build(close)` returns; resolves with the value given to `close`. */
export function openDialog(title, build) {
  return new Promise((resolve) => {
    const dialog = h("dialog", { "aria-label": title });
    const close = (value) => {
      dialog.remove();
      resolve(value);
    };
    dialog.append(h("h2", {}, title), ...build(close));
    dialog.addEventListener("cancel", () => close(undefined));
    document.body.append(dialog);
    dialog.showModal();
  });
}
