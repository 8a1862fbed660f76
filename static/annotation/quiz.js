/**
 * The page of a quiz: questions to judge and answers to mark, checked by the server, with a word on each item. What is
 * right is not in the page before the quiz is over.
 */

import { request } from "./api.js";
import { Autosave, Stored } from "./autosave.js";
import { AnsweringCard } from "./cards.js";
import { Clock } from "./clock.js";
import { Finish } from "./finish.js";
import { offerGuide } from "./guide.js";
import { button, data, enabled, maybePart, part, words } from "./page.js";
import { MarkingLine } from "./marking_line.js";
import { SavingLine } from "./saving.js";
import { JudgeCard } from "./judge_card.js";
import { duration, fill } from "./words.js";

/**
 * @typedef {{start: number, end: number, text: string}} Answer
 * @typedef {{id: number, text: string, shown: string, kind: "judge" | "mark", choice: string | null,
 *   answer: Answer | null, unanswerable: boolean}} Item
 * @typedef {{try: number, left: number, is_over: boolean, has_passed: boolean, right: number, total: number,
 *   needed: number, items: {is_right: boolean, words: string}[], submit?: {url: string, fields: Record<string, string>}}}
 *   Outcome
 * @typedef {{passage: string, tries: number, needed: number, outcome: Outcome | null,
 *   items: {id: number, kind: "judge" | "mark", text: string, shown: string}[],
 *   judgements: {code: string, words: string}[]}} Quiz
 */

// Sent in place of a span where the paragraph does not hold the answer.
const NONE = "(none)";

/** @type {Quiz} */
const quiz = /** @type {any} */ (data).quiz;
const copy = new Stored(`spanwright ${location.pathname}${location.search}`);
const kept = enabled ? copy.read() : null;
const isKeptNewer = kept?.version > data.version && Array.isArray(kept?.content?.answers);
const draft = isKeptNewer ? kept.content : data.draft;
/** @type {Item[]} */
const items = quiz.items.map((item, place) => restored(item, /** @type {any} */ (draft)?.answers?.[place] ?? null));
let active = items.find((item) => item.kind === "mark") ?? null;
let outcome = quiz.outcome;

/**
 * @param {Quiz["items"][number]} item
 * @param {any} saved
 * @returns {Item}
 */
function restored(item, saved) {
  const isSpan = saved !== null && typeof saved === "object";
  return {
    ...item,
    choice: item.kind === "judge" && !isSpan ? saved : null,
    answer: isSpan ? saved : null,
    unanswerable: saved === NONE,
  };
}

function content() {
  const answers = items.map((item) => (item.kind === "judge" ? item.choice : item.unanswerable ? NONE : item.answer));
  return /** @type {any} */ ({ answers });
}

const clock = new Clock();
const savingLine = new SavingLine({
  isSaved: Boolean(data.draft) && !isKeptNewer,
  keep: (version) => autosave.resume(version),
});
const autosave = new Autosave({
  send: (body, options) => request("PUT", data.endpoints?.draft ?? "", data.token ?? "", body, options),
  content,
  version: isKeptNewer ? kept.version : data.version,
  copy,
  onStatus: (status, reply) => savingLine.tell(status, reply),
});
const marking = new MarkingLine({
  enabled: enabled && !outcome?.is_over,
  number: () => active && active.id,
  mark: (answer) => active && mark(active, answer),
  clear: () => active && clear(active),
  start: (returnTo) => active && startMarking(active, returnTo),
  blocked: () => {},
});
const { passage } = marking;
const finish = new Finish({
  send: (body) =>
    request("POST", data.endpoints?.finish ?? "", data.token ?? "", { ...body, try: (outcome?.try ?? 0) + 1 }),
  autosave,
  content,
  on: {
    busy: showBusy,
    waiting: () => (part("notice").hidden = false),
    problems: (errors) => showOpen(/** @type {any} */ (errors).map((/** @type {any} */ error) => items[error.item])),
    conflict: (reply) => savingLine.showConflict(reply),
    refused: (reply) => savingLine.showRefused(reply),
    done: tell,
  },
});

const told = {
  activate,
  startMarking,
  clear,
  none: (/** @type {Item} */ item) => change(item, { answer: null, unanswerable: true }, words.none),
  choose: (/** @type {Item} */ item, /** @type {string} */ choice) => change(item, { choice }),
  text: () => {},
  remove: () => {},
  blocked: () => {},
  paused: () => {},
};
const cards = items.map((item) => {
  const options = { words, enabled: enabled && !outcome?.is_over, question: item, on: told };
  const template = /** @type {HTMLTemplateElement} */ (
    document.getElementById(item.kind === "judge" ? "judge-card" : "question-card")
  );
  return item.kind === "judge"
    ? new JudgeCard({ ...options, template, judgements: quiz.judgements })
    : new AnsweringCard(/** @type {any} */ ({ ...options, template, copyLock: data.project.copy_lock, longest: 0 }));
});

/**
 * @param {Item} item
 * @param {Answer} answer
 */
function mark(item, answer) {
  change(item, { answer, unanswerable: false });
  marking.sayMarked(answer);
}

/**
 * Change what is answered to `item`, and say so.
 * @param {Item} item
 * @param {Partial<Item>} changes
 * @param {string} [sentence]
 */
function change(item, changes, sentence = "") {
  Object.assign(item, changes);
  if (sentence) marking.say(fill(sentence, { number: item.id }));
  autosave.changed(true);
  refresh();
}

/** @param {Item} item */
function clear(item) {
  if (item.answer || item.unanswerable) change(item, { answer: null, unanswerable: false }, words.cleared);
}

/** @param {any} item */
function activate(item) {
  if (item.kind !== "mark" || active === item) return;
  active = item;
  refresh();
}

/**
 * @param {any} item
 * @param {HTMLElement} returnTo
 */
function startMarking(item, returnTo) {
  activate(item);
  passage.startMarking(item.answer, returnTo);
}

/** @param {Item} item */
function isOpen(item) {
  return item.kind === "judge" ? !item.choice : !item.answer && !item.unanswerable;
}

/** Bring what is on the page in step with what is answered. */
function refresh() {
  cards.forEach((card, place) => {
    const item = items[place];
    const state = isOpen(item) ? "open" : "done";
    card.update({ number: item.id, active: enabled && item === active, state, remarks: [] });
    showWord(card.element, place);
  });
  const marks = items.flatMap(({ id, answer }, place) =>
    answer ? [{ start: answer.start, end: answer.end, number: id, active: items[place] === active }] : [],
  );
  passage.show(quiz.passage, marks);
}

/**
 * What the last try says about one item, under its card.
 * @param {HTMLElement} card
 * @param {number} place
 */
function showWord(card, place) {
  const word = outcome?.items[place];
  if (!word) return;
  let line = card.querySelector(".verdict");
  if (!line) {
    line = document.createElement("p");
    line.className = "verdict";
    card.append(line);
  }
  const text = `${word.is_right ? words.item_right : words.item_wrong} ${word.words}`;
  card.dataset.verdict = word.is_right ? "right" : "wrong";
  if (line.textContent !== text) line.textContent = text;
}

// Checking

/** @param {boolean} busy */
function showBusy(busy) {
  part("work").classList.toggle("busy", busy);
  button("check").disabled = busy;
  part("columns").inert = busy;
  part("notice").hidden = true;
  savingLine.isSending = busy;
  savingLine.show();
}

/** @param {Item[]} open */
function showOpen(open) {
  part("open").hidden = !open.length;
  part("open-list").replaceChildren(
    ...open.map((item) => {
      const go = document.createElement("button");
      go.type = "button";
      go.className = "link";
      go.textContent = fill(words.item_open, { number: item.id });
      go.addEventListener("click", () => cards[item.id - 1].focus());
      const entry = document.createElement("li");
      entry.append(go);
      return entry;
    }),
  );
}

function check() {
  const open = items.filter(isOpen);
  showOpen(open);
  if (open.length) part("open").scrollIntoView({ block: "nearest" });
  else finish.start();
}

/** @param {Outcome} reply */
function tell(reply) {
  showBusy(false);
  outcome = reply;
  if (!reply.is_over) autosave.resume();
  showOutcome();
  refresh();
  part("outcome").focus();
  part("outcome").scrollIntoView({ block: "nearest" });
}

function showOutcome() {
  if (!outcome) return;
  const values = { ...outcome, right: outcome.right };
  const kind = outcome.has_passed ? "passed" : outcome.is_over ? "failed" : "again";
  part("outcome").hidden = false;
  part("outcome").dataset.kind = kind;
  part("outcome-title").textContent = words[`quiz_${kind}`];
  part("outcome-text").textContent = fill(words[`quiz_${kind}_text`], values);
  if (!outcome.is_over) return;
  copy.clear();
  button("check").hidden = true;
  for (const control of part("questions").querySelectorAll("button, input")) control.toggleAttribute("disabled", true);
  const form = /** @type {HTMLFormElement} */ (document.querySelector(".submit-form"));
  if (outcome.submit) {
    form.action = outcome.submit.url;
    for (const [name, value] of Object.entries(outcome.submit.fields)) {
      /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value = value;
    }
  }
  part("over").hidden = false;
}

/** Whatever waits for its next try goes now. */
function tryNow() {
  autosave.wake();
  finish.wake();
}

// Begin

part("questions").lang = data.project.language;
part("pay").textContent = fill(words.pay, {
  reward: data.pay.reward_usd,
  time: duration(words, data.pay.paid_seconds),
});
part("task").textContent = fill(words.quiz_task, { needed: quiz.needed, total: items.length, tries: quiz.tries });
maybePart("check")?.addEventListener("click", check);
offerGuide({ isOver: () => part("work").hidden });
part("reload").addEventListener("click", () => {
  copy.clear();
  location.reload();
});
part("questions").replaceChildren(...cards.map((card) => card.element));
marking.sayHowToMark();
refresh();
showOutcome();
clock.showTimeLeft();
savingLine.show();
part("work").hidden = false;
if (enabled && !outcome?.is_over) {
  addEventListener("online", tryNow);
  part("try-now").addEventListener("click", tryNow);
  for (const type of ["beforeunload", "pagehide"]) addEventListener(type, () => autosave.leave());
  setInterval(() => {
    savingLine.show();
    clock.showTimeLeft();
  }, 1000);
  if (isKeptNewer) autosave.changed(true);
}
