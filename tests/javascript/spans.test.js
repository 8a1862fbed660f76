// The arithmetic of spans: the vectors shared with the server, and what holds for any text.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import fc from "fast-check";

import * as spans from "../../static/annotation/spans.js";
import { anyText, spanIn } from "./texts.js";

const vectors = JSON.parse(readFileSync(new URL("../scoring/span_vectors.json", import.meta.url), "utf8"));

test("the tables are those of the server", () => {
  assert.deepEqual(new Set(vectors.blanks), spans.BLANKS);
  assert.deepEqual(vectors.unspaced_ranges, spans.UNSPACED_RANGES);
});

for (const { name, text, utf16, code_points: expected } of vectors.utf16) {
  test(`a browser's offsets in code points: ${name}`, () => {
    assert.deepEqual(spans.fromUtf16(spans.codePoints(text), utf16[0], utf16[1]), expected);
  });
}

for (const { name, text, range, snapped } of vectors.snap) {
  test(`a selection snaps to words: ${name}`, () => {
    assert.deepEqual(spans.snapToWords(spans.codePoints(text), range[0], range[1]), snapped);
  });
}

for (const { name, question, paragraph, words } of vectors.copied_run) {
  test(`the longest copied run: ${name}`, () => {
    assert.equal(spans.longestCopiedRun(question, spans.plainWords(paragraph)), words);
  });
}

test("code points survive the way to UTF-16 and back", () => {
  fc.assert(
    fc.property(anyText, spanIn, (text, within) => {
      const chars = spans.codePoints(text);
      const [start, end] = within(chars);
      const units = [spans.toUtf16(chars, start), spans.toUtf16(chars, end)];
      assert.equal(text.slice(...units), chars.slice(start, end).join(""));
      assert.deepEqual(spans.fromUtf16(chars, ...units), [start, end]);
    }),
  );
});

test("what snapped has no blank at its edges, parts no word, holds what was selected, and stays as it is", () => {
  fc.assert(
    fc.property(anyText, spanIn, (text, within) => {
      const chars = spans.codePoints(text);
      const selected = within(chars);
      const trimmed = spans.trim(chars, ...selected);
      const snapped = spans.snapToWords(chars, ...selected);
      assert.equal(snapped === null, trimmed === null);
      if (!snapped || !trimmed) return;
      assert.ok(snapped[0] <= trimmed[0] && trimmed[1] <= snapped[1]);
      assert.ok(!spans.BLANKS.has(chars[snapped[0]]) && !spans.BLANKS.has(chars[snapped[1] - 1]));
      assert.ok(snapped.every((edge) => !spans.isInsideWord(chars, edge)));
      assert.deepEqual(spans.snapToWords(chars, ...snapped), snapped);
    }),
  );
});

test("half of a surrogate pair never stands in a span", () => {
  fc.assert(
    fc.property(anyText, fc.nat(), fc.nat(), (text, one, other) => {
      const chars = spans.codePoints(text);
      const [from, to] = [one % (text.length + 1), other % (text.length + 1)].sort((a, b) => a - b);
      const [start, end] = spans.fromUtf16(chars, from, to);
      const found = chars.slice(start, end).join("");
      assert.ok(found.isWellFormed());
      assert.ok(found.includes(text.slice(from, to)));
    }),
  );
});
