// What is counted while a question is typed.
import assert from "node:assert/strict";
import { test } from "node:test";

import { signalsFrom, TypingCounter } from "../../static/annotation/signals.js";

function typed(counter, text, from = "") {
  for (let end = from.length + 1; end <= text.length; end += 1) {
    counter.key(text[end - 1]);
    counter.input(text.slice(0, end), false);
  }
}

test("typing counts its keys and nothing else", () => {
  const signals = signalsFrom();
  const counter = new TypingCounter(signals, "");
  counter.key("Shift");
  typed(counter, "Who?");
  counter.left("Who?");
  assert.deepEqual(signals, signalsFrom({ keys: 4 }));
});

test("what comes without keys is counted by its characters", () => {
  const signals = signalsFrom();
  const counter = new TypingCounter(signals, "");
  typed(counter, "Who");
  counter.input("Who rowed out?", false);
  assert.equal(signals.untyped_characters, 11);
  counter.key("v");
  counter.paste();
  counter.input("Who rowed out? And", false);
  assert.deepEqual(signals, signalsFrom({ keys: 4, pastes: 1, untyped_characters: 14 }));
});

test("input methods and screen keyboards type several characters at a time", () => {
  const signals = signalsFrom();
  const counter = new TypingCounter(signals, "");
  counter.key("Process");
  counter.input("灯塔在哪里", true);
  assert.equal(signals.untyped_characters, 0);
});

test("taking away is no insertion", () => {
  const signals = signalsFrom();
  const counter = new TypingCounter(signals, "Who rowed?");
  counter.input("", false);
  assert.equal(signals.untyped_characters, 0);
});

test("an edit is late once the question was left with text in it, and counts once each time", () => {
  const signals = signalsFrom();
  const counter = new TypingCounter(signals, "");
  counter.left("");
  typed(counter, "Who");
  counter.left("Who");
  assert.equal(signals.late_edits, 0);
  typed(counter, "Who?!", "Who");
  assert.equal(signals.late_edits, 1);
  counter.left("Who?!");
  counter.left("Who?!");
  typed(counter, "Who?!.", "Who?!");
  assert.equal(signals.late_edits, 2);
});
