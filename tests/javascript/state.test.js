// The work itself: what is open, what is sent, and what a draft brings back.
import assert from "node:assert/strict";
import { test } from "node:test";

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
