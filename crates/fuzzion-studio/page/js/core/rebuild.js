// Building parts of the page again without losing the keyboard focus.

/** Replaces the content; the focus stays on the element with the same `data-key`. */
export function rebuild(container, nodes) {
  const active = container.contains(document.activeElement) ? document.activeElement : null;
  const key = active?.dataset.key;
  const selection = active && "selectionStart" in active ? [active.selectionStart, active.selectionEnd] : null;
  container.replaceChildren(...nodes);
  if (!key) return;
  const next = container.querySelector(`[data-key="${CSS.escape(key)}"]`);
  next?.focus({ preventScroll: true });
  try {
    if (selection && next?.setSelectionRange) next.setSelectionRange(...selection);
  } catch {
    // Not a text field.
  }
}

/** A function that calls `run` once before the next drawing, however often it is called. */
export function onNextFrame(run) {
  let scheduled = false;
  return () => {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(() => {
      scheduled = false;
      run();
    });
  };
}
