// What is counted while a question is typed.
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

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

test("whatever is typed, taken away and put in, what came without a key each is all that no key accounts for", () => {
  const act = fc.oneof(
    fc.tuple(fc.constant("type"), fc.stringMatching(/^[a-z ]{1,6}$/)),
    fc.tuple(fc.constant("put in"), fc.stringMatching(/^[a-z ]{2,20}$/)),
    fc.tuple(fc.constant("compose"), fc.constantFrom("灯塔", "日本語", "é")),
    fc.tuple(fc.constant("take away"), fc.constant("")),
    fc.tuple(fc.constant("leave"), fc.constant("")),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 20 }), (acts) => {
      const signals = signalsFrom();
      const counter = new TypingCounter(signals, "");
      let [text, keys, untyped] = ["", 0, 0];
      for (const [name, what] of acts) {
        if (name === "type") typed(counter, text + what, text);
        else if (name !== "leave") counter.input(name === "take away" ? "" : text + what, name === "compose");
        else counter.left(text);
        if (name === "type") keys += what.length;
        if (name === "put in") untyped += what.length;
        text = name === "take away" ? "" : text + what;
      }
      assert.deepEqual([signals.keys, signals.untyped_characters, signals.pastes], [keys, untyped, 0]);
      assert.ok(signals.late_edits <= acts.filter(([name]) => name === "leave").length);
    }),
  );
});

test("counts go on from where a draft left them", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("keys", "pastes", "late_edits"), fc.nat(1000)), (saved) => {
      const signals = signalsFrom(saved);
      assert.deepEqual(signals, { ...signalsFrom(), ...saved });
      new TypingCounter(signals, "").key("a");
      assert.equal(signals.keys, (saved.keys ?? 0) + 1);
    }),
  );
});
