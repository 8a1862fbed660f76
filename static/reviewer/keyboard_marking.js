/**
 * Marking words of a paragraph by keyboard on the review page, with the keys of the worker's: arrows move, Shift
 * extends, letters go to a word, F2 lets edges stand inside words, Enter takes what is selected, Escape leaves.
 * The paragraph's own marks stay as they are: a highlight shows the selection.
 */

import { Selection } from "../annotation/marking.js";
import { rangeOf, stepOnLine } from "../annotation/ranges.js";
import { Words } from "../annotation/segmentation.js";
import { WordFinder } from "../annotation/word_finder.js";

/** @typedef {import("../annotation/spans.js").Span} Span */

const highlight = globalThis.CSS?.highlights && new Highlight();
if (highlight) CSS.highlights.set("about-to-be-marked", highlight);

export class KeyboardMarking {
  /**
   * `on.moved(span)` tells what is selected, `on.taken()` that Enter took it, `on.left()` that Escape let it go.
   * @param {HTMLElement} paragraph holds the text and marks in it
   * @param {{moved: (span: Span) => void, taken: () => void, left: () => void}} on
   */
  constructor(paragraph, on) {
    this.paragraph = paragraph;
    this.on = on;
    this.words = new Words([...paragraph.textContent], paragraph.lang);
    this.finder = new WordFinder();
    /** @type {Selection | null} */
    this.selection = null;
    this.key = this.key.bind(this);
    this.blur = () => this.end();
  }

  /** Begin at `span`, or at the first word where it is null. @param {Span | null} span */
  begin(span) {
    this.end();
    const selection = new Selection(this.words, span);
    if (selection.isEmpty) return;
    this.selection = selection;
    const { paragraph } = this;
    // Only while it takes keys: screen readers pass them on, then.
    for (const [name, value] of Object.entries(ROLE)) paragraph.setAttribute(name, value);
    paragraph.focus({ preventScroll: true });
    paragraph.addEventListener("keydown", this.key);
    paragraph.addEventListener("blur", this.blur);
    this.#show();
  }

  /** Stop, wherever the focus goes. */
  end() {
    if (!this.selection) return;
    this.selection = null;
    const { paragraph } = this;
    paragraph.removeEventListener("keydown", this.key);
    paragraph.removeEventListener("blur", this.blur);
    for (const name of Object.keys(ROLE)) paragraph.removeAttribute(name);
    highlight?.clear();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const act = this.selection && this.#actOf(event, this.selection);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation(); // none of these keys decides anything
    act();
  }

  /**
   * @param {KeyboardEvent} event
   * @param {Selection} selection
   * @returns {(() => void) | null}
   */
  #actOf({ key, shiftKey, timeStamp }, selection) {
    const forward = this.paragraph.dir === "rtl" ? -1 : 1;
    const { focus } = selection;
    /** @param {number} step */
    const moveTo = (step) => () => {
      selection.moveTo(step, shiftKey);
      this.#show();
    };
    switch (key) {
      case "ArrowRight":
        return moveTo(focus + forward);
      case "ArrowLeft":
        return moveTo(focus - forward);
      case "ArrowDown":
        return moveTo(stepOnLine(this.paragraph, this.words.chars, selection.steps, focus, 1));
      case "ArrowUp":
        return moveTo(stepOnLine(this.paragraph, this.words.chars, selection.steps, focus, -1));
      case "Home":
        return moveTo(0);
      case "End":
        return moveTo(Infinity);
      case "Enter":
        return () => {
          this.end();
          this.on.taken();
        };
      case "F2":
        return () => {
          selection.setPrecise(!selection.precise);
          this.#show();
        };
      case "Escape":
        return () => {
          this.end();
          this.on.left();
        };
      default:
        return [...key].length === 1 ? () => this.#goToWord(key, timeStamp, selection) : null;
    }
  }

  /**
   * @param {string} letter
   * @param {number} timeMs
   * @param {Selection} selection
   */
  #goToWord(letter, timeMs, selection) {
    const { words } = this;
    const texts = selection.steps.map((step) => words.chars.slice(...step).join(""));
    const found = this.finder.find(letter, timeMs, texts, selection.focus);
    if (found === null) return;
    selection.moveTo(found, false);
    this.#show();
  }

  #show() {
    const { selection, paragraph } = this;
    if (!selection) return;
    const { chars } = this.words;
    highlight?.clear();
    highlight?.add(rangeOf(paragraph, chars, ...selection.span));
    const box = rangeOf(paragraph, chars, ...selection.steps[selection.focus]).getBoundingClientRect();
    // What decides stands at the foot of the window.
    const foot = document.querySelector(".decide")?.getBoundingClientRect().top ?? innerHeight;
    if (box.top < 0 || box.bottom > Math.min(foot, innerHeight)) scrollBy({ top: box.top - innerHeight / 3 });
    this.on.moved(selection.span);
  }
}

const ROLE = { tabindex: "-1", role: "textbox", "aria-readonly": "true", "aria-multiline": "true" };
