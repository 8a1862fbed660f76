/**
 * The page's sentences by the name that scripts ask for them (annotation/page_words.py).
 * @typedef {Record<string, string>} Sentences
 */

// Characters of a selection that are shown and read out in full: about two lines.
const LONGEST_READ_OUT = 200;

/**
 * `sentence` with each `{name}` replaced by `values[name]`.
 * @param {string} sentence
 * @param {Record<string, unknown>} values
 */
export function fill(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/**
 * A text that is read out again with each step, without its middle where it is long.
 * @param {string} text
 */
export function brief(text) {
  const chars = [...text];
  return chars.length > LONGEST_READ_OUT ? `${chars.slice(0, 60).join("")} … ${chars.slice(-60).join("")}` : text;
}

/**
 * A time span in words: `seconds` as "3 s" or "12 min", with the sentences of `words`.
 * @param {Sentences} words
 * @param {number} seconds
 */
export function duration(words, seconds) {
  if (seconds < 10) return fill(words.seconds, { n: Math.max(0, Math.floor(seconds)) });
  if (seconds < 60) return fill(words.seconds, { n: Math.floor(seconds / 10) * 10 });
  return fill(words.minutes, { n: Math.round(seconds / 60) });
}
