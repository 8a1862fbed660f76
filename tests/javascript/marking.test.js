// The selection that keys and fingers move, against the plainest model of it: two step numbers.
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { Selection } from "../../static/annotation/marking.js";
import { Words } from "../../static/annotation/segmentation.js";
import { codePoints } from "../../static/annotation/spans.js";
import { anyText } from "./texts.js";

const TEXT = "Its keeper, Ruth Amble, slept by day.";
const begin = (text, span = null, precise = false) => new Selection(new Words(codePoints(text), "en"), span, precise);
const shown = ({ words, span }) => words.chars.slice(...span).join("");

test("it begins at the first word, or covers the span it is given", () => {
  assert.equal(shown(begin(TEXT)), "Its");
  assert.equal(shown(begin(TEXT, [12, 22])), "Ruth Amble");
  assert.equal(shown(begin(TEXT, [14, 18])), "Ruth Amble");
});

test("it moves, extends and stops at the ends", () => {
  const selection = begin(TEXT);
  selection.moveTo(2, false);
  selection.moveTo(3, true);
  assert.equal(shown(selection), "Ruth Amble");
  selection.moveTo(-5, true);
  assert.equal(shown(selection), "Its keeper, Ruth");
  selection.moveTo(Infinity, false);
  assert.equal(shown(selection), "day");
});

test("either end can be taken hold of, and may cross the other", () => {
  const selection = begin(TEXT, [12, 22]);
  selection.hold("start");
  selection.moveTo(1, true);
  assert.equal(shown(selection), "keeper, Ruth Amble");
  selection.hold("end");
  selection.moveTo(0, true);
  assert.equal(shown(selection), "Its keeper");
});

test("another word is taken in, one that is in changes nothing", () => {
  const selection = begin(TEXT, [12, 16]);
  selection.include(4);
  selection.include(3);
  assert.equal(shown(selection), "Ruth Amble, slept");
  selection.include(1);
  assert.equal(shown(selection), "keeper, Ruth Amble, slept");
});

test("by characters an edge may stand inside a word; back at words it is widened", () => {
  const selection = begin("it is 3.5km long", [6, 11]);
  selection.setPrecise(true);
  assert.equal(shown(selection), "3.5km");
  selection.moveTo(selection.focus - 2, true);
  assert.equal(shown(selection), "3.5");
  selection.setPrecise(false);
  assert.equal(shown(selection), "3.5km");
});

test("whatever is pressed, the selection is a span that its words allow, and loses no word by itself", () => {
  const act = fc.oneof(
    fc.tuple(fc.constant("moveTo"), fc.integer({ min: -3, max: 20 }), fc.boolean()),
    fc.tuple(fc.constant("include"), fc.nat({ max: 20 })),
    fc.tuple(fc.constant("hold"), fc.constantFrom("start", "end")),
    fc.tuple(fc.constant("setPrecise"), fc.boolean()),
  );
  fc.assert(
    fc.property(anyText, fc.array(act, { maxLength: 10 }), (text, acts) => {
      const selection = begin(text);
      if (selection.isEmpty) return;
      for (const [name, ...values] of acts) {
        if (name === "include") values[0] = Math.min(values[0], selection.steps.length - 1);
        const [from, to] = selection.span;
        selection[name](...values);
        const [start, end] = selection.span;
        assert.deepEqual(selection.words.snap([start, end], selection.precise), [start, end]);
        if (name === "moveTo") continue;
        const touched = selection.words.steps().filter((word) => word[0] < to && word[1] > from);
        assert.ok(touched.every((word) => start < word[1] && word[0] < end));
      }
    }),
  );
});
