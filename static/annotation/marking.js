/** Marking by keyboard, without a page: a selection that moves and grows by words. */

import { wordsOf } from "./spans.js";

export class WordCursor {
  /**
   * `span` is where to begin; the first word where it is null.
   * @param {string[]} chars
   * @param {import("./spans.js").Span | null} span
   */
  constructor(chars, span = null) {
    this.words = wordsOf(chars);
    const [first, last] = span ? this.#covering(span) : [0, 0];
    this.anchor = first;
    this.focus = last;
  }

  get isEmpty() {
    return !this.words.length;
  }

  /**
   * The selection in code points.
   * @returns {import("./spans.js").Span}
   */
  get span() {
    const [first, last] = [Math.min(this.anchor, this.focus), Math.max(this.anchor, this.focus)];
    return [this.words[first][0], this.words[last][1]];
  }

  /**
   * Move to the word of that number, or as near as there is one; with `extend` the other end stays where it is.
   * @param {number} word
   * @param {boolean} extend
   */
  moveTo(word, extend) {
    this.focus = Math.max(0, Math.min(word, this.words.length - 1));
    if (!extend) this.anchor = this.focus;
  }

  /** @param {import("./spans.js").Span} span */
  #covering([start, end]) {
    const first = this.words.findIndex((word) => word[1] > start);
    const last = this.words.findLastIndex((word) => word[0] < end);
    return first === -1 ? [0, 0] : [first, Math.max(first, last)];
  }
}
