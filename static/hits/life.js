/** Keeps a batch's standing up to date while it is being looked at. */

const standing = document.querySelector("[data-standing]");
const EVERY_MS = 2000;

async function refresh() {
  if (!document.hidden) {
    const answer = await fetch(standing.dataset.progressUrl).catch(() => null);
    if (answer?.ok) {
      const fresh = await answer.text();
      // Untouched while nothing changed, so that a screen reader is not told the same again.
      if (fresh.trim() !== standing.innerHTML.trim()) standing.innerHTML = fresh;
    }
  }
  setTimeout(refresh, EVERY_MS);
}

setTimeout(refresh, EVERY_MS);
