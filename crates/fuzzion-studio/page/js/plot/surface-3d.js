// A rotatable surface over two inputs: quadrilaterals painted from back to front.

import { tickText } from "./axis.js";
import { createCanvas } from "./canvas.js";
import { colorOf, cssColor } from "./colors.js";

/** Largest number of quadrilaterals along an axis. */
const MAX_CELLS = 60;

export function createSurface3d({ label }) {
  let data = null;
  const view = { turn: -0.9, tilt: 0.55 };

  const { canvas, redraw } = createCanvas((context, width, height) => {
    if (!data) return;
    const { values, n, limits, map } = data;
    const [lower, upper] = limits;
    const size = Math.min(width, height * 1.15) * 0.46;
    const [cosTurn, sinTurn] = [Math.cos(view.turn), Math.sin(view.turn)];
    const [cosTilt, sinTilt] = [Math.cos(view.tilt), Math.sin(view.tilt)];
    // u, v and z are from −1 to 1.
    const project = (u, v, z) => {
      const x = u * cosTurn - v * sinTurn;
      const y = u * sinTurn + v * cosTurn;
      return [width / 2 + size * 0.68 * x, height * 0.48 - size * 0.66 * (0.7 * z * cosTilt + y * sinTilt), y * cosTilt];
    };
    const level = (value) => (upper > lower ? (2 * (value - lower)) / (upper - lower) - 1 : 0);
    drawBox(context, project);
    const step = Math.max(1, Math.ceil((n - 1) / MAX_CELLS));
    const lines = [];
    for (let i = 0; i < n - 1; i += step) lines.push(i);
    lines.push(n - 1);
    const at = (i) => (2 * i) / (n - 1) - 1;
    const points = lines.map((row) => lines.map((column) => {
      const value = values[row * n + column];
      return Number.isNaN(value) ? null : [...project(at(column), at(row), level(value)), value];
    }));
    const cells = [];
    for (let r = 0; r + 1 < lines.length; r++) {
      for (let c = 0; c + 1 < lines.length; c++) {
        const corners = [points[r][c], points[r][c + 1], points[r + 1][c + 1], points[r + 1][c]];
        if (corners.includes(null)) continue;
        const depth = corners[0][2] + corners[1][2] + corners[2][2] + corners[3][2];
        const value = (corners[0][3] + corners[1][3] + corners[2][3] + corners[3][3]) / 4;
        cells.push({ corners, depth, value });
      }
    }
    cells.sort((a, b) => b.depth - a.depth);
    context.lineWidth = 0.6;
    for (const { corners, value } of cells) {
      const [red, green, blue] = colorOf(map, value, lower, upper);
      context.fillStyle = `rgb(${red} ${green} ${blue})`;
      context.strokeStyle = `rgb(${red * 0.8} ${green * 0.8} ${blue * 0.8})`;
      context.beginPath();
      corners.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
      context.closePath();
      context.fill();
      context.stroke();
    }
    drawLabels(context, project);
  }, { label });

  function drawBox(context, project) {
    context.strokeStyle = cssColor("--line");
    context.lineWidth = 1;
    const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]];
    context.beginPath();
    corners.forEach(([u, v], i) => {
      const [x, y] = project(u, v, -1);
      if (i) context.lineTo(x, y);
      else context.moveTo(x, y);
    });
    for (const [u, v] of corners.slice(0, 4)) {
      context.moveTo(...project(u, v, -1).slice(0, 2));
      context.lineTo(...project(u, v, 1).slice(0, 2));
    }
    context.stroke();
  }

  function drawLabels(context, project) {
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.textAlign = "center";
    const write = (text, u, v, z, color) => {
      const [x, y] = project(u, v, z);
      context.fillStyle = color;
      context.fillText(text, x, y);
    };
    const [text, muted] = [cssColor("--text"), cssColor("--muted")];
    // On the edges that are in front.
    const front = (a, b) => (project(...a, -1)[1] > project(...b, -1)[1] ? 1 : -1);
    const v = front([0, 1], [0, -1]) * 1.22;
    const u = front([1, 0], [-1, 0]) * 1.22;
    write(data.x.name, 0, v * 1.08, -1, text);
    write(data.y.name, u * 1.08, 0, -1, text);
    [-1, 1].forEach((end, i) => {
      write(tickText(Number(data.x.range[i].toPrecision(4))), end * 0.92, v * 0.97, -1, muted);
      write(tickText(Number(data.y.range[i].toPrecision(4))), u * 0.97, end * 0.92, -1, muted);
    });
    const corner = [[-1, -1], [1, -1], [1, 1], [-1, 1]].toSorted((a, b) => project(...a, 0)[0] - project(...b, 0)[0])[0];
    data.limits.forEach((limit, i) => {
      const [x, y] = project(...corner, 2 * i - 1);
      context.fillStyle = muted;
      context.textAlign = "right";
      context.fillText(tickText(Number(limit.toPrecision(4))), x - 5, y);
    });
  }

  const rotate = (turn, tilt) => {
    view.turn += turn;
    view.tilt = Math.min(Math.max(view.tilt + tilt, 0.05), 1.5);
    redraw();
  };
  canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
  canvas.addEventListener("pointermove", (event) => event.buttons === 1 && rotate(event.movementX * 0.01, event.movementY * 0.01));
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowRight: [0.1, 0], ArrowLeft: [-0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
    if (!step) return;
    event.preventDefault();
    rotate(...step);
  });
  return {
    canvas,
    view,
    update(next) {
      data = next;
      redraw();
    },
  };
}
