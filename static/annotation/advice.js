/**
 * What a careful reader would remark on in questions and answers, without a page.
 *
 * The rules are those of the server's scoring/advice.py; tests/scoring/advice_cases.json holds both to the same
 * results. They inform; a project says which of them stop (its `stopping_advice`).
 */

import { longestCopiedRun, plainWords } from "./spans.js";

const COPIED_WORDS = 5;
const LONG_ANSWER_WORDS = 12;
/** @type {Record<string, number>} */
const CHARACTERS_A_WORD = {
  cmn: 2.5, hak: 2.5, ja: 2.5, ko: 2.5, lzh: 2.5, nan: 2.5, wuu: 2.5, yue: 2.5, zh: 2.5, km: 5, lo: 5, my: 5, th: 5,
};
const UNMARKED_LANGUAGES = ["bo", "dz", "km", "lo", "my", "th"];
const QUESTION_MARKS = "?\uff1f\u061f\u037e\u055e\u2047\u2048\u203d\u1367\u2e2e";
const LOOSE_EDGES = ",;:\u3001\u060c\uff0c\uff1b\uff1a";
const LOOSE_FIRST_WORDS = ["at", "because", "by", "for", "in", "of", "on", "since", "with"];
/** @type {Record<string, string[]>} */
const ARTICLES = { en: ["a", "an", "the"] };
const [FNV_BASIS, FNV_PRIME] = [0x811c9dc5, 0x01000193];

/**
 * @typedef {{text: string, answer: {start: number, end: number, text: string} | null}} Asked
 * @typedef {{code: string, values: Record<string, string | number>}} Advice
 */

/**
 * The remarks on each of `asked`, all of them on one paragraph, whose `plainWords` are `paragraphWords`. Unless
 * `isWriting`, only the answers are looked at, each by itself: the questions are other people's. `askedBefore` are
 * the keys of questions that the paragraph has from elsewhere.
 * @param {string[]} paragraphWords
 * @param {string} language a BCP 47 tag
 * @param {Asked[]} asked
 * @param {boolean} isWriting
 * @param {number[]} askedBefore
 * @returns {Advice[][]}
 */
export function advise(paragraphWords, language, asked, isWriting = true, askedBefore = []) {
  const primary = language.toLowerCase().split("-")[0];
  if (!isWriting) return asked.map((one) => onSpan(primary, one));
  const own = asked.map(({ text }) => plainWords(text));
  return asked.map((one, place) => [
    ...onQuestion(paragraphWords, primary, one, own, place, askedBefore),
    ...onOtherAnswers(asked, place),
    ...onSpan(primary, one),
  ]);
}

/**
 * A number of 32 bits that is the same for questions of the same words, whatever their order, case, punctuation and, in
 * English, articles; null where `text` has no word.
 * @param {string} text
 * @param {string} language
 */
export function questionKey(text, language) {
  const own = telling(plainWords(text), language.toLowerCase().split("-")[0]);
  return own.length ? own.reduce((sum, word) => (sum + fnv(word)) >>> 0, 0) : null;
}

/**
 * As many words as `words` in `language`, as they are counted there: visible characters where no blanks part words.
 * @param {number} words
 * @param {string} language a primary subtag
 */
function lengthOf(words, language) {
  return Math.floor(words * (CHARACTERS_A_WORD[language] ?? 1));
}

/** @param {string} word */
function fnv(word) {
  let value = FNV_BASIS;
  for (const character of word) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), FNV_PRIME) >>> 0;
  return value;
}

/**
 * The words without articles; all of them where they are articles alone.
 * @param {string[]} own
 * @param {string} language
 */
function telling(own, language) {
  const others = own.filter((word) => !ARTICLES[language]?.includes(word));
  return others.length ? others : own;
}

/**
 * @param {string[]} paragraphWords
 * @param {string} language
 * @param {Asked} one
 * @param {string[][]} words of each question
 * @param {number} place
 * @param {number[]} askedBefore
 */
function onQuestion(paragraphWords, language, one, words, place, askedBefore) {
  const own = words[place];
  /** @type {Advice[]} */
  const found = [];
  if (!own.length) return found;
  const run = longestCopiedRun(one.text, paragraphWords);
  if (run >= lengthOf(COPIED_WORDS, language)) found.push({ code: "copied", values: { count: run } });
  if (!isQuestion(one.text, language)) found.push({ code: "not_a_question", values: {} });
  const pieces = one.text.split(new RegExp(`[${QUESTION_MARKS}]`, "u")).filter((piece) => plainWords(piece).length);
  if (pieces.length > 1 && language !== "hy") found.push({ code: "two_in_one", values: {} });
  // The same words in another order ask the same thing as a rule.
  const sorted = inOrder(telling(own, language));
  const twin = words.findIndex((other, index) => index !== place && inOrder(telling(other, language)) === sorted);
  if (twin !== -1) found.push({ code: "duplicate", values: { number: twin + 1 } });
  const key = questionKey(one.text, language);
  if (key !== null && askedBefore.includes(key)) found.push({ code: "asked_before", values: {} });
  const answer = one.answer ? plainWords(one.answer.text) : [];
  if (answer.length && own.some((_word, from) => answer.every((word, index) => own[from + index] === word))) {
    found.push({ code: "answer_in_question", values: {} });
  }
  return found;
}

/** @param {string[]} words */
function inOrder(words) {
  return [...words].sort().join(" ");
}

/**
 * Whether a question mark stands behind the last word, or what the language uses in its place.
 * @param {string} text
 * @param {string} language
 */
function isQuestion(text, language) {
  if (UNMARKED_LANGUAGES.includes(language)) return true;
  if (language === "hy") return [...QUESTION_MARKS].some((mark) => text.includes(mark)); // on the stressed vowel
  const ending = text.match(/[^\p{L}\p{N}]*$/u)?.[0] ?? "";
  const marks = language === "el" ? `${QUESTION_MARKS};` : QUESTION_MARKS;
  if ([...marks].some((mark) => ending.includes(mark))) return true;
  return language === "ja" && text.slice(0, text.length - ending.length).endsWith("か");
}

/**
 * @param {Asked[]} asked
 * @param {number} place
 * @returns {Advice[]}
 */
function onOtherAnswers(asked, place) {
  const mine = asked[place].answer;
  if (!mine) return [];
  const same = asked.findIndex(
    ({ answer }, index) => index !== place && answer?.start === mine.start && answer.end === mine.end,
  );
  if (same !== -1) return [{ code: "same_answer", values: { number: same + 1 } }];
  const overlapping = asked.findIndex(
    ({ answer }, index) => index !== place && answer && answer.start < mine.end && mine.start < answer.end,
  );
  return overlapping === -1 ? [] : [{ code: "overlapping_answer", values: { number: overlapping + 1 } }];
}

/**
 * @param {string} language
 * @param {Asked} one
 */
function onSpan(language, { answer }) {
  /** @type {Advice[]} */
  const found = [];
  if (!answer) return found;
  const count = plainWords(answer.text).length;
  if (count > lengthOf(LONG_ANSWER_WORDS, language)) found.push({ code: "long_answer", values: { count } });
  const [first] = answer.text.split(" ", 1);
  const edges = [answer.text.slice(-1), answer.text.slice(0, 1)];
  const loose = edges.find((edge) => edge && LOOSE_EDGES.includes(edge));
  if (language === "en" && count > 1 && LOOSE_FIRST_WORDS.includes(first)) {
    found.push({ code: "loose_answer", values: { piece: first } });
  } else if (loose) {
    found.push({ code: "loose_answer", values: { piece: loose } });
  }
  return found;
}
