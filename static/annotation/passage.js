/** The paragraph on the page: its marks, marking by mouse and keyboard. Fingers are in touch.js. */

import { lockPassage } from "./copy_lock.js";
import { Selection } from "./marking.js";
import { nearestStep, offsetsOf, rangeOf, showMarked, stepOnLine } from "./ranges.js";
import { Words } from "./segmentation.js";
import { codePoints } from "./spans.js";
import { Touch } from "./touch.js";
import { WordFinder } from "./word_finder.js";

/** @typedef {import("./spans.js").Span} Span */

export class Passage {
  /**
   * `element` holds the text and nothing else; `takeButton` marks what was selected by touch, or by other means than
   * the mouse; `handles` are the two that fingers pull. `on.mark(span)` and `on.clear()` change the answer of the
   * active question, `on.start()` asks for marking by keyboard, `on.precise` for another precision; `on.selected`
   * tells what is about to be marked and whether it just began (null at the end), `on.refused()` a selection of
   * blanks, `on.blocked(isFirst)` a refused copy.
   * @param {{
   *   element: HTMLElement, takeButton: HTMLElement, handles: {start: HTMLElement, end: HTMLElement},
   *   language: string, rightToLeft: boolean, copyLock: boolean, enabled: boolean,
   *   on: {
   *     mark: (answer: import("./state.js").Answer) => void, clear: () => void, start: () => void,
   *     precise: (precise: boolean) => void, selected: (span: Span | null, begun: boolean) => void,
   *     refused: () => void, blocked: (isFirst: boolean) => void,
   *   },
   * }} options
   */
  constructor({ element, takeButton, handles, language, rightToLeft, copyLock, enabled, on }) {
    this.element = element;
    this.takeButton = takeButton;
    this.language = language;
    this.rightToLeft = rightToLeft;
    this.on = on;
    this.text = "";
    this.words = new Words([], language);
    /** @type {import("./ranges.js").Mark[]} */
    this.marks = [];
    this.painted = "";
    /** Whether edges may stand inside words. */
    this.precise = false;
    /** @type {Selection | null} what keys or fingers are about to mark */
    this.selection = null;
    this.byKeyboard = false;
    this.finder = new WordFinder();
    /** @type {Span | null} */
    this.lastSpan = null;
    /** @type {HTMLElement | null} */
    this.returnTo = null;
    /** @type {Touch | null} */
    this.touch = null;
    if (enabled) {
      this.touch = new Touch(this, handles);
      this.#listenToPointers();
      element.addEventListener("keydown", (event) => this.#key(event));
      element.addEventListener("blur", () => this.byKeyboard && this.leave());
    }
    if (copyLock) lockPassage(element, () => Boolean(this.#selected()), on.blocked);
  }

  get chars() {
    return this.words.chars;
  }

  /**
   * Show `text` with `marks`.
   * @param {string} text
   * @param {import("./ranges.js").Mark[]} marks
   */
  show(text, marks) {
    if (text !== this.text) {
      this.text = text;
      this.words = new Words(codePoints(text), this.language);
      this.selection = null;
      this.lastSpan = null;
      this.painted = "";
      this.element.scrollTop = 0;
    }
    this.marks = marks;
    this.#paint();
  }

  /** @param {Span} span */
  textOf([start, end]) {
    return this.chars.slice(start, end).join("");
  }

  /**
   * Let edges stand inside words, or only between them; what is selected goes along.
   * @param {boolean} precise
   */
  setPrecise(precise) {
    this.precise = precise;
    if (!this.selection) return;
    this.selection.setPrecise(precise);
    this.showSelection();
  }

  /**
   * Begin marking by keyboard at `answer`, or where the last one ended; `returnTo` gets the focus back.
   * @param {import("./state.js").Answer | null} answer
   * @param {HTMLElement | null} returnTo
   */
  startMarking(answer, returnTo = null) {
    this.element.focus({ preventScroll: true });
    this.returnTo = returnTo;
    this.select(answer ? [answer.start, answer.end] : this.lastSpan, true);
  }

  /**
   * Begin a selection at `span`, or at the first word.
   * @param {Span | null} span
   * @param {boolean} byKeyboard
   */
  select(span, byKeyboard) {
    const selection = new Selection(this.words, span, this.precise);
    if (selection.isEmpty) return;
    this.selection = selection;
    this.byKeyboard = byKeyboard;
    this.showSelection(true);
  }

  /** The selection was moved or has grown: show it, and tell. */
  showSelection(begun = false) {
    if (!this.selection) return;
    this.#paint();
    this.#scrollToFocus(this.selection);
    this.takeButton.hidden = this.byKeyboard;
    this.touch?.placeHandles();
    this.on.selected(this.selection.span, begun);
  }

  /** Mark what is selected. */
  confirm() {
    if (!this.selection) return;
    const { span } = this.selection;
    this.leave(true);
    this.#mark(span);
  }

  /** Let go of what is selected. */
  leave(giveFocusBack = false) {
    if (!this.selection) return;
    const { byKeyboard } = this;
    this.lastSpan = this.selection.span;
    this.selection = null;
    this.byKeyboard = false;
    this.#paint();
    this.takeButton.hidden = true;
    this.touch?.placeHandles();
    this.on.selected(null, false);
    if (giveFocusBack && byKeyboard) this.returnTo?.focus();
  }

  /**
   * The number of the step at a place on the screen, or null in a paragraph without any.
   * @param {number} x
   * @param {number} y
   */
  stepAt(x, y) {
    const steps = this.words.steps(this.precise);
    return steps.length ? nearestStep(this.element, this.chars, steps, x, y) : null;
  }

  /** @param {Span} range */
  #mark(range) {
    const span = this.words.snap(range, this.precise);
    if (!span) {
      this.on.refused();
      return;
    }
    this.lastSpan = span;
    this.on.mark({ start: span[0], end: span[1], text: this.textOf(span) });
  }

  #paint() {
    const selected = this.selection?.span ?? null;
    const wanted = JSON.stringify([this.marks, selected]);
    if (wanted === this.painted) return;
    this.painted = wanted;
    showMarked(this.element, this.chars, this.marks, selected);
  }

  // The mouse, and selections that the browser or assistive technology made

  #listenToPointers() {
    let [pressedInside, byMouse] = [false, false];
    document.addEventListener("pointerdown", (event) => {
      pressedInside = this.#holds(event.target);
      byMouse = event.pointerType === "mouse";
      const isAside = !(event.target instanceof Element && event.target.closest("[data-part=marking]"));
      if (isAside || (byMouse && pressedInside)) this.leave();
    });
    document.addEventListener("mouseup", (event) => {
      const isOurs = byMouse && event.button === 0 && (pressedInside || this.#holds(event.target));
      // The browser settles the selection after this event: a plain click has collapsed it by then.
      setTimeout(() => {
        byMouse = false; // what is selected from here on is offered, whoever selects it
        if (isOurs) this.#takeSelection();
      }, 0);
    });
    document.addEventListener("selectionchange", () => {
      if (!byMouse && !this.selection) this.takeButton.hidden = !this.#selected();
    });
    this.takeButton.addEventListener("click", () => (this.selection ? this.confirm() : this.#takeSelection()));
  }

  /** @param {EventTarget | null} target */
  #holds(target) {
    return target instanceof Node && this.element.contains(target);
  }

  #selected() {
    const selection = document.getSelection();
    return selection?.rangeCount ? offsetsOf(this.element, this.chars, selection.getRangeAt(0)) : null;
  }

  #takeSelection() {
    const range = this.#selected();
    this.takeButton.hidden = true;
    if (!range) return;
    this.leave();
    document.getSelection()?.removeAllRanges();
    this.#mark(range);
  }

  // Keyboard

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = this.selection ? this.#markingKey(this.selection, event) : this.#restingKey(event);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** @param {KeyboardEvent} event */
  #restingKey(event) {
    switch (event.key) {
      case "F2":
      case "Enter":
        return () => this.on.start();
      case "Delete":
      case "Backspace":
        return () => this.on.clear();
      default:
        return null;
    }
  }

  /**
   * @param {Selection} selection
   * @param {KeyboardEvent} event
   */
  #markingKey(selection, { key, shiftKey, timeStamp }) {
    /** @param {number} step */
    const moveTo = (step) => () => {
      selection.moveTo(step, shiftKey);
      this.showSelection();
    };
    switch (key) {
      case "ArrowRight":
        return moveTo(selection.focus + (this.rightToLeft ? -1 : 1));
      case "ArrowLeft":
        return moveTo(selection.focus + (this.rightToLeft ? 1 : -1));
      case "ArrowDown":
        return moveTo(stepOnLine(this.element, this.chars, selection.steps, selection.focus, 1));
      case "ArrowUp":
        return moveTo(stepOnLine(this.element, this.chars, selection.steps, selection.focus, -1));
      case "Home":
        return moveTo(0);
      case "End":
        return moveTo(Infinity);
      case "Enter":
        return () => this.confirm();
      case "F2":
        return () => this.on.precise(!this.precise);
      case "Escape":
        return () => this.leave(true);
      case "Delete":
      case "Backspace":
        return () => {
          this.leave(true);
          this.on.clear();
        };
      default:
        return isLetter(key) ? () => this.#goToWord(selection, key, timeStamp) : null;
    }
  }

  /**
   * @param {Selection} selection
   * @param {string} letter
   * @param {number} timeMs
   */
  #goToWord(selection, letter, timeMs) {
    const found = this.finder.find(letter, timeMs, selection.steps.map((step) => this.textOf(step)), selection.focus);
    if (found === null) return;
    selection.moveTo(found, false);
    this.showSelection();
  }

  /** @param {Selection} selection */
  #scrollToFocus({ focus, steps }) {
    const box = rangeOf(this.element, this.chars, ...steps[focus]).getBoundingClientRect();
    const frame = this.element.getBoundingClientRect();
    if (box.bottom > frame.bottom) this.element.scrollTop += box.bottom - frame.bottom + box.height;
    if (box.top < frame.top) this.element.scrollTop -= frame.top - box.top + box.height;
  }
}

/** @param {string} key as a keyboard event names it: a key that types nothing has a longer name */
function isLetter(key) {
  return codePoints(key).length === 1 && key !== " ";
}
