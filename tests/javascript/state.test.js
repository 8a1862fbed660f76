// The work itself: what is open, what is sent, and what a draft brings back.
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { signalsFrom } from "../../static/annotation/signals.js";
import { Work } from "../../static/annotation/state.js";

const TEXT = "The lamp of the east pier was lit by hand until 1931.";
const YEAR = { start: 48, end: 52, text: "1931" };

function pageData(kind, changed = {}) {
  const questions = kind === "answer" ? [{ id: 11, text: "Until when?" }, { id: 12, text: "By whom?" }] : [];
  return {
    kind,
    project: { min_questions: 1, max_questions: 3 },
    paragraphs: [1, 2].map((id) => ({ id, title: "East_Pier", text: TEXT, questions: id === 1 ? questions : [] })),
    draft: null,
    ...changed,
  };
}

function begin(kind, changed) {
  let ids = 0;
  return new Work(pageData(kind, changed), { newId: () => `new ${(ids += 1)}` });
}

test("a question without an answer is open; marked or said to have none it is not", () => {
  const work = begin("answer");
  const [first, second] = work.paragraph.questions;
  assert.deepEqual(work.open, [{ index: 0, question: first }, { index: 0, question: second }]);
  work.setAnswer(first, YEAR);
  work.setUnanswerable(second);
  assert.deepEqual(work.open, []);
  work.clearAnswer(second);
  assert.deepEqual(work.open, [{ index: 0, question: second }]);
});

test("a mark takes the place of no answer, and the other way round", () => {
  const work = begin("answer");
  const [question] = work.paragraph.questions;
  work.setUnanswerable(question);
  work.setAnswer(question, YEAR);
  assert.deepEqual([question.answer, question.unanswerable], [YEAR, false]);
  work.setUnanswerable(question);
  assert.deepEqual([question.answer, question.unanswerable], [null, true]);
});

test("each paragraph needs its least number of questions, and blank ones are not sent", () => {
  const work = begin("write");
  assert.deepEqual(work.open, [{ index: 0, question: null }, { index: 1, question: null }]);
  work.setText(work.active, "Until when?");
  assert.deepEqual(work.open[0], { index: 0, question: work.active });
  work.setAnswer(work.active, YEAR);
  work.addQuestion();
  assert.deepEqual(work.open, [{ index: 1, question: null }]);
  assert.deepEqual(work.content.paragraphs[0].questions, [
    { id: "new 1", text: "Until when?", answer: YEAR, signals: signalsFrom() },
  ]);
});

test("a draft brings everything back, but no answer that is not the paragraph's own text", () => {
  const written = begin("write");
  written.setText(written.active, "Until when?");
  written.setAnswer(written.active, YEAR);
  assert.deepEqual(begin("write", { draft: written.content }).content, written.content);
  const shifted = structuredClone(written.content);
  shifted.paragraphs[0].questions[0].answer.start += 1;
  assert.equal(begin("write", { draft: shifted }).active.answer, null);
});

test("the last question of a paragraph leaves a blank one behind", () => {
  const work = begin("write");
  work.setText(work.active, "Until when?");
  work.removeQuestion(work.active);
  assert.deepEqual(work.paragraph.questions.map(({ text }) => text), [""]);
});

test("seconds count for the paragraph and for the question that is active, and come back from a draft", () => {
  const work = begin("answer");
  const [first, second] = work.paragraph.questions;
  work.countActivity(2);
  work.activate(second);
  work.countActivity(3);
  work.countFocusLoss();
  const again = begin("answer", { draft: work.content });
  assert.deepEqual([again.paragraph.activeSeconds, again.paragraph.focusLosses], [5, 1]);
  assert.deepEqual(again.paragraph.questions.map(({ signals }) => signals.active_seconds), [2, 3]);
  assert.equal(first.signals.keys, 0);
});

const SPANS = [YEAR, { start: 0, end: 8, text: "The lamp" }, { start: 16, end: 25, text: "east pier" }];

/** An act on `work`, chosen by a name and two numbers. */
function perform(work, [name, one, other]) {
  const { questions } = work.paragraph;
  const question = questions[one % (questions.length || 1)];
  if (name === "go") work.goTo(one % 3);
  else if (name === "undo") work.undo();
  else if (name === "add") work.canAdd && work.addQuestion();
  else if (!question) return;
  else if (name === "type") work.setText(question, ["", "Until when?", "Who?"][other % 3]);
  else if (name === "mark") work.setAnswer(question, SPANS[other % SPANS.length]);
  else if (name === "none") work.writes || work.setUnanswerable(question);
  else if (name === "clear") work.clearAnswer(question);
  else if (name === "remove") work.writes && work.removeQuestion(question);
}

const acts = fc.array(
  fc.tuple(fc.constantFrom("go", "undo", "add", "type", "mark", "none", "clear", "remove"), fc.nat(9), fc.nat(9)),
  { maxLength: 25 },
);
const kinds = fc.constantFrom("write", "answer");

test("whatever is done, a draft brings it back, and is whole in itself", () => {
  fc.assert(
    fc.property(kinds, acts, (kind, done) => {
      const work = begin(kind);
      for (const act of done) perform(work, act);
      const { content } = work;
      assert.deepEqual(begin(kind, { draft: structuredClone(content) }).content, content);
      for (const { questions } of content.paragraphs) {
        assert.ok(questions.length <= 3);
        assert.equal(new Set(questions.map(({ id }) => id)).size, questions.length);
        for (const { answer, unanswerable } of questions) {
          assert.ok(!(answer && unanswerable));
          assert.ok(!answer || TEXT.slice(answer.start, answer.end) === answer.text);
        }
      }
    }),
  );
});

test("whatever is done, there is a question to mark for, and what is open is what is not done", () => {
  fc.assert(
    fc.property(kinds, acts, (kind, done) => {
      const work = begin(kind);
      for (const act of done) perform(work, act);
      assert.ok(!work.paragraph.questions.length || work.paragraph.questions.includes(work.active));
      const open = new Set(work.open.map(({ index }) => index));
      for (const [index, paragraph] of work.paragraphs.entries()) {
        assert.equal(work.progressOf(paragraph) === "done", !open.has(index));
      }
    }),
  );
});

test("undo takes back marks, clearings, refusals and removals one by one, down to nothing", () => {
  const undoable = acts.map((done) => done.filter(([name]) => ["mark", "none", "clear", "remove", "go"].includes(name)));
  fc.assert(
    fc.property(kinds, undoable, (kind, done) => {
      const work = begin(kind);
      const answers = () =>
        work.paragraphs.map(({ questions }) =>
          questions.filter((one) => one.answer || one.unanswerable).map(({ id, answer }) => [id, answer?.text ?? null]),
        );
      const seen = [answers()];
      for (const act of done) {
        const before = work.history.length;
        perform(work, act);
        if (work.history.length > before) seen.push(answers());
      }
      for (seen.pop(); work.canUndo; seen.pop()) {
        work.undo();
        assert.deepEqual(answers(), seen.at(-1));
      }
      assert.deepEqual(seen, []);
    }),
  );
});

test("every second and every loss of the window is counted once, wherever the worker was", () => {
  fc.assert(
    fc.property(kinds, fc.array(fc.tuple(fc.nat(2), fc.nat(3), fc.nat(60)), { maxLength: 12 }), (kind, moves) => {
      const work = begin(kind);
      let seconds = 0;
      for (const [paragraph, question, passed] of moves) {
        work.goTo(paragraph);
        const { questions } = work.paragraph;
        if (questions.length) work.activate(questions[question % questions.length]);
        work.countActivity(passed);
        work.countFocusLoss();
        seconds += passed;
      }
      const { paragraphs } = work.content;
      assert.equal(paragraphs.reduce((sum, one) => sum + one.active_seconds, 0), seconds);
      assert.equal(paragraphs.reduce((sum, one) => sum + one.focus_losses, 0), moves.length);
    }),
  );
});
