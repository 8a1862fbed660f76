/** The paragraph on the page: its marks, marking by mouse, touch and keyboard, and the copy lock. */

import { WordCursor } from "./marking.js";
import { offsetsOf, rangeOf, showMarked } from "./ranges.js";
import { codePoints, snapToWords } from "./spans.js";

/** @typedef {import("./spans.js").Span} Span */

export class Passage {
  /**
   * `element` holds the text and nothing else; `takeButton` uses a selection made by touch. `on.mark(span)` and
   * `on.clear()` change the answer of the active question, `on.marking(span)` tells what the keyboard has selected
   * (null at the end), `on.tapped(span)` what taps have selected, `on.refused()` a selection of blanks, and
   * `on.blocked()` a refused copy.
   * @param {{
   *   element: HTMLElement, takeButton: HTMLElement, rightToLeft: boolean, copyLock: boolean, enabled: boolean,
   *   on: {
   *     mark: (answer: import("./state.js").Answer) => void, clear: () => void, start: () => void,
   *     marking: (span: Span | null) => void, tapped: (span: Span) => void, refused: () => void, blocked: () => void,
   *   },
   * }} options
   */
  constructor({ element, takeButton, rightToLeft, copyLock, enabled, on }) {
    this.element = element;
    this.takeButton = takeButton;
    this.rightToLeft = rightToLeft;
    this.on = on;
    /** @type {string[]} */
    this.chars = [];
    /** @type {WordCursor | null} */
    this.cursor = null;
    /** @type {WordCursor | null} */
    this.taps = null;
    /** @type {Span | null} */
    this.lastSpan = null;
    /** @type {HTMLElement | null} */
    this.returnTo = null;
    if (enabled) {
      this.#listenToPointers();
      element.addEventListener("keydown", (event) => this.#key(event));
      element.addEventListener("blur", () => this.#leave());
    }
    if (copyLock) this.#lock();
  }

  /**
   * Show `text` with `marks`.
   * @param {string} text
   * @param {import("./ranges.js").Mark[]} marks
   */
  show(text, marks) {
    const shown = this.chars.join("");
    if (text !== shown) {
      this.chars = codePoints(text);
      this.lastSpan = null;
      this.element.scrollTop = 0;
    }
    showMarked(this.element, this.chars, marks);
  }

  /** @param {Span} span */
  textOf([start, end]) {
    return this.chars.slice(start, end).join("");
  }

  /**
   * Begin marking by keyboard at `answer`, or where the last one ended; `returnTo` gets the focus back.
   * @param {import("./state.js").Answer | null} answer
   * @param {HTMLElement | null} returnTo
   */
  startMarking(answer, returnTo = null) {
    /** @type {Span | null} */
    const begin = answer ? [answer.start, answer.end] : this.lastSpan;
    this.element.focus({ preventScroll: true });
    this.cursor = new WordCursor(this.chars, begin);
    if (this.cursor.isEmpty) this.cursor = null;
    this.returnTo = returnTo;
    this.#showCursor();
  }

  /** @param {Span} range */
  #mark(range) {
    const span = snapToWords(this.chars, ...range);
    if (!span) {
      this.on.refused();
      return;
    }
    this.lastSpan = span;
    this.on.mark({ start: span[0], end: span[1], text: this.textOf(span) });
  }

  // Pointers

  #listenToPointers() {
    let [pressedInside, byTouch] = [false, false];
    document.addEventListener("pointerdown", (event) => {
      pressedInside = this.#holds(event.target);
      byTouch = event.pointerType === "touch";
      if (pressedInside || event.target === this.takeButton) return;
      this.takeButton.hidden = true;
      this.taps = null;
    });
    document.addEventListener("mouseup", (event) => {
      if (byTouch || event.button !== 0 || !(pressedInside || this.#holds(event.target))) return;
      // The browser settles the selection after this event: a plain click has collapsed it by then.
      setTimeout(() => this.#takeSelection(), 0);
    });
    document.addEventListener("selectionchange", () => {
      if (byTouch && !this.cursor) this.takeButton.hidden = !this.#selected();
    });
    this.element.addEventListener("click", (event) => {
      if (byTouch) this.#tap(event.clientX, event.clientY);
    });
    this.takeButton.addEventListener("click", () => this.#takeSelection());
  }

  /** @param {EventTarget | null} target */
  #holds(target) {
    return target instanceof Node && this.element.contains(target);
  }

  /**
   * One tap selects a word, a second one extends to another, a third begins anew.
   * @param {number} x
   * @param {number} y
   */
  #tap(x, y) {
    const begin = this.#placeAt(x, y);
    if (begin === null) return;
    const tapped = new WordCursor(this.chars, [begin, begin + 1]);
    if (tapped.isEmpty) return;
    if (this.taps && this.taps.anchor === this.taps.focus) this.taps.moveTo(tapped.focus, true);
    else this.taps = tapped;
    this.#select(this.taps.span);
    this.takeButton.hidden = false;
    this.on.tapped(this.taps.span);
  }

  /**
   * The code point of the paragraph at a place on the screen, or null.
   * @param {number} x
   * @param {number} y
   */
  #placeAt(x, y) {
    const caret = document.caretPositionFromPoint?.(x, y);
    const range = document.createRange();
    if (caret) range.setStart(caret.offsetNode, caret.offset);
    else {
      const found = document.caretRangeFromPoint?.(x, y); // Safari's name for it
      if (!found) return null;
      range.setStart(found.startContainer, found.startOffset);
    }
    range.setEnd(this.element, this.element.childNodes.length);
    const rest = offsetsOf(this.element, this.chars, range);
    return rest ? rest[0] : null;
  }

  #selected() {
    const selection = document.getSelection();
    return selection?.rangeCount ? offsetsOf(this.element, this.chars, selection.getRangeAt(0)) : null;
  }

  #takeSelection() {
    const range = this.#selected();
    this.takeButton.hidden = true;
    this.taps = null;
    if (!range) return;
    this.#leave();
    document.getSelection()?.removeAllRanges();
    this.#mark(range);
  }

  // Keyboard

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = this.cursor ? this.#markingKey(this.cursor, event) : this.#restingKey(event);
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
   * @param {WordCursor} cursor
   * @param {KeyboardEvent} event
   */
  #markingKey(cursor, { key, shiftKey }) {
    /** @param {number} word */
    const moveTo = (word) => () => {
      cursor.moveTo(word, shiftKey);
      this.#showCursor();
    };
    switch (key) {
      case "ArrowRight":
        return moveTo(cursor.focus + (this.rightToLeft ? -1 : 1));
      case "ArrowLeft":
        return moveTo(cursor.focus + (this.rightToLeft ? 1 : -1));
      case "ArrowDown":
        return moveTo(this.#wordOnLine(cursor, 1));
      case "ArrowUp":
        return moveTo(this.#wordOnLine(cursor, -1));
      case "Home":
        return moveTo(0);
      case "End":
        return moveTo(Infinity);
      case "Enter":
        return () => this.#confirm(cursor);
      case "Escape":
        return () => this.#leave(true);
      case "Delete":
      case "Backspace":
        return () => {
          this.#leave(true);
          this.on.clear();
        };
      case "F2":
        return () => {};
      default:
        return null;
    }
  }

  /**
   * The word above or below the cursor's: on the next line that way, the one nearest to it across.
   * @param {WordCursor} cursor
   * @param {1 | -1} way
   */
  #wordOnLine(cursor, way) {
    /** @param {number} word */
    const boxOf = (word) => rangeOf(this.element, this.chars, ...cursor.words[word]).getBoundingClientRect();
    const here = boxOf(cursor.focus);
    const middle = (here.left + here.right) / 2;
    let [best, distance] = [cursor.focus, Infinity];
    /** @type {number | null} */
    let line = null;
    for (let word = cursor.focus + way; word >= 0 && word < cursor.words.length; word += way) {
      const box = boxOf(word);
      if (Math.abs(box.top - here.top) < here.height / 2) continue;
      line ??= box.top;
      if (Math.abs(box.top - line) > box.height / 2) break;
      const across = Math.abs((box.left + box.right) / 2 - middle);
      if (across < distance) [best, distance] = [word, across];
    }
    return best;
  }

  #showCursor() {
    if (!this.cursor) return;
    const range = this.#select(this.cursor.span);
    const [box, frame] = [range.getBoundingClientRect(), this.element.getBoundingClientRect()];
    if (box.bottom > frame.bottom) this.element.scrollTop += box.bottom - frame.bottom + box.height;
    if (box.top < frame.top) this.element.scrollTop -= frame.top - box.top + box.height;
    this.on.marking(this.cursor.span);
  }

  /**
   * Show `span` as the browser's own selection; the range that it is.
   * @param {Span} span
   */
  #select(span) {
    const range = rangeOf(this.element, this.chars, ...span);
    const selection = document.getSelection();
    selection?.removeAllRanges();
    selection?.addRange(range);
    return range;
  }

  /** @param {WordCursor} cursor */
  #confirm({ span }) {
    this.#leave(true);
    this.#mark(span);
  }

  #leave(giveFocusBack = false) {
    if (!this.cursor) return;
    this.lastSpan = this.cursor.span;
    this.cursor = null;
    document.getSelection()?.removeAllRanges();
    this.on.marking(null);
    if (giveFocusBack) this.returnTo?.focus();
  }

  // The copy lock

  #lock() {
    /** @param {Event} event */
    const refuse = (event) => {
      event.preventDefault();
      this.on.blocked();
    };
    for (const type of /** @type {const} */ (["copy", "cut"])) {
      document.addEventListener(type, (event) => {
        const isField = event.target instanceof Element && event.target.matches("textarea, input");
        if (!isField && this.#selected()) refuse(event);
      });
    }
    this.element.addEventListener("dragstart", refuse);
    let byTouch = false;
    this.element.addEventListener("pointerdown", (event) => {
      byTouch = event.pointerType === "touch";
    });
    this.element.addEventListener("contextmenu", (event) => {
      if (!byTouch) refuse(event); // a long press is how a finger selects
    });
  }
}

/**
 * Keep pasted and dropped text out of `field`; `onBlocked` is told of each try. Typing, input methods, undo and
 * the browser's own corrections are left alone.
 * @param {HTMLTextAreaElement} field
 * @param {() => void} onBlocked
 */
export function lockField(field, onBlocked) {
  /** @param {Event} event */
  const refuse = (event) => {
    event.preventDefault();
    onBlocked();
  };
  field.addEventListener("paste", refuse);
  field.addEventListener("drop", refuse);
  // Ways in that raise neither: an editor's yank key, a phone keyboard's clipboard strip.
  field.addEventListener("beforeinput", (event) => {
    if (/^insertFrom(Paste|PasteAsQuotation|Drop|Yank)$/.test(event.inputType)) refuse(event);
  });
}
