// Colors of sets and of values.

/** CSS color of the set with this index; the stylesheet has eight. */
export const setColor = (i) => `var(--set${i % 8})`;

/** Dashes of the set with this index, so that more than eight can be told apart. */
export const setDash = (i) => ["", "6 3", "2 3"][Math.floor(i / 8) % 3];

const probe = document.createElement("span");
probe.hidden = true;
document.body.append(probe);

/** The color of a CSS variable in the current theme, for canvas drawing. */
export function cssColor(variable) {
  probe.style.color = `var(${variable})`;
  return getComputedStyle(probe).color;
}

// Viridis and a diverging blue–white–orange map; both are even in lightness and safe for color-blind people.
const VIRIDIS = ["#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"];
const DIVERGING = ["#08519c", "#3182bd", "#6baed6", "#bdd7e7", "#f7f7f7", "#fdcc8a", "#fc8d59", "#e34a33", "#b30000"];

function table(stops) {
  const colors = stops.map((stop) => [1, 3, 5].map((at) => parseInt(stop.slice(at, at + 2), 16)));
  return Array.from({ length: 256 }, (_, i) => {
    const position = (i / 255) * (colors.length - 1);
    const k = Math.min(Math.floor(position), colors.length - 2);
    return colors[k].map((c, j) => Math.round(c + (colors[k + 1][j] - c) * (position - k)));
  });
}

export const sequential = table(VIRIDIS);
export const diverging = table(DIVERGING);

/** The color of `value` between `lower` and `upper`. */
export function colorOf(map, value, lower, upper) {
  const u = upper > lower ? (value - lower) / (upper - lower) : 0.5;
  return map[Math.min(Math.max(Math.round(u * 255), 0), 255)];
}
