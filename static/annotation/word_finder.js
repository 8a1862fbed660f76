/** Going to a word by typing its first letters, without a page. */

// Without a key for so long, the next letter begins another word.
const PAUSE_MS = 1500;

export class WordFinder {
  constructor() {
    this.typed = "";
    this.typedAt = -Infinity;
  }

  /**
   * Which of `words` to go to from the one at `from` once `letter` is typed at `timeMs`; null where none begins so.
   * Letters in a row narrow it down, and the same one again goes on to the next word; behind the last comes the first.
   * @param {string} letter
   * @param {number} timeMs
   * @param {string[]} words
   * @param {number} from
   */
  find(letter, timeMs, words, from) {
    const before = timeMs - this.typedAt < PAUSE_MS ? this.typed : "";
    this.typedAt = timeMs;
    this.typed = before + letter.toLowerCase();
    // The word that the letters before led to may be the one that is meant.
    let found = before ? first(words, this.typed, from) : null;
    if (found === null) {
      this.typed = letter.toLowerCase();
      found = first(words, this.typed, from + 1);
    }
    return found;
  }
}

/**
 * The first of `words` from `from` on, and then from the beginning, that begins with `typed`.
 * @param {string[]} words
 * @param {string} typed in lower case
 * @param {number} from
 */
function first(words, typed, from) {
  for (let passed = 0; passed < words.length; passed += 1) {
    const index = (from + passed) % words.length;
    const word = words[index].toLowerCase();
    if (word.startsWith(typed) || bare(word).startsWith(typed)) return index;
  }
  return null;
}

/**
 * Without its accents: whoever has no key for them types the letter.
 * @param {string} word
 */
function bare(word) {
  return word.normalize("NFD").replace(/\p{M}/gu, "");
}
