// The inverted pendulum, live: the server computes the force, and the page moves the cart and the pole.

import { latest, post } from "../core/api.js";
import { h, svg } from "../core/dom.js";

const GRAVITY = 9.81;
const CART = 1.0;
const POLE = 0.15;
const LENGTH = 0.6;
const STEP = 0.01;

export function createPendulum(system) {
  const state = { x: 0, v: 0, angle: 0.3, speed: 0, force: 0 };
  const cart = svg("rect", { x: -26, y: -9, width: 52, height: 18, rx: 4, class: "cart" });
  const pole = svg("line", { x1: 0, y1: -9, x2: 0, y2: -85, class: "pole" });
  const force = svg("line", { x1: 0, y1: 16, x2: 0, y2: 16, class: "force" });
  const group = svg("g", {}, pole, cart, force);
  const picture = svg("svg", { viewBox: "-160 -110 320 150", role: "img", "aria-label": "A cart that keeps a pole upright" },
    svg("line", { x1: -160, x2: 160, y1: 10, y2: 10, class: "ground" }), group);
  let pushed = 0;
  const push = (direction) => {
    state.speed += direction * 1.2;
    pushed = performance.now();
  };
  const node = h("div", { class: "pendulum" }, picture, h("div", { class: "row pushes" },
    h("button", { type: "button", onclick: () => push(-1), "aria-label": "Push the pole to the left" }, "← Push"),
    h("button", { type: "button", onclick: () => push(1), "aria-label": "Push the pole to the right" }, "Push →")));

  const control = latest(async () => {
    const degrees = 180 / Math.PI;
    // The position pulls the cart back to the middle: the pole is held slightly oblique.
    const target = Math.max(-0.12, Math.min(0.12, -0.1 * state.x - 0.14 * state.v));
    const row = [(state.angle - target) * degrees, state.speed * degrees];
    try {
      const { outputs } = await post("infer", { system, rows: [row] });
      state.force = 2 * (outputs[0][0] ?? 0);
    } catch {
      state.force = 0;
    }
  });

  function advance() {
    const { angle, speed, force: push } = state;
    const total = CART + POLE;
    const inner = (push + POLE * LENGTH * speed * speed * Math.sin(angle)) / total;
    const acceleration = (GRAVITY * Math.sin(angle) - Math.cos(angle) * inner)
      / (LENGTH * (4 / 3 - (POLE * Math.cos(angle) ** 2) / total));
    state.v += STEP * (inner - (POLE * LENGTH * acceleration * Math.cos(angle)) / total);
    state.x += STEP * state.v;
    state.speed += STEP * acceleration;
    state.angle += STEP * state.speed;
    if (Math.abs(state.angle) > 1.4 || Math.abs(state.x) > 2) Object.assign(state, { x: 0, v: 0, angle: 0.3, speed: 0 });
  }

  let last = 0;
  function frame(now) {
    requestAnimationFrame(frame);
    // Hidden and reduced-motion pages do not move.
    if (!node.isConnected || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const elapsed = Math.min((now - last) / 1000, 0.05);
    last = now;
    for (let t = 0; t < elapsed; t += STEP) advance();
    control();
    // Something happens also if nobody pushes.
    if (now - pushed > 5000) push(state.x > 0 ? -0.7 : 0.7);
    group.setAttribute("transform", `translate(${(state.x * 70).toFixed(1)} 0)`);
    pole.setAttribute("transform", `rotate(${((state.angle * 180) / Math.PI).toFixed(2)} 0 -9)`);
    force.setAttribute("x2", (state.force * 2).toFixed(1));
  }
  requestAnimationFrame(frame);
  return node;
}
