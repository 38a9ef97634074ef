// The views, one line each: identifier, title and module. A module has `create(container)`, which is called when the view is
// opened first, and may have `show()`, which is called each time.

export const VIEWS = [
  { id: "start", title: "Start", load: () => import("./start/view.js") },
  { id: "design", title: "Design", load: () => import("./design/view.js") },
  { id: "understand", title: "Understand", load: () => import("./understand/view.js") },
  { id: "data", title: "Data", load: () => import("./data/view.js") },
  { id: "numbers", title: "Numbers", load: () => import("./numbers/view.js") },
];
