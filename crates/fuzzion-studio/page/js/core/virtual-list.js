// A long list of which only the visible rows exist.

import { h } from "./dom.js";

/**
 * A list with rows of `rowHeight` pixels. `createRow()` returns `{ node, update(index) }`; rows are reused for other items.
 * Lists of up to `plain` items have a natural height and no scroll bar of their own.
 */
export class VirtualList {
  constructor({ rowHeight, createRow, maxHeight = 480, label }) {
    Object.assign(this, { rowHeight, createRow, maxHeight });
    this.count = 0;
    this.rows = [];
    this.spacer = h("div", { class: "virtual-spacer" });
    this.node = h("div", { class: "virtual", role: "list", "aria-label": label, tabindex: -1 }, this.spacer);
    this.node.addEventListener("scroll", () => this.draw(), { passive: true });
  }

  /** Sets the number of items and draws the visible ones. */
  update(count) {
    if (count !== this.count) {
      this.count = count;
      this.spacer.style.height = `${count * this.rowHeight}px`;
      this.node.style.height = `${Math.min(count * this.rowHeight, this.maxHeight) + 2}px`;
    }
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.node.scrollTop / this.rowHeight) - 3);
    const visible = Math.min(this.count - first, Math.ceil(this.maxHeight / this.rowHeight) + 6);
    while (this.rows.length < visible) {
      const row = this.createRow();
      row.node.classList.add("virtual-row");
      row.node.setAttribute("role", "listitem");
      row.node.style.height = `${this.rowHeight}px`;
      this.rows.push(row);
      this.spacer.append(row.node);
    }
    this.rows.forEach((row, i) => {
      // The same item keeps its element while the list is scrolled, so that a focused field stays.
      const index = first + ((((i - first) % this.rows.length) + this.rows.length) % this.rows.length);
      row.node.hidden = index >= Math.min(this.count, first + visible);
      if (row.node.hidden) return;
      row.node.style.transform = `translateY(${index * this.rowHeight}px)`;
      row.update(index);
    });
  }

  scrollTo(index) {
    this.node.scrollTop = index * this.rowHeight - this.maxHeight / 2;
  }
}
