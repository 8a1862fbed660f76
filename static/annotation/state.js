/** The work itself, without a page: what the worker has typed and marked, what is still open, and what is sent. */

import { signalsFrom } from "./signals.js";
import { codePoints } from "./spans.js";

export const OPEN = "open";
export const NEEDS_ANSWER = "needs-answer";
export const DONE = "done";

/**
 * The page's data (annotation/services/work_page.py says what each is) and what the worker makes of it.
 *
 * @typedef {number | string} QuestionId a task question's, or one that the page made for a new question
 * @typedef {{start: number, end: number, text: string}} Answer in code points, `end` exclusive
 * @typedef {{id: QuestionId, text: string, answer: Answer | null, unanswerable: boolean, signals: Signals}} Question
 * @typedef {import("./signals.js").Signals} Signals what is counted on the question
 * @typedef {{
 *   id: QuestionId, text?: string, answer: Answer | null, unanswerable?: boolean, signals?: Partial<Signals>,
 * }} SentQuestion
 * @typedef {{
 *   id: number, active_seconds: number, blocked_actions: number, focus_losses?: number, questions: SentQuestion[],
 * }} SentParagraph
 * @typedef {{paragraphs: SentParagraph[]}} Content
 * @typedef {{
 *   id: number, title: string, text: string, questions: {id: QuestionId, text: string}[], asked_before: number[],
 * }} HeldParagraph
 * @typedef {{
 *   kind: "write" | "answer", token: string | null, endpoints: {draft: string, finish: string, notes: string} | null,
 *   version: number, submit: {url: string, assignment_id: string} | null,
 *   project: {
 *     language: string, direction: "ltr" | "rtl", copy_lock: boolean, min_questions: number, max_questions: number,
 *     question_chars: number, stopping_advice: string[],
 *   },
 *   pay: {
 *     reward_usd: string, paid_seconds: number, allowed_seconds: number, opened_at: string | null, server_now: string,
 *   },
 *   paragraphs: HeldParagraph[], draft: Content | null, hold: {left: number} | null, notes: Note[],
 *   finished: boolean,
 * }} PageData
 * @typedef {{
 *   id: number, is_new: boolean, written_at: string, title: string, text: string, question: string,
 *   answer: Answer | null, unanswerable: boolean, span: Answer | null, words: string,
 * }} Note
 * @typedef {{
 *   id: number, title: string, text: string, activeSeconds: number, blockedActions: number, focusLosses: number,
 *   questions: Question[], askedBefore: number[], activeId: QuestionId | undefined,
 * }} Paragraph
 * @typedef {"text" | "answer" | "activity"} Change
 * @typedef {{
 *   paragraph: Paragraph, question: Question, answer: Answer | null, unanswerable: boolean, place: number,
 * }} Undone
 */

/**
 * One assignment's work. `data` is the page's own (work-data); `draft` replaces the one in it, where the browser
 * holds a newer one. Calls `onChange(what)` after every change.
 */
export class Work {
  /**
   * @param {Pick<PageData, "kind" | "project" | "paragraphs" | "draft">} data
   * @param {{draft?: Content | null, newId?: () => string, onChange?: (what: Change) => void}} options
   */
  constructor(data, { draft = data.draft, newId = uuid, onChange = (_what) => {} } = {}) {
    this.writes = data.kind === "write";
    this.limits = data.project;
    this.newId = newId;
    this.onChange = onChange;
    this.current = 0;
    /** @type {Undone[]} what to go back to, the last act at the end */
    this.history = [];
    const saved = new Map((draft?.paragraphs ?? []).map((paragraph) => [paragraph.id, paragraph]));
    this.paragraphs = data.paragraphs.map((held) => this.#restored(held, saved.get(held.id)));
  }

  /** The one that is shown. */
  get paragraph() {
    return this.paragraphs[this.current];
  }

  /** The question that the next mark goes to. */
  get active() {
    return this.paragraph.questions.find((question) => question.id === this.paragraph.activeId) ?? null;
  }

  /** @param {Question} question */
  activate(question) {
    this.paragraph.activeId = question.id;
  }

  /** @param {number} index */
  goTo(index) {
    this.current = Math.max(0, Math.min(index, this.paragraphs.length - 1));
  }

  /**
   * @param {Question} question
   * @param {string} text
   */
  setText(question, text) {
    question.text = text;
    this.onChange("text");
  }

  /**
   * @param {Question} question
   * @param {Answer} answer
   */
  setAnswer(question, answer) {
    this.#answer(question, answer, false);
  }

  /** @param {Question} question */
  clearAnswer(question) {
    this.#answer(question, null, false);
  }

  /** @param {Question} question */
  setUnanswerable(question) {
    this.#answer(question, null, true);
  }

  get canUndo() {
    return this.history.length > 0;
  }

  /**
   * Take back the last mark, clearing, "no answer" or removal of a question, and go to where that was. The question
   * it was about, or null where there is nothing to take back.
   */
  undo() {
    const last = this.history.pop();
    if (!last) return null;
    const { paragraph, question, answer, unanswerable, place } = last;
    if (!paragraph.questions.includes(question)) {
      const others = paragraph.questions.filter((one) => !isBlank(one)); // what its removal left behind
      others.splice(place, 0, question);
      paragraph.questions = others;
    }
    question.answer = answer;
    question.unanswerable = unanswerable;
    this.current = this.paragraphs.indexOf(paragraph);
    paragraph.activeId = question.id;
    this.onChange("answer");
    return question;
  }

  get canAdd() {
    return this.writes && this.paragraph.questions.length < this.limits.max_questions;
  }

  addQuestion() {
    const question = this.#blank();
    this.paragraph.questions.push(question);
    this.paragraph.activeId = question.id;
    return question;
  }

  /** @param {Question} question */
  removeQuestion(question) {
    const { questions } = this.paragraph;
    const index = questions.indexOf(question);
    if (!isBlank(question)) this.#remember(question, index);
    questions.splice(index, 1);
    if (!questions.length) questions.push(this.#blank());
    this.paragraph.activeId = questions[Math.min(index, questions.length - 1)].id;
    this.onChange("answer");
  }

  /** @param {number} seconds */
  countActivity(seconds) {
    this.paragraph.activeSeconds += seconds;
    if (this.active) this.active.signals.active_seconds += seconds;
    this.onChange("activity");
  }

  countFocusLoss() {
    this.paragraph.focusLosses += 1;
    this.onChange("activity");
  }

  countBlocked() {
    this.paragraph.blockedActions += 1;
    this.onChange("activity");
  }

  /** @param {Question} question */
  stateOf(question) {
    if (this.writes && !question.text.trim()) return OPEN;
    return question.answer || question.unanswerable ? DONE : this.writes ? NEEDS_ANSWER : OPEN;
  }

  /**
   * "done" where nothing is missing, "begun" where something is there, else "untouched".
   * @param {Paragraph} paragraph
   */
  progressOf(paragraph) {
    if (!this.#openIn(paragraph).length) return "done";
    const begun = paragraph.questions.some((one) => one.answer || one.unanswerable || (this.writes && one.text.trim()));
    return begun ? "begun" : "untouched";
  }

  /** What is missing before the work can be sent: `{index, question}`, where a null question means "too few". */
  get open() {
    return this.paragraphs.flatMap((paragraph, index) =>
      this.#openIn(paragraph).map((question) => ({ index, question })),
    );
  }

  /**
   * What is sent: the body of the API without its version.
   * @returns {Content}
   */
  get content() {
    return {
      paragraphs: this.paragraphs.map((paragraph) => ({
        id: paragraph.id,
        active_seconds: paragraph.activeSeconds,
        blocked_actions: paragraph.blockedActions,
        focus_losses: paragraph.focusLosses,
        questions: paragraph.questions
          .filter((question) => !this.writes || !isBlank(question))
          .map(({ id, text, answer, unanswerable, signals }) =>
            this.writes ? { id, text, answer, signals } : { id, answer, unanswerable, signals },
          ),
      })),
    };
  }

  /**
   * @param {Question} question
   * @param {Answer | null} answer
   * @param {boolean} unanswerable
   */
  #answer(question, answer, unanswerable) {
    this.#remember(question);
    question.answer = answer;
    question.unanswerable = unanswerable;
    this.onChange("answer");
  }

  /**
   * @param {Question} question
   * @param {number} place among the paragraph's questions
   */
  #remember(question, place = this.paragraph.questions.indexOf(question)) {
    const { answer, unanswerable } = question;
    this.history.push({ paragraph: this.paragraph, question, answer, unanswerable, place });
  }

  /**
   * @param {Paragraph} paragraph
   * @returns {(Question | null)[]}
   */
  #openIn(paragraph) {
    const asked = paragraph.questions.filter((question) => !this.writes || !isBlank(question));
    const open = asked.filter((question) => this.stateOf(question) !== DONE);
    const tooFew = this.writes && asked.length < this.limits.min_questions;
    return tooFew && !open.length ? [null] : open;
  }

  /** @returns {Question} */
  #blank() {
    return { id: this.newId(), text: "", answer: null, unanswerable: false, signals: signalsFrom() };
  }

  /**
   * @param {HeldParagraph} held
   * @param {SentParagraph | undefined} saved
   * @returns {Paragraph}
   */
  #restored(held, saved) {
    const chars = codePoints(held.text);
    const byId = new Map(
      (saved?.questions ?? []).map((question) => [
        question.id,
        {
          text: "",
          unanswerable: false,
          ...question,
          answer: fitting(question.answer, chars),
          signals: signalsFrom(question.signals),
        },
      ]),
    );
    const found = this.writes
      ? [...byId.values()]
      : held.questions.map((question) => ({ ...this.#blank(), ...byId.get(question.id), ...question }));
    const questions = found.length ? found : this.writes ? [this.#blank()] : [];
    const first = questions.find((question) => this.stateOf(question) !== DONE) ?? questions[0];
    return {
      id: held.id,
      title: held.title,
      text: held.text,
      activeSeconds: saved?.active_seconds ?? 0,
      blockedActions: saved?.blocked_actions ?? 0,
      focusLosses: saved?.focus_losses ?? 0,
      questions,
      askedBefore: held.asked_before,
      activeId: first?.id,
    };
  }
}

/** @param {Question} question */
function isBlank(question) {
  return !question.text.trim() && !question.answer;
}

/**
 * `answer` if it is the paragraph's own text at its place, else null.
 * @param {Answer | null} answer
 * @param {string[]} chars
 */
function fitting(answer, chars) {
  return answer && chars.slice(answer.start, answer.end).join("") === answer.text ? answer : null;
}

/** A random UUID (version 4). crypto.randomUUID would do, but browsers have it only on https pages. */
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
