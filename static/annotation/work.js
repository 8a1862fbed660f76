/** The worker's page: wires the work, the paragraph, the questions, saving and sending together. */

import { request } from "./api.js";
import { Autosave, Stored } from "./autosave.js";
import { AnsweringCard, WritingCard } from "./cards.js";
import { Clock } from "./clock.js";
import { Finish } from "./finish.js";
import { offerGuide } from "./guide.js";
import { showNotes } from "./notes.js";
import { OpenList } from "./open_list.js";
import { button, data, enabled, maybePart, part, words, writes } from "./page.js";
import { PaceLine } from "./pace_line.js";
import { MarkingLine } from "./marking_line.js";
import { copy, lastGo, restore } from "./restore.js";
import { SavingLine } from "./saving.js";
import { Remarks } from "./remarks.js";
import { Shortcuts, takesText } from "./shortcuts.js";
import { fill } from "./words.js";

/** @typedef {import("./state.js").Question} Question */

// Time at work is saved along with changes, and by itself this often.
const ACTIVITY_SECONDS = 30;

const { work, version, unsaved } = await restore((what) => changed(what));
/** @type {(WritingCard | AnsweringCard)[]} */
let cards = [];
const remarks = new Remarks(work);

const clock = new Clock();
const paceLine = new PaceLine(work, clock);
const openList = new OpenList(work, goToQuestion, () => remarks.stopping);
const savingLine = new SavingLine({
  isSaved: Boolean(data.draft) && version === data.version,
  keep: (newest) => autosave.resume(newest),
});
const autosave = new Autosave({
  send: (body, options) => {
    lastGo.write(data.token); // from its first draft on, the next go begins from this one
    return request("PUT", data.endpoints?.draft ?? "", data.token ?? "", body, options);
  },
  content: () => work.content,
  version,
  copy,
  onStatus: (status, reply) => savingLine.tell(status, reply),
});
const marking = new MarkingLine({
  enabled,
  number: () => work.active && numberOf(work.active),
  mark: (answer) => mark(answer),
  clear: () => work.active && clear(work.active),
  start: (returnTo) => work.active && startMarking(work.active, returnTo),
  blocked: () => enabled && work.countBlocked(),
});
const { passage } = marking;
const finish = new Finish({
  send: (body) => request("POST", data.endpoints?.finish ?? "", data.token ?? "", body),
  autosave,
  content: () => work.content,
  on: {
    busy: showBusy,
    waiting: () => (part("notice").hidden = false),
    problems: (errors) => openList.showProblems(errors),
    conflict: (reply) => savingLine.showConflict(reply),
    refused: (reply) => savingLine.showRefused(reply),
    done: leaveForGood,
  },
});

// Changes

let unsavedActivity = 0;

/** @param {import("./state.js").Change} what */
function changed(what) {
  if (what === "activity") {
    unsavedActivity += 1;
    if (unsavedActivity < ACTIVITY_SECONDS) return;
  }
  unsavedActivity = 0;
  autosave.changed(what === "answer");
  if (what !== "activity") refresh();
}

/** @param {import("./state.js").Answer} answer */
function mark(answer) {
  const question = work.active;
  if (!question) return;
  work.setAnswer(question, answer);
  marking.sayMarked(answer);
}

function undo() {
  const { current } = work;
  const question = work.undo();
  if (!question) return;
  if (work.current === current) {
    buildCards();
    refresh();
  } else {
    showParagraph();
  }
  const sentence = question.answer ? words.undone : question.unanswerable ? words.undone_none : words.undone_open;
  marking.say(fill(sentence, { number: numberOf(question), text: question.answer?.text }));
}

/** @param {Question} question */
function clear(question) {
  if (!question.answer && !question.unanswerable) return;
  work.clearAnswer(question);
  marking.say(fill(words.cleared, { number: numberOf(question) }));
}

/** @param {Question} question */
function activate(question) {
  if (work.active === question) return;
  work.activate(question);
  refresh();
}

/**
 * @param {Question} question
 * @param {HTMLElement} returnTo
 */
function startMarking(question, returnTo) {
  activate(question);
  passage.startMarking(question.answer, returnTo);
}

/** @param {Question} question */
function numberOf(question) {
  return work.paragraph.questions.indexOf(question) + 1;
}

// What is shown

/** Show another paragraph: everything anew. */
function showParagraph({ focus = false } = {}) {
  const { paragraph } = work;
  part("title").textContent = paragraph.title;
  part("position").textContent = fill(words.paragraph_of, {
    number: work.current + 1,
    count: work.paragraphs.length,
  });
  maybePart("reminder")?.classList.remove("brief");
  marking.sayHowToMark();
  buildCards();
  refresh();
  if (focus) part("place").focus();
}

function buildCards() {
  const options = {
    template: /** @type {HTMLTemplateElement} */ (document.getElementById("question-card")),
    words,
    enabled,
    copyLock: data.project.copy_lock,
    longest: data.project.question_chars,
    on: {
      activate,
      startMarking,
      clear,
      text: (/** @type {Question} */ question, /** @type {string} */ text) => work.setText(question, text),
      none: (/** @type {Question} */ question) => {
        work.setUnanswerable(question);
        marking.say(fill(words.none, { number: numberOf(question) }));
      },
      remove: (/** @type {Question} */ question) => remove(question),
      blocked: () => {
        work.countBlocked();
        refresh();
      },
      paused: refreshCards,
    },
  };
  const Card = writes ? WritingCard : AnsweringCard;
  cards = work.paragraph.questions.map((question) => new Card({ ...options, question }));
  part("questions").replaceChildren(...cards.map((card) => card.element));
}

/** @param {Question} question */
function remove(question) {
  const number = numberOf(question);
  work.removeQuestion(question);
  buildCards();
  refresh();
  cards[Math.min(number, cards.length) - 1].focus();
}

function add() {
  work.addQuestion();
  buildCards();
  refresh();
  cards.at(-1)?.focus();
}

/** Bring what is on the page in step with the work, without touching what has the focus. */
function refresh() {
  refreshCards();
  const { questions } = work.paragraph;
  const marks = questions.flatMap((question, index) => {
    const { answer } = question;
    if (!answer) return [];
    return [{ start: answer.start, end: answer.end, number: index + 1, active: question === work.active }];
  });
  passage.show(work.paragraph.text, marks);
  showDots();
  button("undo").disabled = !enabled || !work.canUndo;
  maybePart("add")?.toggleAttribute("disabled", !enabled || !work.canAdd);
  button("back").disabled = work.current === 0;
  part("next").hidden = work.current === work.paragraphs.length - 1;
  maybePart("submit")?.toggleAttribute("hidden", !part("next").hidden);
  maybePart("next-open")?.toggleAttribute("disabled", !work.open.length);
  openList.refresh();
  paceLine.show();
}

/** The cards alone: the paragraph, and what may be selected in it, stay untouched. */
function refreshCards() {
  const found = remarks.on(work.paragraph);
  cards.forEach((card, index) =>
    card.update({
      number: index + 1,
      active: enabled && card.question === work.active,
      state: work.stateOf(card.question),
      remarks: (found[index] ?? []).map(({ sentence }) => sentence),
    }),
  );
}

function showDots() {
  const dots = [...part("dots").querySelectorAll("button")];
  dots.forEach((dot, index) => {
    const progress = work.progressOf(work.paragraphs[index]);
    dot.dataset.progress = progress;
    dot.setAttribute("aria-label", fill(words[`dot_${progress}`], { number: index + 1 }));
    if (index === work.current) dot.setAttribute("aria-current", "step");
    else dot.removeAttribute("aria-current");
  });
}

function buildDots() {
  const dots = work.paragraphs.map((_paragraph, index) => {
    const dot = document.createElement("button");
    dot.type = "button";
    dot.addEventListener("click", () => goTo(index));
    return dot;
  });
  part("dots").replaceChildren(...dots);
  part("dots").hidden = dots.length < 2;
}

/** @param {number} index */
function goTo(index) {
  work.goTo(index);
  showParagraph({ focus: true });
  if (autosave.dirty) autosave.changed(true);
}

/**
 * @param {number} index the paragraph's
 * @param {Question | null} question
 */
function goToQuestion(index, question) {
  if (index !== work.current) {
    work.goTo(index);
    showParagraph();
  }
  if (question) activate(question);
  (cards.find((card) => card.question === question) ?? cards[0])?.focus();
}

function goToNextOpen() {
  const { open } = work;
  const after = open.find(({ index, question }) => index > work.current || isAfterActive(index, question));
  const next = after ?? open[0];
  if (next) goToQuestion(next.index, next.question);
  else marking.say(words.all_answered);
}

/**
 * @param {number} index the paragraph's
 * @param {Question | null} question
 */
function isAfterActive(index, question) {
  const { active, paragraph } = work;
  if (index !== work.current || !question || !active) return false;
  return paragraph.questions.indexOf(question) > paragraph.questions.indexOf(active);
}

// Sending

function submit() {
  if (openList.show()) finish.start();
  else part("open").scrollIntoView({ block: "nearest" });
}

/** @param {boolean} busy */
function showBusy(busy) {
  part("work").classList.toggle("busy", busy);
  button("submit").disabled = busy;
  part("notice").hidden = true;
  part("columns").inert = busy;
  savingLine.isSending = busy;
  if (busy) savingLine.show();
}

/** @param {{submit: {url: string, fields: Record<string, string>}}} reply */
function leaveForGood({ submit: { url, fields } }) {
  copy.clear();
  lastGo.clear();
  const form = /** @type {HTMLFormElement} */ (document.querySelector(".submit-form"));
  form.action = url;
  for (const [name, value] of Object.entries(fields)) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement) field.value = value;
  }
  part("sent").hidden = false;
  part("work").hidden = true;
  form.submit();
}

// Begin

function tick() {
  if (clock.isActive) work.countActivity(1);
  savingLine.show();
  clock.showTimeLeft();
  paceLine.show();
}

/** Whatever waits for its next try goes now. */
function tryNow() {
  autosave.wake();
  finish.wake();
}

function watch() {
  addEventListener("blur", () => work.countFocusLoss());
  addEventListener("online", tryNow);
  part("try-now").addEventListener("click", tryNow);
  for (const type of ["beforeunload", "pagehide"]) addEventListener(type, () => autosave.leave());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") autosave.leave();
  });
  part("questions").addEventListener("input", () => maybePart("reminder")?.classList.add("brief"));
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Enter") (part("next").hidden ? part("submit") : part("next")).click();
    else if (event.key.toLowerCase() === "z" && !takesText(event.target)) undo();
    else return;
    event.preventDefault();
  });
  const letterKeys = /** @type {HTMLInputElement} */ (part("letter-keys"));
  new Shortcuts(letterKeys, new Stored("spanwright letter keys")).on("n", goToNextOpen);
}

part("questions").lang = data.project.language;
if (writes) part("add").textContent = fill(words.add, { most: data.project.max_questions });
part("back").addEventListener("click", () => goTo(work.current - 1));
part("next").addEventListener("click", () => goTo(work.current + 1));
maybePart("add")?.addEventListener("click", add);
maybePart("submit")?.addEventListener("click", submit);
maybePart("next-open")?.addEventListener("click", goToNextOpen);
part("undo").addEventListener("click", undo);
offerGuide({ isOver: () => part("work").hidden });
part("reload").addEventListener("click", () => {
  copy.clear();
  location.reload();
});

buildDots();
showParagraph();
clock.showTimeLeft();
savingLine.show();
if (data.hold) {
  part("hold").textContent = fill(data.hold.left ? words.hold_left : words.hold_last, data.hold);
  part("hold").hidden = false;
}
part("work").hidden = false;
showNotes();
if (enabled) {
  watch();
  setInterval(tick, 1000);
  if (unsaved) autosave.changed(true);
}
