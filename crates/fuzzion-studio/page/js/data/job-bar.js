// Progress of a job, and a button that cancels it.

import { runJob } from "../core/api.js";
import { h } from "../core/dom.js";

/** `run(name, body)` resolves with the result, or with undefined if the job failed or was cancelled. */
export function createJobBar(label) {
  const bar = h("progress", { max: 1, "aria-label": label });
  const status = h("span", { class: "small", role: "status" });
  const stop = h("button", { type: "button", onclick: () => cancel() }, "Cancel");
  const running = h("span", { class: "row", hidden: true }, bar, stop);
  let job = null;
  let cancelled = false;

  const cancel = () => {
    cancelled = true;
    job?.cancel().catch(() => {});
  };

  return {
    node: h("div", { class: "row job-bar" }, running, status),
    status,
    async run(name, body) {
      cancelled = false;
      running.hidden = false;
      bar.removeAttribute("value");
      status.classList.remove("bad-text");
      status.textContent = "";
      try {
        job = await runJob(name, body, (event, { done, total }) => {
          if (event === "progress" && total) bar.value = done / total;
        });
        if (cancelled) cancel();
        return await job.done;
      } catch (error) {
        status.classList.toggle("bad-text", !cancelled);
        status.textContent = cancelled ? "Cancelled." : error.message;
        return undefined;
      } finally {
        job = null;
        running.hidden = true;
      }
    },
  };
}
