// Words and steps: the rules of spans, and the browser's dictionary in scripts without blanks between words.
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { Words } from "../../static/annotation/segmentation.js";
import { BLANKS, codePoints, snapToWords } from "../../static/annotation/spans.js";
import { anyText, spanIn } from "./texts.js";

const wordsOf = (text, language = "en") => new Words(codePoints(text), language);
const shown = (words, steps) => steps.map(([start, end]) => words.chars.slice(start, end).join(""));

test("keys step over every word once, and over no punctuation", () => {
  const words = wordsOf("It's 1,204 m — 防守 (🦉).");
  assert.deepEqual(shown(words, words.steps()), ["It", "s", "1,204", "m", "防守"]);
});

test("a word may begin with a character that shows nothing", () => {
  assert.deepEqual(wordsOf("\u200d3.5").steps(), [[0, 4]]);
});

test("a text without a word is stepped through by its visible characters, a blank one not at all", () => {
  assert.deepEqual(wordsOf("🦉!").steps(), [[0, 1], [1, 2]]);
  assert.deepEqual(wordsOf(" \n").steps(), []);
});

for (const [language, text, expected] of [
  ["zh", "1742年，由防守队长负责。", ["1742", "年", "由", "防守", "队长", "负责"]],
  ["th", "ประเทศไทยมี 77 จังหวัด", ["ประเทศไทย", "มี", "77", "จังหวัด"]],
  ["ja", "私は学生です。", ["私", "は", "学生", "です"]],
  ["ko", "서울은 크다", ["서", "울", "은", "크", "다"]],
  ["hi", "यह किला है", ["यह", "किला", "है"]],
  ["ar", "بني برج المدينة", ["بني", "برج", "المدينة"]],
  ["not a language tag", "由防守", ["由", "防守"]],
]) {
  test(`the words of ${language}`, () => {
    const words = wordsOf(text, language);
    assert.deepEqual(shown(words, words.steps()), expected);
  });
}

for (const [text, part, whole] of [
  ["a well-known rule", "know", "known"],
  ["it is 3.5km long", "3.5", "3.5km"],
  ["Tesla's coil", "Tesla", "Tesla"],
  ["in 1917.", "7", "1917"],
  ["由防守队长", "守", "防守"],
]) {
  test(`“${part}” in “${text}” snaps to “${whole}”, and stays “${part}” where precise`, () => {
    const words = wordsOf(text, "zh");
    const start = codePoints(text.slice(0, text.indexOf(part))).length;
    const range = [start, start + codePoints(part).length];
    assert.deepEqual(shown(words, [words.snap(range), words.snap(range, true)]), [whole, part]);
  });
}

test("a visible character is never parted, however precise", () => {
  const words = wordsOf("👩\u200d🚀 e\u0301");
  assert.deepEqual(words.snap([0, 1], true), [0, 3]);
  assert.deepEqual(words.snap([5, 6], true), [4, 6]);
  assert.equal(words.snap([3, 4], true), null);
});

test("words that span a selection are counted", () => {
  const words = wordsOf("Its keeper, Ruth Amble, slept.");
  assert.equal(words.countIn([4, 22]), 3);
  assert.equal(words.countIn([6, 8]), 1);
});

test("either precision: trimmed, whole, holding what was selected, and the same again", () => {
  fc.assert(
    fc.property(anyText, spanIn, fc.boolean(), (text, within, precise) => {
      const words = wordsOf(text, "th");
      const range = within(words.chars);
      const snapped = words.snap(range, precise);
      if (!snapped) return;
      assert.ok(!BLANKS.has(words.chars[snapped[0]]) && !BLANKS.has(words.chars[snapped[1] - 1]));
      assert.ok(snapped.every((edge) => !words.isInside(edge, precise)));
      assert.deepEqual(words.snap(snapped, precise), snapped);
      // The server's own rule parts no word here either: nothing that snapped to words is flagged there.
      if (!precise) assert.deepEqual(snapToWords(words.chars, ...snapped), snapped);
    }),
  );
});

test("steps follow each other, do not overlap, and cover all that can be seen where precise", () => {
  fc.assert(
    fc.property(anyText, fc.boolean(), (text, precise) => {
      const words = wordsOf(text, "zh");
      let at = 0;
      const skipped = [];
      for (const [start, end] of words.steps(precise)) {
        assert.ok(at <= start && start < end);
        skipped.push(...words.chars.slice(at, start));
        at = end;
      }
      if (precise) assert.ok([...skipped, ...words.chars.slice(at)].every((char) => BLANKS.has(char)));
    }),
  );
});
