/** The guide over the work: one key away, one key back, and its address to read it elsewhere. */

import { part } from "./page.js";

/**
 * Open the guide by its button or F1, unless `isOver()`. A function key: no letter that somebody may dictate.
 *
 * @param {{ isOver: () => boolean }} options
 */
export function offerGuide({ isOver }) {
  const dialog = /** @type {HTMLDialogElement} */ (part("guide"));
  /** @type {HTMLElement | null} */
  let cameFrom = null;

  function open() {
    cameFrom = /** @type {HTMLElement | null} */ (document.activeElement);
    dialog.showModal();
    document.getElementById("guide-title")?.focus(); // the dialog itself would begin at its button, far below
    dialog.scrollTop = 0;
  }

  part("open-guide").addEventListener("click", open);
  part("close-guide").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => cameFrom?.focus());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "F1" || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else if (!isOver()) open();
  });
  const language = new URLSearchParams(location.search).get("lang");
  const asked = language ? `?lang=${encodeURIComponent(language)}` : "";
  // As text: frames of marketplaces let no window be opened from inside.
  part("guide-address").textContent = new URL(`guide/${asked}`, location.href).href;
}
