// Opening a table: dropped, chosen, or from the start folder.

import { get, post, sendFile } from "../core/api.js";
import { choices } from "../core/choices.js";
import { field, h, select } from "../core/dom.js";
import { counted, setTable } from "./state.js";

const EXTENSIONS = [".csv", ".tsv", ".txt", ".dat", ".data", ".npy", ".parquet"];

/** Whether this is the name of a table. */
export function isTable(name) {
  const plain = name.toLowerCase().replace(/\.gz$/, "");
  return EXTENSIONS.some((extension) => plain.endsWith(extension));
}

export function createOpen(container) {
  const status = h("p", { class: "help", role: "status" });
  const upload = h("input", { type: "file", accept: [...EXTENSIONS, ".gz"].join(","), onchange: () => {
    const [file] = upload.files;
    if (file) openFile(file);
    upload.value = "";
  } });
  const folder = h("div");
  const controls = h("fieldset", { class: "plain-fieldset fields", "aria-label": "Open a table" }, folder, field("From another folder", upload));
  container.append(
    h("p", { class: "help" }, "Drop a table on this page, or choose one: CSV, TSV or other text (also .gz), NPY or Parquet."),
    controls, status);
  let maxBytes = Infinity;

  const read = async (name, work) => {
    controls.disabled = true;
    status.classList.remove("bad-text");
    status.textContent = `Reading ${name} …`;
    try {
      const table = await work();
      setTable(table);
      status.textContent = `${table.name}: ${counted(table.rows, "row")}, ${counted(table.columns.length, "column")}.`;
    } catch (error) {
      status.classList.add("bad-text");
      status.textContent = error.message;
    } finally {
      controls.disabled = false;
    }
  };

  function openFile(file) {
    return read(file.name, () => {
      if (file.size > maxBytes) throw new Error(`${file.name} is larger than ${maxBytes / 2 ** 20} MiB; use a smaller file.`);
      return sendFile(`data/upload?name=${encodeURIComponent(file.name)}`, file);
    });
  }

  const list = async () => {
    const { files, max_bytes } = await get("data/files");
    maxBytes = max_bytes;
    const empty = files.length ? "choose a table" : "no tables here";
    const menu = select([["", empty], ...files.map((path) => [path, path])], "", (path) => path && read(path, () => post("data/open", { path })));
    menu.disabled = files.length === 0;
    folder.replaceChildren(field(`In the folder “${choices.folder}”`, menu));
  };

  // Before the page handles the file as a system.
  addEventListener("drop", (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file || !container.isConnected || !isTable(file.name)) return;
    event.preventDefault();
    openFile(file);
  }, { capture: true });

  return { list };
}
