/** The worker's page: reads its data (annotation/services/work_page.py documents it) and wires the parts together. */

import { request } from "./api.js";
import { Autosave, CONFLICT, OFFLINE, REFUSED, SAVED, SAVING, Stored } from "./autosave.js";
import { AnsweringCard, WritingCard } from "./cards.js";
import { Finish } from "./finish.js";
import { Passage } from "./passage.js";
import { cleansToNothing, plainWords } from "./spans.js";
import { Work } from "./state.js";
import { duration, fill } from "./words.js";

// Seconds without a key, a click or a scroll after which a worker is taken to be away.
const IDLE_SECONDS = 60;
// Time at work is saved along with changes, and by itself this often.
const ACTIVITY_SECONDS = 30;

const data = JSON.parse(document.getElementById("work-data").textContent);
const words = JSON.parse(document.getElementById("work-words").textContent);
const part = (name) => document.querySelector(`[data-part="${name}"]`);
const enabled = Boolean(data.token);
const writes = data.kind === "write";

const howToMark = matchMedia("(pointer: coarse)").matches ? words.how_to_touch : words.how_to_mark;

const copy = new Stored(`spanwright ${location.pathname}${location.search}`);
// The token of this worker's last go at this task: the proof that what was typed in it is theirs to read.
const lastGo = new Stored(
  `spanwright last go ${data.submit?.url} ${new URLSearchParams(location.search).get("workerId")} ${data.paragraphs[0]?.id}`,
);
const { work, version, unsaved } = await restore();
let cards = [];
let paragraphWords = [];
let openShown = false;

const autosave = new Autosave({
  send: (body, options) => {
    lastGo.write(data.token); // from its first draft on, the next go begins from this one
    return request("PUT", data.endpoints.draft, data.token, body, options);
  },
  content: () => work.content,
  version,
  copy,
  onStatus: showStatus,
});
const passage = new Passage({
  element: part("passage"),
  takeButton: part("take"),
  rightToLeft: data.project.direction === "rtl",
  copyLock: data.project.copy_lock,
  enabled,
  on: {
    mark: (answer) => mark(answer),
    clear: () => work.active && clear(work.active),
    start: () => work.active && startMarking(work.active, part("passage")),
    marking: (span) => showMarking(span),
    tapped: (span) => say(fill(words.tapped, { text: passage.textOf(span) })),
    refused: () => say(words.blank_selection),
    blocked: () => {
      say(words.copy_blocked);
      if (enabled) work.countBlocked();
    },
  },
});
const finish = new Finish({
  send: (body) => request("POST", data.endpoints.finish, data.token, body),
  autosave,
  content: () => work.content,
  on: {
    busy: showBusy,
    waiting: () => (part("notice").hidden = false),
    problems: showProblems,
    conflict: showConflict,
    refused: showRefused,
    done: leaveForGood,
  },
});

/**
 * The work as it was left: the newest of the draft in the page, the browser's own copy, and the server's; where this
 * assignment has none of them, what was typed before the HIT was returned. `unsaved` where it is not this
 * assignment's draft on the server yet.
 */
async function restore() {
  const options = { onChange: (what) => changed(what) };
  const newer = enabled ? (copy.read() ?? (copy.works ? null : await draftOf(data.token))) : null;
  if (newer?.version > data.version) {
    try {
      return { work: new Work(data, { ...options, draft: newer.content }), version: newer.version, unsaved: true };
    } catch {
      copy.clear(); // not a copy that we wrote
    }
  }
  const token = enabled && !data.version ? lastGo.read() : null;
  const earlier = token ? await draftOf(token) : null;
  if (earlier?.version) return { work: new Work(data, { ...options, draft: earlier.content }), version: 0, unsaved: true };
  return { work: new Work(data, options), version: data.version, unsaved: false };
}

/**
 * The server's draft as it is now, for the assignment of `token`. What the page before this one sent as its last act may have arrived after this
 * one was rendered; without storage in the frame there is no other trace of it.
 */
async function draftOf(token) {
  const outcome = await request("GET", data.endpoints.draft, token, undefined).catch(() => null);
  return outcome?.status === 200 ? { version: outcome.reply.version, content: outcome.reply } : null;
}

// Changes

let unsavedActivity = 0;

function changed(what) {
  if (what === "activity") {
    unsavedActivity += 1;
    if (unsavedActivity < ACTIVITY_SECONDS) return;
  }
  unsavedActivity = 0;
  autosave.changed(what === "answer");
  if (what !== "activity") refresh();
}

function mark(answer) {
  const question = work.active;
  if (!question) return;
  work.setAnswer(question, answer);
  const remark = cleansToNothing(answer.text, data.project.language) ? ` ${words.cleans_to_nothing}` : "";
  say(fill(words.marked, { number: numberOf(question), ...answer }) + remark);
}

function clear(question) {
  if (!question.answer && !question.unanswerable) return;
  work.clearAnswer(question);
  say(fill(words.cleared, { number: numberOf(question) }));
}

function activate(question) {
  if (work.active === question) return;
  work.activate(question);
  refresh();
}

function startMarking(question, returnTo) {
  activate(question);
  passage.startMarking(question.answer, returnTo);
}

function numberOf(question) {
  return work.paragraph.questions.indexOf(question) + 1;
}

// What is shown

/** Show another paragraph: everything anew. */
function showParagraph({ focus = false } = {}) {
  const { paragraph } = work;
  paragraphWords = plainWords(paragraph.text);
  part("title").textContent = paragraph.title;
  part("position").textContent = fill(words.paragraph_of, {
    number: work.current + 1,
    count: work.paragraphs.length,
  });
  part("reminder")?.classList.remove("brief");
  say(howToMark);
  buildCards();
  refresh();
  if (focus) part("place").focus();
}

function buildCards() {
  const options = {
    template: document.getElementById("question-card"),
    words,
    enabled,
    copyLock: data.project.copy_lock,
    longest: data.project.question_chars,
    on: {
      activate,
      startMarking,
      clear,
      text: (question, text) => work.setText(question, text),
      none: (question) => {
        work.setUnanswerable(question);
        say(fill(words.none, { number: numberOf(question) }));
      },
      remove: (question) => remove(question),
      blocked: () => {
        work.countBlocked();
        refresh();
      },
    },
  };
  const Card = writes ? WritingCard : AnsweringCard;
  cards = work.paragraph.questions.map((question) => new Card({ ...options, question }));
  part("questions").replaceChildren(...cards.map((card) => card.element));
}

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
  cards.at(-1).focus();
}

/** Bring what is on the page in step with the work, without touching what has the focus. */
function refresh() {
  const { questions } = work.paragraph;
  cards.forEach((card, index) =>
    card.update({
      number: index + 1,
      active: enabled && card.question === work.active,
      state: work.stateOf(card.question),
      paragraphWords,
      copiedWords: data.project.copied_words,
    }),
  );
  const marks = questions.flatMap(({ answer }, index) =>
    answer ? [{ start: answer.start, end: answer.end, number: index + 1, active: questions[index] === work.active }] : [],
  );
  passage.show(work.paragraph.text, marks);
  showDots();
  if (part("add")) part("add").disabled = !enabled || !work.canAdd;
  part("back").disabled = work.current === 0;
  part("next").hidden = work.current === work.paragraphs.length - 1;
  if (part("submit")) part("submit").hidden = !part("next").hidden;
  if (part("next-open")) part("next-open").disabled = !work.open.length;
  if (openShown) showOpen();
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

function goTo(index) {
  work.goTo(index);
  showParagraph({ focus: true });
  if (autosave.dirty) autosave.changed(true);
}

function goToQuestion(index, question) {
  if (index !== work.current) {
    work.goTo(index);
    showParagraph();
  }
  if (question) activate(question);
  (cards.find((card) => card.question === question) ?? cards[0])?.focus();
}

// The line under the paragraph, read out by screen readers too.
function say(text) {
  part("said").textContent = text;
}

function showMarking(span) {
  part("passage").classList.toggle("marking", Boolean(span));
  if (!span) {
    say(howToMark);
    return;
  }
  const number = numberOf(work.active);
  say(fill(words.marking, { number, text: passage.textOf(span), start: span[0], end: span[1] }));
}

// Sending

/** The open items on one list, each a way to its place. True where there are none. */
function showOpen(errors = null) {
  const items = errors ?? work.open.map(({ index, question }) => ({ index, question, message: openMessage(question) }));
  part("open").hidden = !items.length;
  part("open-list").replaceChildren(
    ...items.map(({ index, question, message }) => {
      const go = document.createElement("button");
      go.type = "button";
      go.className = "link";
      const number = question ? work.paragraphs[index].questions.indexOf(question) + 1 : 0;
      go.textContent = fill(number ? words.open_question : words.open_paragraph, {
        paragraph: index + 1,
        question: number,
        what: message,
      });
      go.addEventListener("click", () => goToQuestion(index, question));
      const item = document.createElement("li");
      item.append(go);
      return item;
    }),
  );
  openShown = Boolean(items.length) && !errors;
  return !items.length;
}

function openMessage(question) {
  if (!question) return words.too_few;
  if (!writes) return words.open_answer;
  return question.text.trim() ? words.needs_answer : words.type_question;
}

function submit() {
  if (showOpen()) finish.start();
  else part("open").scrollIntoView({ block: "nearest" });
}

function showProblems(errors) {
  const items = errors.map((error) => {
    const index = work.paragraphs.findIndex((paragraph) => paragraph.id === error.paragraph);
    const question = work.paragraphs[index]?.questions.find((one) => one.id === error.question) ?? null;
    return { index, question, message: error.message };
  });
  showOpen(items.filter((item) => item.index >= 0));
}

function showBusy(busy) {
  part("work").classList.toggle("busy", busy);
  part("submit").disabled = busy;
  part("notice").hidden = true;
  part("columns").inert = busy;
  if (busy) part("saved").textContent = words.sending;
}

function leaveForGood({ submit: { url, fields } }) {
  copy.clear();
  lastGo.clear();
  const form = document.querySelector(".submit-form");
  form.action = url;
  for (const [name, value] of Object.entries(fields)) form.elements.namedItem(name).value = value;
  part("sent").hidden = false;
  part("work").hidden = true;
  form.submit();
}

// Saving

let savedAt = data.draft && version === data.version ? 0 : null;
let status = savedAt === null ? null : SAVED;

function showStatus(now, reply) {
  status = now;
  if (now === SAVED) savedAt = performance.now();
  part("notice").hidden = now !== OFFLINE;
  if (now === CONFLICT && reply.code === "stale") showConflict(reply);
  else if (now === CONFLICT || now === REFUSED) showRefused(reply);
  showSaved();
}

function showSaved() {
  if (part("work").classList.contains("busy")) return;
  const since = savedAt ? (performance.now() - savedAt) / 1000 : 0;
  const line = {
    [SAVED]: since < 2 ? words.saved : fill(words.saved_ago, { ago: duration(words, since) }),
    [SAVING]: words.saving,
    [OFFLINE]: words.not_saved,
    [CONFLICT]: words.not_saved,
    [REFUSED]: words.not_saved,
  }[status];
  part("saved").textContent = line ?? "";
  part("saved").dataset.status = status ?? "";
}

function showConflict(reply) {
  part("conflict").hidden = false;
  part("keep").onclick = () => {
    part("conflict").hidden = true;
    autosave.resume(reply.version);
  };
}

function showRefused(reply) {
  part("refused").hidden = false;
  part("refused-text").textContent = reply.detail ?? words.refused;
}

// Time

const startedAt = performance.now();
let lastActive = performance.now();

function tick() {
  const now = performance.now();
  if (enabled && document.visibilityState === "visible" && now - lastActive < IDLE_SECONDS * 1000) {
    work.countActivity(1);
  }
  showSaved();
  showTimeLeft();
}

/** An estimate: when the worker accepted is not known here, only when the page was first loaded. */
function showTimeLeft() {
  if (!data.pay.opened_at) return;
  const before = Date.parse(data.pay.server_now) - Date.parse(data.pay.opened_at);
  const left = data.pay.allowed_seconds - (before + performance.now() - startedAt) / 1000;
  part("time-left").textContent = left > 0 ? fill(words.left, { time: duration(words, left) }) : words.time_is_up;
  part("time-left").classList.toggle("short", left < 120);
}

function watch() {
  for (const type of ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "touchstart"]) {
    document.addEventListener(type, () => (lastActive = performance.now()), { passive: true, capture: true });
  }
  addEventListener("online", () => autosave.wake());
  for (const type of ["beforeunload", "pagehide"]) addEventListener(type, () => autosave.leave());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") autosave.leave();
  });
  part("questions").addEventListener("input", () => part("reminder")?.classList.add("brief"));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    (part("next").hidden ? part("submit") : part("next")).click();
  });
}

// Begin

function openGuide() {
  part("guide").showModal();
  document.getElementById("guide-title").focus(); // the dialog itself would begin at its button, far below
}

part("passage").lang = data.project.language;
part("passage").dir = data.project.direction;
part("questions").lang = data.project.language;
part("pay").textContent = fill(words.pay, {
  reward: data.pay.reward_usd,
  time: duration(words, data.pay.paid_seconds),
});
if (part("add")) part("add").textContent = fill(words.add, { most: data.project.max_questions });
part("back").addEventListener("click", () => goTo(work.current - 1));
part("next").addEventListener("click", () => goTo(work.current + 1));
part("add")?.addEventListener("click", add);
part("submit")?.addEventListener("click", submit);
part("next-open")?.addEventListener("click", () => {
  const open = work.open;
  const after = open.find(({ index, question }) => index > work.current || isAfterActive(index, question));
  const { index, question } = after ?? open[0];
  goToQuestion(index, question);
});
part("open-guide").addEventListener("click", openGuide);
part("close-guide").addEventListener("click", () => part("guide").close());
part("reload").addEventListener("click", () => {
  copy.clear();
  location.reload();
});

function isAfterActive(index, question) {
  const { questions } = work.paragraph;
  return index === work.current && questions.indexOf(question) > questions.indexOf(work.active);
}

buildDots();
showParagraph();
showTimeLeft();
showSaved();
part("work").hidden = false;
if (enabled) {
  watch();
  setInterval(tick, 1000);
  if (unsaved) autosave.changed(true);
}
