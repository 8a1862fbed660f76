/**
 * Answer spans in text, without a page: code points, blanks, words.
 *
 * Offsets are Unicode code points, `end` exclusive, as on the server and in SQuAD's files; a browser counts UTF-16
 * units. A text is handled as the array of its code points (`[...text]`), so that an index is an offset. The rules
 * are those of the server's scoring/characters.py; tests/scoring/span_vectors.json holds both to the same results.
 */

export const BLANKS = new Set(
  "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
    "\u2028\u2029\u202f\u205f\u3000\u200b\u2060\ufeff",
);

/** Scripts that set no blanks between words: first and last code point of each range. */
export const UNSPACED_RANGES = [
  [0x0e00, 0x0eff], [0x1000, 0x109f], [0x1100, 0x11ff], [0x1780, 0x17ff], [0x1950, 0x19ff], [0x1a20, 0x1aaf],
  [0x2e80, 0x2fdf], [0x3005, 0x3007], [0x3021, 0x4dbf], [0x4e00, 0xa4cf], [0xa960, 0xa97f], [0xa9e0, 0xa9ff],
  [0xaa60, 0xaa7f], [0xac00, 0xd7ff], [0xf900, 0xfaff], [0xff66, 0xffdc], [0x1aff0, 0x1b16f], [0x20000, 0x3ffff],
];

const TRAILING = new Set("\u00ad\u200c\u200d\u0e33\u0eb3\uff9e\uff9f");
const BINDING = new Set("\u00ad\u200c\u200d\u17d2\u1039");
const NUMBER_SEPARATORS = new Set(".,\u066b\u066c");
const JOINING_JAMO = new Set(["L L", "L V", "L LV", "L LVT", "LV V", "LV T", "V V", "V T", "LVT T", "T T"]);

/** @typedef {[start: number, end: number]} Span a part of a text: code points, `end` exclusive */

/** @type {WeakMap<string[], Uint32Array>} the UTF-16 units before each code point of a text */
const unitsBefore = new WeakMap();

/** @param {string} text */
export function codePoints(text) {
  return [...text];
}

/**
 * How many UTF-16 units the first `count` code points of `chars` take.
 * @param {string[]} chars
 * @param {number} count
 */
export function toUtf16(chars, count) {
  let before = unitsBefore.get(chars);
  if (!before) {
    before = new Uint32Array(chars.length + 1);
    for (const [index, char] of chars.entries()) before[index + 1] = before[index] + char.length;
    unitsBefore.set(chars, before);
  }
  return before[count];
}

/**
 * The code points that the UTF-16 range `[start, end)` of `chars` touches. An edge inside a surrogate pair takes in
 * the whole character; a caret stays a caret.
 * @param {string[]} chars
 * @param {number} start
 * @param {number} end
 * @returns {Span}
 */
export function fromUtf16(chars, start, end) {
  let [first, last, units] = [0, 0, 0];
  for (const char of chars) {
    if (units + char.length <= start) first += 1;
    if (units < end) last += 1;
    units += char.length;
  }
  return [first, start === end ? first : last];
}

/**
 * The range without the blanks at its edges, or null where nothing else is in it.
 * @param {string[]} chars
 * @param {number} start
 * @param {number} end
 * @returns {Span | null}
 */
export function trim(chars, start, end) {
  while (start < end && BLANKS.has(chars[start])) start += 1;
  while (start < end && BLANKS.has(chars[end - 1])) end -= 1;
  return start < end ? [start, end] : null;
}

/**
 * The range trimmed, then widened where an edge would part a word; null for a blank one.
 * @param {string[]} chars
 * @param {number} start
 * @param {number} end
 * @returns {Span | null}
 */
export function snapToWords(chars, start, end) {
  const trimmed = trim(chars, start, end);
  if (!trimmed) return null;
  [start, end] = trimmed;
  while (isInsideWord(chars, start)) start -= 1;
  while (isInsideWord(chars, end)) end += 1;
  return [start, end];
}

/**
 * Whether an edge before `chars[index]` would part one visible character.
 * @param {string[]} chars
 * @param {number} index
 */
export function cutsCharacter(chars, index) {
  if (index <= 0 || index >= chars.length) return false;
  if (chars[index - 1] === "\r" && chars[index] === "\n") return true;
  const [before, after] = [traitsOf(chars[index - 1]), traitsOf(chars[index])];
  if (before.isBlank || after.isBlank) return false;
  if (before.binds || after.trails) return true;
  if (before.isRegional && after.isRegional) return regionalsBefore(chars, index) % 2 === 1;
  return before.jamo !== "" && JOINING_JAMO.has(`${before.jamo} ${after.jamo}`);
}

/**
 * Whether an edge before `chars[index]` would part a word.
 * @param {string[]} chars
 * @param {number} index
 * @returns {boolean}
 */
export function isInsideWord(chars, index) {
  if (index <= 0 || index >= chars.length) return false;
  if (cutsCharacter(chars, index) || isInsideNumber(chars, index)) return true;
  return traitsOf(chars[index]).runsOn && traitsOf(base(chars, index - 1)).runsOn;
}

/**
 * The length in words of the longest run of `question` that stands in a paragraph, whatever its case and punctuation.
 * `paragraphWords` are the paragraph's `plainWords`.
 * @param {string} question
 * @param {string[]} paragraphWords
 */
export function longestCopiedRun(question, paragraphWords) {
  /** @type {Map<string, number[]>} */
  const places = new Map();
  for (const [place, word] of paragraphWords.entries()) {
    const known = places.get(word);
    if (known) known.push(place);
    else places.set(word, [place]);
  }
  let longest = 0;
  /** @type {Map<number, number>} the length of the run that ends at this word and place */
  let runs = new Map();
  for (const word of plainWords(question)) {
    /** @type {typeof runs} */
    const next = new Map();
    for (const place of places.get(word) ?? []) next.set(place, (runs.get(place - 1) ?? 0) + 1);
    longest = Math.max(longest, ...next.values());
    runs = next;
  }
  return longest;
}

/**
 * The words of `text`, composed and lower-cased, punctuation, symbols and flags left out.
 * @param {string} text
 */
export function plainWords(text) {
  const chars = codePoints(text.normalize("NFC").toLowerCase().replace(/[\u{1f1e6}-\u{1f1ff}]/gu, " "));
  const found = [];
  let start = 0;
  for (let end = 1; end <= chars.length; end += 1) {
    if (isInsideWord(chars, end)) continue;
    if (/[\p{L}\p{M}\p{N}]/u.test(chars[start])) found.push(chars.slice(start, end).join(""));
    start = end;
  }
  return found;
}

/**
 * Whether nothing of `text` is left once answers are compared (scoring/normalization.py on the server): it then
 * equals every other such answer, and is hardly what was meant.
 * @param {string} text
 * @param {string} language
 */
export function cleansToNothing(text, language) {
  const bare = text.toLowerCase().replace(/[!-/:-@[-`{-~]/g, "");
  if (!/^en(-|$)/i.test(language)) return !bare.replace(/\p{P}/gu, "").trim();
  return bare.split(/\s+/).every((word) => ["", "a", "an", "the"].includes(word));
}

/**
 * @typedef {{
 *   isBlank: boolean, trails: boolean, binds: boolean, isRegional: boolean, isDigit: boolean, runsOn: boolean,
 *   separates: boolean, jamo: string,
 * }} Traits what the rules ask of a code point
 */

/** @type {Map<string, Traits>} a text has few different ones, and each step over a long text asks for several */
const traitsByChar = new Map();

/** @param {string} char */
function traitsOf(char) {
  let traits = traitsByChar.get(char);
  if (!traits) {
    const point = char.codePointAt(0) ?? 0;
    const isDigit = /\p{Nd}/u.test(char);
    traits = {
      isBlank: BLANKS.has(char),
      trails: trails(char, point),
      binds: BINDING.has(char),
      isRegional: point >= 0x1f1e6 && point <= 0x1f1ff,
      isDigit,
      runsOn: /[\p{L}\p{M}\p{N}]/u.test(char) && (isDigit || !isUnspaced(point)),
      separates: NUMBER_SEPARATORS.has(char),
      jamo: jamo(point),
    };
    traitsByChar.set(char, traits);
  }
  return traits;
}

/**
 * @param {string} char
 * @param {number} point
 */
function trails(char, point) {
  return (
    TRAILING.has(char) ||
    /\p{M}/u.test(char) ||
    (point >= 0x1f3fb && point <= 0x1f3ff) || // skin tones
    (point >= 0xe0020 && point <= 0xe007f) // the tags of regional flags
  );
}

/** @param {number} point */
function isUnspaced(point) {
  return UNSPACED_RANGES.some(([first, last]) => first <= point && point <= last);
}

/** @param {number} point */
function jamo(point) {
  if (point >= 0xac00 && point <= 0xd7a3) return (point - 0xac00) % 28 === 0 ? "LV" : "LVT";
  if ((point >= 0x1100 && point <= 0x115f) || (point >= 0xa960 && point <= 0xa97c)) return "L";
  if ((point >= 0x1160 && point <= 0x11a7) || (point >= 0xd7b0 && point <= 0xd7c6)) return "V";
  if ((point >= 0x11a8 && point <= 0x11ff) || (point >= 0xd7cb && point <= 0xd7fb)) return "T";
  return "";
}

/**
 * @param {string[]} chars
 * @param {number} index
 */
function regionalsBefore(chars, index) {
  let first = index;
  while (first > 0 && traitsOf(chars[first - 1]).isRegional) first -= 1;
  return index - first;
}

/**
 * @param {string[]} chars
 * @param {number} index
 */
function isDigitAt(chars, index) {
  return index >= 0 && index < chars.length && traitsOf(chars[index]).isDigit;
}

/**
 * @param {string[]} chars
 * @param {number} index
 */
function isInsideNumber(chars, index) {
  if (traitsOf(chars[index]).separates) return isDigitAt(chars, index - 1) && isDigitAt(chars, index + 1);
  return traitsOf(chars[index - 1]).separates && isDigitAt(chars, index - 2) && isDigitAt(chars, index);
}

/**
 * The first code point of the visible character that `chars[index]` is part of.
 * @param {string[]} chars
 * @param {number} index
 */
export function base(chars, index) {
  while (cutsCharacter(chars, index)) index -= 1;
  return chars[index];
}
