// Sentences with their places filled in, times in words, and long texts made brief.
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { brief, duration, fill } from "../../static/annotation/words.js";
import { anyText } from "./texts.js";

const WORDS = { seconds: "{n} s", minutes: "{n} min" };

test("places are filled in, and what has no value stays as it is", () => {
  assert.equal(fill("{a} of {b}, {c}", { a: 1, b: "{a}" }), "1 of {a}, {c}");
});

test("what is filled in is never read as a place itself", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      assert.equal(fill("{one}|{other}", { one, other }), `${one}|${other}`);
    }),
  );
});

for (const [seconds, said] of [[-3, "0 s"], [0.9, "0 s"], [9.9, "9 s"], [59, "50 s"], [60, "1 min"], [3600, "60 min"]]) {
  test(`${seconds} seconds are “${said}”`, () => assert.equal(duration(WORDS, seconds), said));
}

test("a longer time is never said as a shorter one", () => {
  const inSeconds = (said) => Number.parseInt(said, 10) * (said.endsWith("min") ? 60 : 1);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20_000 }), fc.nat(500), (seconds, more) => {
      assert.ok(inSeconds(duration(WORDS, seconds)) <= inSeconds(duration(WORDS, seconds + more)));
    }),
  );
});

test("a text is read out whole or by its two ends, and no character is cut", () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 60 }), (texts) => {
      const text = texts.join("");
      const said = brief(text);
      assert.ok([...said].length <= 200);
      if (said === text) return;
      const [begin, end] = said.split(" … ", 2);
      assert.ok([...text].length > 200 && text.startsWith(begin) && text.endsWith(end.slice(-1)));
      assert.equal(said.isWellFormed(), text.isWellFormed());
    }),
  );
});
