/**
 * The words of one text, as marking steps through them and snaps to them, without a page.
 *
 * The rules of spans.js, and one more: in scripts that set no blanks between words (Chinese, Japanese, Thai, Lao,
 * Khmer, Burmese) words are those that the browser's own dictionary finds (Intl.Segmenter). A browser without one
 * takes each visible character for a word. Korean keeps to visible characters, as answers leave its particles out.
 *
 * "Precise" stands for the other precision: edges anywhere between two visible characters.
 */

import { BLANKS, base, cutsCharacter, isInsideWord, trim } from "./spans.js";

/** @typedef {import("./spans.js").Span} Span */

const IN_DICTIONARIES =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}]/u;

export class Words {
  /**
   * @param {string[]} chars the text's code points
   * @param {string} language of the text, a BCP 47 tag
   */
  constructor(chars, language) {
    this.chars = chars;
    this.language = language;
    /** @type {Set<number> | null | undefined} where the dictionary has word edges; undefined until they are wanted */
    this.edges = undefined;
    /** @type {{words?: Span[], characters?: Span[]}} */
    this.known = {};
  }

  /**
   * Whether an edge before `chars[index]` would part a word; a visible character where `precise`.
   * @param {number} index
   * @param {boolean} precise
   */
  isInside(index, precise = false) {
    const { chars } = this;
    if (precise) return cutsCharacter(chars, index);
    if (isInsideWord(chars, index)) return true;
    if (index <= 0 || index >= chars.length) return false;
    if (!isListed(chars[index]) || !isListed(base(chars, index - 1))) return false;
    const edges = this.#dictionaryEdges();
    return edges !== null && !edges.has(index);
  }

  /**
   * The range trimmed of blanks, then widened where an edge would part a word (a visible character where `precise`);
   * null for a blank one.
   * @param {Span} range
   * @param {boolean} precise
   * @returns {Span | null}
   */
  snap(range, precise = false) {
    const trimmed = trim(this.chars, ...range);
    if (!trimmed) return null;
    let [start, end] = trimmed;
    while (this.isInside(start, precise)) start -= 1;
    while (this.isInside(end, precise)) end += 1;
    return [start, end];
  }

  /**
   * The places that marking steps through, in order: each word that shows a letter or a digit, or each visible
   * character where `precise`. A text without any word is stepped through by its visible characters.
   * @param {boolean} precise
   * @returns {Span[]}
   */
  steps(precise = false) {
    if (precise) return (this.known.characters ??= this.#runs(true));
    this.known.words ??= this.#runs(false).filter((run) => this.#showsWord(run));
    return this.known.words.length ? this.known.words : this.steps(true);
  }

  /**
   * How many words `span` holds, in whole or in part.
   * @param {Span} span
   */
  countIn([start, end]) {
    return this.steps().filter((word) => word[0] < end && word[1] > start).length;
  }

  /** @param {Span} run a word as a rule begins with what makes it one; a joiner may stand before that */
  #showsWord([start, end]) {
    for (let index = start; index < end; index += 1) if (WORD_CHARACTER.test(this.chars[index])) return true;
    return false;
  }

  /** @param {boolean} precise */
  #runs(precise) {
    /** @type {Span[]} */
    const runs = [];
    let start = 0;
    for (let end = 1; end <= this.chars.length; end += 1) {
      if (this.isInside(end, precise)) continue;
      if (!BLANKS.has(this.chars[start])) runs.push([start, end]);
      start = end;
    }
    return runs;
  }

  #dictionaryEdges() {
    if (this.edges === undefined) this.edges = dictionaryEdges(this.chars, this.language);
    return this.edges;
  }
}

/**
 * Where the browser's dictionary begins words, in code points; null where it has none.
 * @param {string[]} chars
 * @param {string} language
 */
function dictionaryEdges(chars, language) {
  if (!Intl.Segmenter) return null;
  /** @type {Set<number>} */
  const edges = new Set();
  let index = 0;
  for (const { segment } of segmenter(language).segment(chars.join(""))) {
    edges.add(index);
    for (const _char of segment) index += 1;
  }
  return edges;
}

/** @param {string} language */
function segmenter(language) {
  try {
    return new Intl.Segmenter(language, { granularity: "word" });
  } catch {
    return new Intl.Segmenter(undefined, { granularity: "word" }); // no language tag: the dictionaries are the same
  }
}

/** @type {Map<string, boolean>} */
const listed = new Map();

/** @param {string} char */
function isListed(char) {
  const known = listed.get(char) ?? (IN_DICTIONARIES.test(char) && WORD_CHARACTER.test(char));
  listed.set(char, known);
  return known;
}
