// Axis ticks at round numbers.

/** About `count` round numbers from `lower` to `upper`. */
export function ticks(lower, upper, count = 5) {
  const span = upper - lower;
  if (!(span > 0) || !Number.isFinite(span)) return [];
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw * 0.999);
  const found = [];
  for (let i = Math.ceil(lower / step - 1e-9); i * step <= upper + step * 1e-9; i++) found.push(i * step);
  return found.map((x) => Number(x.toPrecision(12)));
}

/** Text of a tick. */
export function tickText(x) {
  const size = Math.abs(x);
  const text = size !== 0 && (size >= 1e5 || size < 1e-4) ? x.toExponential(1).replace("e+", "e") : String(Number(x.toPrecision(6)));
  return text.replace("-", "−");
}
