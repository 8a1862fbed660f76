/** Keeps the figures of a project up to date while they are looked at, without a word to screen readers. */

const EVERY_MS = 30_000;
const standing = /** @type {HTMLElement} */ (document.querySelector("[data-standing]"));
/** @type {string | null} */
let shown = null;
let last = Date.now();

async function refresh() {
  if (document.hidden) return;
  last = Date.now();
  const answer = await fetch(standing.dataset.address ?? "").catch(() => null);
  if (!answer?.ok || answer.redirected) return;
  const fresh = await answer.text();
  // Nothing is moved under whoever is in the middle of a table, or has marked something to copy.
  const isInUse = standing.contains(document.activeElement) || getSelection()?.isCollapsed === false;
  if (fresh === shown || isInUse) return;
  shown = fresh;
  standing.innerHTML = fresh;
}

setInterval(refresh, EVERY_MS);
document.addEventListener("visibilitychange", () => {
  if (Date.now() - last > EVERY_MS) refresh();
});
