// Remarks on questions and their answers: the cases shared with the server.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import fc from "fast-check";

import { advise } from "../../static/annotation/advice.js";
import { codePoints, plainWords } from "../../static/annotation/spans.js";
import { anyText } from "./texts.js";

const { paragraphs, cases } = JSON.parse(readFileSync(new URL("../scoring/advice_cases.json", import.meta.url), "utf8"));

function spanOf(paragraph, text) {
  if (text === null) return null;
  const start = codePoints(paragraph.slice(0, paragraph.indexOf(text))).length;
  return { start, end: start + codePoints(text).length, text };
}

for (const { name, paragraph, language = "en", answering = false, questions, advice } of cases) {
  test(`advice: ${name}`, () => {
    const text = paragraphs[paragraph];
    const asked = questions.map(([question, answer]) => ({ text: question, answer: spanOf(text, answer) }));
    const found = advise(plainWords(text), language, asked, !answering);
    assert.deepEqual(found.map((one) => one.map(({ code, values }) => [code, values])), advice);
  });
}

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
