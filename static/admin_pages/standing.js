/** Keeps the standing of a batch, a rehearsal or a curation up to date while it is being looked at. */

const standing = /** @type {HTMLElement} */ (document.querySelector("[data-standing]"));
const EVERY_MS = 2000;
let shown = standing.innerHTML.trim();

/** The buttons of this state, and of no other. */
function showWhatApplies() {
  const { status = "" } = /** @type {HTMLElement} */ (standing.querySelector("[data-status]")).dataset;
  for (const form of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-while]"))) {
    form.hidden = !form.dataset.while?.split(" ").includes(status);
  }
}

async function refresh() {
  if (!document.hidden) {
    const answer = await fetch(standing.dataset.progressUrl ?? "").catch(() => null);
    if (answer?.ok) {
      const fresh = document.createElement("template");
      fresh.innerHTML = await answer.text();
      // Untouched while nothing changed, so that a screen reader is not told the same again.
      if (fresh.innerHTML.trim() !== shown) {
        shown = fresh.innerHTML.trim();
        standing.replaceChildren(fresh.content);
        showWhatApplies();
      }
    }
  }
  if (!standing.querySelector("[data-over]")) setTimeout(refresh, EVERY_MS);
}

setTimeout(refresh, EVERY_MS);
