/** Keeps the standing of a release that is being made up to date while it is looked at. */

const EVERY_MS = 1500;
const standing = /** @type {HTMLElement} */ (document.querySelector("[data-standing]"));

async function refresh() {
  const answer = document.hidden ? null : await fetch(standing.dataset.address ?? "").catch(() => null);
  if (answer?.ok) {
    const fresh = await answer.text();
    // Untouched while nothing changed, so that a screen reader is not told the same again.
    if (fresh.trim() !== standing.dataset.shown) {
      standing.dataset.shown = fresh.trim();
      standing.innerHTML = fresh;
    }
  }
  if (standing.querySelector('[data-status="done"], [data-status="failed"]')) {
    document.querySelector("[data-while-running]")?.remove();
  } else {
    setTimeout(refresh, EVERY_MS);
  }
}

setTimeout(refresh, EVERY_MS);
