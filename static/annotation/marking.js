/** A selection that moves and grows step by step, without a page: what keys and fingers do before they mark. */

/** @typedef {import("./spans.js").Span} Span */

export class Selection {
  /**
   * `span` is where to begin; the first step where it is null. Steps are words; visible characters where `precise`.
   * @param {import("./segmentation.js").Words} words
   * @param {Span | null} span
   * @param {boolean} precise
   */
  constructor(words, span = null, precise = false) {
    this.words = words;
    this.precise = precise;
    this.steps = words.steps(precise);
    const [first, last] = span ? this.#covering(span) : [0, 0];
    this.anchor = first;
    this.focus = last;
  }

  get isEmpty() {
    return !this.steps.length;
  }

  /** @returns {Span} */
  get span() {
    const [first, last] = this.#ends;
    return [this.steps[first][0], this.steps[last][1]];
  }

  /** Whether it holds one step and no more. */
  get isSingle() {
    return this.anchor === this.focus;
  }

  /**
   * Move to that step, or as near as there is one; with `extend` the other end stays where it is.
   * @param {number} step
   * @param {boolean} extend
   */
  moveTo(step, extend) {
    this.focus = Math.max(0, Math.min(step, this.steps.length - 1));
    if (!extend) this.anchor = this.focus;
  }

  /**
   * Take that step in too, if it is not in yet.
   * @param {number} step
   */
  include(step) {
    const [first, last] = this.#ends;
    if (step < first) [this.anchor, this.focus] = [last, step];
    if (step > last) [this.anchor, this.focus] = [first, step];
  }

  /**
   * Let the next `moveTo` move the start, or the end; the other end stays.
   * @param {"start" | "end"} edge
   */
  hold(edge) {
    const [first, last] = this.#ends;
    [this.anchor, this.focus] = edge === "start" ? [last, first] : [first, last];
  }

  /**
   * Go over to the other precision. What is selected stays; from characters to words it is widened to them.
   * @param {boolean} precise
   */
  setPrecise(precise) {
    const { span } = this;
    const isBackwards = this.focus < this.anchor;
    this.precise = precise;
    this.steps = this.words.steps(precise);
    [this.anchor, this.focus] = this.#covering(span);
    if (isBackwards) [this.anchor, this.focus] = [this.focus, this.anchor];
  }

  get #ends() {
    return this.anchor < this.focus ? [this.anchor, this.focus] : [this.focus, this.anchor];
  }

  /** @param {Span} span */
  #covering([start, end]) {
    const first = this.steps.findIndex((step) => step[1] > start);
    const last = this.steps.findLastIndex((step) => step[0] < end);
    return first === -1 ? [0, 0] : [first, Math.max(first, last)];
  }
}
