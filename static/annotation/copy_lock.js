/**
 * The copy lock: nothing is copied from the paragraph, and nothing is pasted into a question. Each refused try is told;
 * what it is is said once a page, as somebody who tries again knows. Reading, selecting, typing, input methods,
 * dictation, spell checking, undo and assistive technology are left alone.
 */

/** @typedef {(isFirst: boolean) => void} OnRefused */

/** The ways in which text comes into a field other than by being written: a paste in any guise, or a drop. */
const FOREIGN = /^insertFrom(Paste|PasteAsQuotation|Drop|Yank)$/;
// With Ctrl or Cmd: save the page, show its source. Printing is a matter of the style sheet.
const TAKING_KEYS = ["s", "u"];

/** @type {Set<string>} */
const said = new Set();

/**
 * A listener that refuses what it hears, and tells `onRefused` whether it is the first refusal of that `kind`.
 * @param {string} kind
 * @param {OnRefused} onRefused
 */
function refusing(kind, onRefused) {
  return (/** @type {Event} */ event) => {
    event.preventDefault();
    const isFirst = !said.has(kind);
    said.add(kind);
    onRefused(isFirst);
  };
}

/**
 * Keep what `passage` holds on this page. `isSelected()` says whether some of it is selected.
 * @param {HTMLElement} passage
 * @param {() => boolean} isSelected
 * @param {OnRefused} onRefused
 */
export function lockPassage(passage, isSelected, onRefused) {
  const refuse = refusing("copy", onRefused);
  document.body.classList.add("locked"); // for what only a style sheet can do: paper
  for (const type of /** @type {const} */ (["copy", "cut"])) {
    document.addEventListener(type, (event) => {
      const isField = event.target instanceof Element && event.target.matches("textarea, input");
      if (!isField && isSelected()) refuse(event);
    });
  }
  document.addEventListener("keydown", (event) => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (isCommand && TAKING_KEYS.includes(event.key.toLowerCase())) refuse(event);
  });
  passage.addEventListener("dragstart", refuse);
  let byTouch = false;
  passage.addEventListener("pointerdown", (event) => {
    byTouch = event.pointerType === "touch";
  });
  passage.addEventListener("contextmenu", (event) => {
    if (!byTouch) refuse(event); // a long press is how a finger marks: see touch.js
  });
}

/**
 * Keep pasted and dropped text out of `field`.
 * @param {HTMLTextAreaElement} field
 * @param {OnRefused} onRefused
 */
export function lockField(field, onRefused) {
  const refuse = refusing("paste", onRefused);
  field.addEventListener("paste", refuse);
  field.addEventListener("drop", refuse);
  // Ways in that raise neither: an editor's yank key, a phone keyboard's clipboard strip.
  field.addEventListener("beforeinput", (event) => {
    if (FOREIGN.test(event.inputType)) refuse(event);
  });
}
