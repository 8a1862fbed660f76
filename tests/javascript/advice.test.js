// Remarks on questions and their answers: the cases shared with the server.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import fc from "fast-check";

import { advise, questionKey } from "../../static/annotation/advice.js";
import { codePoints, plainWords } from "../../static/annotation/spans.js";
import { anyText } from "./texts.js";

const { paragraphs, cases, keys } = JSON.parse(
  readFileSync(new URL("../scoring/advice_cases.json", import.meta.url), "utf8"),
);

function spanOf(paragraph, text) {
  if (text === null) return null;
  const start = codePoints(paragraph.slice(0, paragraph.indexOf(text))).length;
  return { start, end: start + codePoints(text).length, text };
}

for (const { name, paragraph, language = "en", answering = false, before = [], questions, advice } of cases) {
  test(`advice: ${name}`, () => {
    const text = paragraphs[paragraph];
    const asked = questions.map(([question, answer]) => ({ text: question, answer: spanOf(text, answer) }));
    const keysBefore = before.map((question) => questionKey(question, language));
    const found = advise(plainWords(text), language, asked, !answering, keysBefore);
    assert.deepEqual(found.map((one) => one.map(({ code, values }) => [code, values])), advice);
  });
}

for (const [text, language, key] of keys) {
  test(`the key of “${text}” in ${language}`, () => assert.equal(questionKey(text, language), key));
}

test("the order of its words does not change a question's key, one more word does", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("who", "rowed", "dusk", "防", "1,204"), { minLength: 1 }), fc.nat(), (own, at) => {
      const key = questionKey(own.join(" "), "en");
      const moved = [...own.slice(at % own.length), ...own.slice(0, at % own.length)];
      assert.equal(questionKey(`${moved.join("  ")}?`.toUpperCase(), "en"), key);
      assert.notEqual(questionKey([...own, "keeper"].join(" "), "en"), key);
    }),
  );
});

test("any text gets advice, and the same text twice gets it for both", () => {
  fc.assert(
    fc.property(anyText, anyText, (paragraph, text) => {
      const asked = [0, 1].map(() => ({ text, answer: null }));
      const [first, second] = advise(plainWords(paragraph), "en", asked);
      assert.equal(first.some(({ code }) => code === "duplicate"), plainWords(text).length > 0);
      assert.deepEqual(first.map(({ code }) => code), second.map(({ code }) => code));
    }),
  );
});
