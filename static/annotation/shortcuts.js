/**
 * Single letters as keys of the page. Whoever dictates or rests a hand on the keys can switch them off (WCAG 2.1.4);
 * that is remembered where the frame may store, else until the page is left.
 */

export class Shortcuts {
  /**
   * @param {HTMLInputElement} box the checkbox that has them on
   * @param {import("./autosave.js").Stored} stored where it is remembered that they are off
   */
  constructor(box, stored) {
    /** @type {Map<string, () => void>} */
    this.acts = new Map();
    box.checked = stored.read() !== "off";
    box.addEventListener("change", () => (box.checked ? stored.clear() : stored.write("off")));
    document.addEventListener("keydown", (event) => {
      if (!box.checked || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const act = this.acts.get(event.key.toLowerCase());
      if (!act || takesText(event.target) || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      act();
    });
  }

  /**
   * @param {string} letter in lower case
   * @param {() => void} act
   */
  on(letter, act) {
    this.acts.set(letter, act);
  }
}

/** @param {EventTarget | null} target */
export function takesText(target) {
  if (target instanceof HTMLInputElement) return target.type !== "checkbox";
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}
