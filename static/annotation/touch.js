/**
 * Marking by finger: tap the first and the last word; or hold a word, pull the handles, and use the selection.
 *
 * The browser's own selection by touch is switched off on the paragraph: its handles and callouts differ from phone
 * to phone, offer to copy, and know nothing of words in scripts without blanks.
 */

import { rangeOf } from "./ranges.js";

// Milliseconds that a finger rests before it holds a word, and pixels that it may stray meanwhile.
const HOLD_MS = 450;
const STRAY_PX = 10;
// Pixels from the paragraph's edge within which pulling a handle scrolls, and how far each time.
const SCROLL_ZONE_PX = 24;
const SCROLL_STEP_PX = 10;
// Pixels by which a handle's place is taken inside the selection, so that it names the word beside it.
const INSIDE_PX = 3;

/** @typedef {"start" | "end"} Edge */

export class Touch {
  /**
   * @param {import("./passage.js").Passage} passage
   * @param {{start: HTMLElement, end: HTMLElement}} handles
   */
  constructor(passage, handles) {
    this.passage = passage;
    this.element = passage.element;
    this.handles = handles;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.isHolding = false; // a word, just now
    this.hasHeld = false; // one since the finger came down: what the browser makes a click of it then is no tap
    this.isTouch = matchMedia("(pointer: coarse)").matches;
    this.element.dataset.hand = this.isTouch ? "touch" : "mouse";
    this.#listenToText();
    for (const edge of /** @type {const} */ (["start", "end"])) this.#listenToHandle(edge);
    this.element.addEventListener("scroll", () => this.placeHandles(), { passive: true });
    addEventListener("resize", () => this.placeHandles());
  }

  /** Put the handles where the selection begins and ends, as far as it is in view. */
  placeHandles() {
    const { selection, byKeyboard } = this.passage;
    for (const edge of /** @type {const} */ (["start", "end"])) {
      const handle = this.handles[edge];
      const place = selection && !byKeyboard ? this.#edgeOf(edge) : null;
      const frame = this.element.getBoundingClientRect();
      handle.hidden = !place || place.bottom < frame.top + 1 || place.bottom > frame.bottom;
      if (!place || handle.hidden) continue;
      const around = /** @type {Element} */ (handle.parentElement).getBoundingClientRect();
      const isLeft = (edge === "start") !== this.passage.rightToLeft;
      handle.dataset.side = isLeft ? "left" : "right";
      const wanted = isLeft ? place.x - handle.offsetWidth : place.x;
      const left = Math.max(0, Math.min(wanted, innerWidth - handle.offsetWidth));
      handle.style.left = `${left - around.left}px`;
      handle.style.top = `${place.bottom - around.top}px`;
    }
  }

  /**
   * Where the selection's edge is on the screen.
   * @param {Edge} edge
   */
  #edgeOf(edge) {
    const { selection, chars, rightToLeft } = this.passage;
    if (!selection) return null;
    const boxes = [...rangeOf(this.element, chars, ...selection.span).getClientRects()];
    const box = edge === "start" ? boxes[0] : boxes.at(-1);
    if (!box) return null;
    const isLeft = (edge === "start") !== rightToLeft;
    return { x: isLeft ? box.left : box.right, bottom: box.bottom, middle: (box.top + box.bottom) / 2, isLeft };
  }

  #listenToText() {
    const { element } = this;
    let [x, y] = [0, 0];
    element.addEventListener("pointerdown", (event) => {
      this.isTouch = event.pointerType !== "mouse";
      element.dataset.hand = this.isTouch ? "touch" : "mouse";
      this.hasHeld = false;
      clearTimeout(this.timer);
      if (!this.isTouch || !event.isPrimary) return;
      [x, y] = [event.clientX, event.clientY];
      this.timer = setTimeout(() => this.#hold(x, y), HOLD_MS);
    });
    document.addEventListener("pointermove", (event) => {
      if (!this.isTouch || !event.isPrimary) return;
      if (this.isHolding) this.#pullTo(event.clientX, event.clientY);
      else if (Math.hypot(event.clientX - x, event.clientY - y) > STRAY_PX) clearTimeout(this.timer);
    });
    for (const type of /** @type {const} */ (["pointerup", "pointercancel"])) {
      document.addEventListener(type, () => {
        clearTimeout(this.timer);
        this.isHolding = false;
      });
    }
    // While a word is held, the finger pulls and does not scroll.
    element.addEventListener("touchmove", (event) => this.isHolding && event.preventDefault(), { passive: false });
    element.addEventListener("contextmenu", (event) => this.isTouch && event.preventDefault());
    element.addEventListener("click", (event) => {
      if (this.isTouch && !this.hasHeld) this.#tap(event.clientX, event.clientY);
    });
  }

  /**
   * The first tap selects a word, the next one marks up to the word that it meets.
   * @param {number} x
   * @param {number} y
   */
  #tap(x, y) {
    const { passage } = this;
    const step = passage.stepAt(x, y);
    if (step === null) return;
    if (!passage.selection || passage.byKeyboard) {
      passage.select(passage.words.steps(passage.precise)[step], false);
      return;
    }
    passage.selection.include(step);
    passage.confirm();
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  #hold(x, y) {
    const { passage } = this;
    const step = passage.stepAt(x, y);
    if (step === null) return;
    this.isHolding = true;
    this.hasHeld = true;
    passage.select(passage.words.steps(passage.precise)[step], false);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  #pullTo(x, y) {
    const { passage, element } = this;
    const frame = element.getBoundingClientRect();
    if (y < frame.top + SCROLL_ZONE_PX) element.scrollTop -= SCROLL_STEP_PX;
    if (y > frame.bottom - SCROLL_ZONE_PX) element.scrollTop += SCROLL_STEP_PX;
    const step = passage.stepAt(x, Math.max(frame.top, Math.min(y, frame.bottom)));
    if (step === null || step === passage.selection?.focus) return;
    passage.selection?.moveTo(step, true);
    passage.showSelection();
  }

  /** @param {Edge} edge */
  #listenToHandle(edge) {
    const handle = this.handles[edge];
    /** @type {{x: number, y: number, acrossPx: number, downPx: number, moved: boolean} | null} */
    let pull = null;
    handle.addEventListener("pointerdown", (event) => {
      const place = this.#edgeOf(edge);
      if (!place) return;
      event.preventDefault();
      handle.setPointerCapture(event.pointerId);
      this.passage.selection?.hold(edge);
      const inside = place.x + (place.isLeft ? INSIDE_PX : -INSIDE_PX);
      const { clientX: x, clientY: y } = event;
      pull = { x, y, acrossPx: inside - x, downPx: place.middle - y, moved: false };
    });
    // No gesture comes of it either: a browser that took it for a fling would swallow the next tap.
    handle.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    handle.addEventListener("pointermove", (event) => {
      if (!pull) return;
      pull.moved ||= Math.hypot(event.clientX - pull.x, event.clientY - pull.y) > STRAY_PX / 2;
      if (pull.moved) this.#pullTo(event.clientX + pull.acrossPx, event.clientY + pull.downPx);
    });
    handle.addEventListener("pointerup", (event) => {
      // A handle that was only touched lets the tap through to the word under it.
      if (pull && !pull.moved) this.#tap(event.clientX, event.clientY);
      pull = null;
    });
    handle.addEventListener("pointercancel", () => (pull = null));
  }
}
