// Calls of the server.

const base = new URL(".", document.baseURI);

/** An error that the server explained in one sentence. */
export class ApiError extends Error {
  constructor(message, line, column) {
    super(line ? `line ${line}, column ${column}: ${message}` : message);
    this.line = line;
    this.column = column;
  }
}

async function call(name, options) {
  let response;
  try {
    response = await fetch(new URL(`api/${name}`, base), options);
  } catch {
    throw new ApiError("The server does not answer; start `fuzzion studio` again and open its new address.");
  }
  if (response.ok) return response;
  const { error, line, column } = await response.json().catch(() => ({ error: response.statusText }));
  throw new ApiError(error, line, column);
}

export async function get(name) {
  return (await call(name)).json();
}

const request = (body) => ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/** Sends and receives JSON. */
export async function post(name, body) {
  return (await call(name, request(body))).json();
}

/** Sends JSON and receives 64-bit floats. */
export async function postNumbers(name, body) {
  return new Float64Array(await (await call(name, request(body))).arrayBuffer());
}

/** Sends a file as it is and receives JSON; `name` has parameters. */
export async function sendFile(name, file) {
  return (await call(name, { method: "POST", body: file })).json();
}

/**
 * Runs a job: `onevent(name, data)` for each event. Returns `{ done, cancel }`, of which `done` is a promise of the result.
 */
export async function runJob(name, body, onevent = () => {}) {
  const { job } = await post(name, body);
  const source = new EventSource(new URL(`api/jobs/${job}/events`, base));
  const done = new Promise((resolve, reject) => {
    const listen = (event, run) => source.addEventListener(event, (message) => run(JSON.parse(message.data)));
    listen("progress", (data) => onevent("progress", data));
    listen("update", (data) => onevent("update", data));
    listen("result", (data) => { source.close(); resolve(data); });
    listen("failed", (data) => { source.close(); reject(new ApiError(data.error)); });
    source.onerror = () => { source.close(); reject(new ApiError("The connection to the server was lost.")); };
  });
  return { done, cancel: () => post(`jobs/${job}/cancel`, {}) };
}

/**
 * A function that runs `work` with at most one run at a time: calls during a run are replaced by the last of them, which
 * follows.
 */
export function latest(work) {
  let running = false;
  let waiting = null;
  return async function start(...values) {
    if (running) {
      waiting = values;
      return;
    }
    running = true;
    try {
      await work(...values);
    } finally {
      running = false;
      if (waiting) {
        const next = waiting;
        waiting = null;
        start(...next);
      }
    }
  };
}
