// A canvas with the resolution of the screen.

import { h } from "../core/dom.js";

/** A canvas that is drawn again when its size or the theme changes. `draw(context, width, height)` gets CSS pixels. */
export function createCanvas(draw, { label, ratio = 0.8 }) {
  const canvas = h("canvas", { role: "img", "aria-label": label, tabindex: 0 });
  const redraw = () => {
    const width = Math.round(canvas.clientWidth);
    if (!width) return;
    const height = Math.round(width * ratio);
    const scale = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
    const context = canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    draw(context, width, height);
  };
  canvas.style.aspectRatio = String(1 / ratio);
  new ResizeObserver(redraw).observe(canvas);
  addEventListener("themechange", () => requestAnimationFrame(redraw));
  return { canvas, redraw };
}
