// The open table, as the server describes it, and what can be plotted of it.

const listeners = new Set();

/** `table` is null, or has table (its number), name, rows and columns. */
export const data = { table: null };

/** Calls `listener()` after another table was opened. */
export const onTable = (listener) => listeners.add(listener);

export function setTable(table) {
  data.table = table;
  for (const listener of listeners) listener();
}

/** Positions of the columns of numbers. */
export const numberColumns = () => data.table.columns.flatMap((column, i) => (column.kind === "numbers" ? [i] : []));

/** Pairs of position and name of the columns, for a menu. */
export const columnOptions = (positions) => positions.map((i) => [String(i), data.table.columns[i].name]);

/** A column to plot: what the server calls it, its name, and its texts if it is not of numbers. */
export function columnSource(i) {
  const { name, texts, different } = data.table.columns[i];
  return { request: { of: "column", index: i }, name, texts: texts?.map((item) => item.text), different };
}

/** A number of rows or cells. */
export const count = (n) => n.toLocaleString("en-US");

/** A number of things: `1 row`, `2 rows`. */
export const counted = (n, word) => `${count(n)} ${word}${n === 1 ? "" : "s"}`;
