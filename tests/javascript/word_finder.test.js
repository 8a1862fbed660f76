// Going to a word by its first letters.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import fc from "fast-check";

import { Words } from "../../static/annotation/segmentation.js";
import { codePoints } from "../../static/annotation/spans.js";
import { WordFinder } from "../../static/annotation/word_finder.js";
import { anyText } from "./texts.js";

const WORDS = "The lamp of the east pier was lit by Éva Lind until 1931".split(" ");

/** The words that are gone through as `keys` are typed, each a pause of `pauseMs` after the last. */
function typed(keys, pauseMs = 100, from = 0) {
  const finder = new WordFinder();
  return [...keys].map((key, turn) => (from = finder.find(key, turn * pauseMs, WORDS, from) ?? from)).map((at) => WORDS[at]);
}

test("letters in a row narrow the word down, whatever their case", () => {
  assert.deepEqual(typed("pi"), ["pier", "pier"]);
  assert.deepEqual(typed("LI"), ["lamp", "lit"]);
  assert.deepEqual(typed("lin"), ["lamp", "lit", "Lind"]);
});

test("the same letter again goes on, and from the last to the first", () => {
  assert.deepEqual(typed("lll"), ["lamp", "lit", "Lind"]);
  assert.deepEqual(typed("llll").at(-1), "lamp");
});

test("after a pause another word is meant", () => {
  assert.deepEqual(typed("li", 2000), ["lamp", "lamp"]);
  assert.deepEqual(typed("lu", 2000), ["lamp", "until"]);
});

/** By word, the least presses of letters and arrows (Home and End too) that lead there from the first word. */
function pressesTo(words) {
  const presses = words.map((_word, index) => Math.min(index, words.length - index)); // Right; End, then Left
  const landings = [];
  for (const [from, before] of [[0, 0], [words.length - 1, 1]]) {
    for (const word of words) {
      const finder = new WordFinder();
      let [place, typed] = [from, before];
      for (const letter of word) {
        place = finder.find(letter, 0, words, place) ?? place;
        landings.push([place, (typed += 1)]);
      }
    }
  }
  return presses.map((least, index) => Math.min(least, ...landings.map(([place, typed]) => typed + Math.abs(place - index))));
}

test("any three words of a usual paragraph are marked and sent with 12 presses at most", () => {
  const text = readFileSync(new URL("../browser/harbour.txt", import.meta.url), "utf8");
  const words = new Words(codePoints(text), "en");
  const presses = pressesTo(words.steps().map((step) => words.chars.slice(...step).join("")));
  // F2; to the first of the three or to the last; twice Shift and an arrow; Enter; Ctrl and Enter.
  const wholes = presses.slice(2).map((last, first) => 1 + Math.min(presses[first], last) + 2 + 1 + 1);
  assert.ok(wholes.length > 100);
  assert.ok(Math.max(...wholes) <= 12, `${Math.max(...wholes)}`);
});

test("a letter with an accent is found with and without it", () => {
  assert.deepEqual(typed("év"), ["Éva", "Éva"]);
  assert.deepEqual(typed("ev"), ["east", "Éva"]);
});

test("what no word begins with leads nowhere", () => {
  assert.deepEqual(typed("xq!"), ["The", "The", "The"]);
});

const bare = (word) => word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

test("a word of any text is found by all of its characters, at itself or at one that begins like it", () => {
  fc.assert(
    fc.property(anyText, fc.nat(), fc.nat(), (text, at, from) => {
      const words = new Words(codePoints(text), "th");
      const shown = words.steps().map((step) => words.chars.slice(...step).join(""));
      if (!shown.length) return;
      const wanted = shown[at % shown.length].toLowerCase();
      const finder = new WordFinder();
      let place = from % shown.length;
      for (const letter of codePoints(wanted)) place = finder.find(letter, 0, shown, place) ?? place;
      assert.ok(bare(shown[place]).startsWith(bare(wanted)), `${shown[place]} for ${wanted}`);
    }),
  );
});
