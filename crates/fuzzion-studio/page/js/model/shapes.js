// How the parameters of each shape are dragged. The server computes all memberships; here are only positions.

/**
 * Handles by shape: `p` are positions that move alone; `c` is a center that moves alone, and `w` its width, whose handle is
 * `factor` widths to the right of it. Positions of one shape stay in ascending order if `ordered`.
 */
const HANDLES = {
  Triangle: { p: [0, 1, 2], ordered: true },
  Trapezoid: { p: [0, 1, 2, 3], ordered: true },
  Rectangle: { p: [0, 1], ordered: true },
  SemiEllipse: { p: [0, 1], ordered: true },
  PiShape: { p: [0, 1, 2, 3], ordered: true },
  Bell: { p: [0], w: [[1, 0, 1]] },
  Cosine: { p: [0], w: [[1, 0, 0.5]] },
  Gaussian: { p: [0], w: [[1, 0, 1]] },
  GaussianProduct: { p: [0, 2], ordered: true, w: [[1, 0, -1], [3, 2, 1]] },
  Spike: { p: [0], w: [[1, 0, 0.5]] },
  SigmoidDifference: { p: [0, 3], ordered: true },
  SigmoidProduct: { p: [0, 3], ordered: true },
  Arc: { p: [0, 1] },
  Binary: { p: [0] },
  Concave: { p: [0, 1] },
  Ramp: { p: [0, 1] },
  Sigmoid: { p: [0] },
  SShape: { p: [0, 1], ordered: true },
  ZShape: { p: [0, 1], ordered: true },
  Constant: { p: [0] },
};

/** A number of the JSON, where infinite ones are texts. */
export function toNumber(value) {
  if (typeof value === "number") return value;
  const text = String(value).trim().toLowerCase().replace("−", "-");
  if (text === "") return NaN;
  if (/^[+]?inf(inity)?$/.test(text)) return Infinity;
  if (/^-inf(inity)?$/.test(text)) return -Infinity;
  return Number(text);
}

/** The reverse of `toNumber`. */
export function fromNumber(x) {
  if (Number.isFinite(x)) return x;
  return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

/** Handles of a set: their positions x, and `drag(x, y)`, which changes a copy of the parameters. */
export function handlesOf(set) {
  const values = (set.parameters ?? []).map(toNumber);
  if (set.shape === "Discrete") return discreteHandles(values);
  const description = HANDLES[set.shape];
  if (!description) return [];
  const handles = description.p.map((index, order) => ({
    name: index,
    x: values[index],
    drag: (parameters, x) => {
      const { p, ordered } = description;
      let to = x;
      if (ordered && order > 0) to = Math.max(to, toNumber(parameters[p[order - 1]]));
      if (ordered && order + 1 < p.length) to = Math.min(to, toNumber(parameters[p[order + 1]]));
      parameters[index] = to;
    },
  }));
  for (const [width, center, factor] of description.w ?? []) {
    handles.push({
      name: width,
      x: values[center] + factor * values[width],
      drag: (parameters, x, y, smallest) => {
        parameters[width] = Math.max((x - toNumber(parameters[center])) / factor, smallest);
      },
    });
  }
  return handles.filter((handle) => Number.isFinite(handle.x));
}

function discreteHandles(values) {
  return Array.from({ length: Math.floor(values.length / 2) }, (_, i) => ({
    name: 2 * i,
    x: values[2 * i],
    y: values[2 * i + 1],
    drag: (parameters, x, y) => {
      const before = i > 0 ? toNumber(parameters[2 * i - 2]) : -Infinity;
      const after = 2 * i + 2 < parameters.length ? toNumber(parameters[2 * i + 2]) : Infinity;
      parameters[2 * i] = Math.min(Math.max(x, before), after);
      parameters[2 * i + 1] = Math.min(Math.max(Number(y.toFixed(3)), 0), 1);
    },
  }));
}

/** Moves all positions of a set by `dx`. */
export function shift(set, dx, round) {
  const parameters = set.parameters.slice();
  const move = (index) => {
    const x = toNumber(parameters[index]);
    if (Number.isFinite(x)) parameters[index] = round(x + dx);
  };
  if (set.shape === "Discrete") parameters.forEach((_, i) => i % 2 === 0 && move(i));
  else (HANDLES[set.shape]?.p ?? []).forEach(move);
  return parameters;
}

/** Parameters that are slopes, by shape. */
const SLOPES = { Sigmoid: [1], SigmoidDifference: [1, 2], SigmoidProduct: [1, 2] };

/** The parameters of a set after its range changed from `[a, b]` to `[c, d]`: positions and widths are scaled. */
export function rescale(set, [a, b], [c, d]) {
  const ratio = (d - c) / (b - a);
  const round = (x) => Number(x.toPrecision(10));
  const map = (i, run) => {
    const x = toNumber(parameters[i]);
    if (Number.isFinite(x)) parameters[i] = round(run(x));
  };
  const parameters = set.parameters.slice();
  const position = (x) => c + (x - a) * ratio;
  if (set.shape === "Discrete") parameters.forEach((_, i) => i % 2 === 0 && map(i, position));
  for (const i of HANDLES[set.shape]?.p ?? []) map(i, position);
  for (const [i] of HANDLES[set.shape]?.w ?? []) map(i, (x) => x * ratio);
  for (const i of SLOPES[set.shape] ?? []) map(i, (x) => x / ratio);
  return parameters;
}

/** A function that rounds to about a 500th of the axis, so that dragged parameters are short. */
export function rounding([lower, upper]) {
  const step = 10 ** Math.floor(Math.log10((upper - lower) / 200));
  return (x) => Number((Math.round(x / step) * step).toPrecision(10));
}

/** Parameters of a new set of this shape in the range from `a` to `b`. */
export function initialParameters(shape, a, b, inputs = 0) {
  const at = (fraction) => Number((a + (b - a) * fraction).toPrecision(6));
  const width = (fraction) => Number(((b - a) * fraction).toPrecision(6));
  switch (shape) {
    case "Triangle": return [a, at(0.5), b];
    case "Trapezoid": case "PiShape": return [a, at(0.3), at(0.7), b];
    case "Bell": return [at(0.5), width(0.25), 2];
    case "Cosine": case "Spike": return [at(0.5), width(1)];
    case "Gaussian": return [at(0.5), width(0.2)];
    case "GaussianProduct": return [at(0.4), width(0.15), at(0.6), width(0.15)];
    case "SigmoidDifference": return [at(0.25), 20 / (b - a), 20 / (b - a), at(0.75)];
    case "SigmoidProduct": return [at(0.25), 20 / (b - a), -20 / (b - a), at(0.75)];
    case "Binary": return [at(0.5), "inf"];
    case "Sigmoid": return [at(0.5), 10 / (b - a)];
    case "Discrete": return [a, 0, at(0.5), 1, b, 0];
    case "Constant": return [at(0.5)];
    case "Linear": return [...Array(inputs).fill(0), at(0.5)];
    default: return [a, b];
  }
}

/** Range on which a set lies, to keep it when the shape changes. */
export function extent(set, range) {
  const xs = handlesOf(set).map((handle) => handle.x);
  const lower = Math.min(...xs);
  const upper = Math.max(...xs);
  if (xs.length > 1 && upper > lower) return [lower, upper];
  return range;
}
