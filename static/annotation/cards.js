/** The questions beside the paragraph: a card each, kept in step with the work; what has the focus is never rebuilt. */

import { lockField } from "./copy_lock.js";
import { watchField } from "./signals.js";
import { DONE, NEEDS_ANSWER } from "./state.js";
import { Typing } from "./typing.js";
import { fill } from "./words.js";

/**
 * What cards are made of and whom they tell.
 *
 * @typedef {import("./state.js").Question} Question
 * @typedef {{
 *   activate: (question: Question) => void, startMarking: (question: Question, returnTo: HTMLElement) => void,
 *   clear: (question: Question) => void, text: (question: Question, text: string) => void,
 *   none: (question: Question) => void, remove: (question: Question) => void, blocked: () => void, paused: () => void,
 * }} Told
 * @typedef {{
 *   template: HTMLTemplateElement, question: Question, words: import("./words.js").Sentences, enabled: boolean,
 *   copyLock: boolean, longest: number, on: Told,
 * }} Options
 * @typedef {{number: number, active: boolean, state: string, remarks: string[]}} Shown
 */

class Card {
  /** @param {Options} options */
  constructor({ template, question, words, enabled, on }) {
    this.element = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
    this.question = question;
    this.words = words;
    this.on = on;
    this.number = 0;
    this.element.addEventListener("focusin", () => on.activate(question));
    this.element.addEventListener("pointerdown", () => on.activate(question));
    this.#button("mark", () => on.startMarking(question, this.find("mark")));
    this.#button("clear", () => on.clear(question));
    if (!enabled) {
      const controls = this.element.querySelectorAll("button, textarea, input");
      for (const control of controls) control.toggleAttribute("disabled", true);
    }
  }

  /** The sentence that asks for the answer. */
  get asking() {
    return "";
  }

  /**
   * @param {string} name
   * @returns {HTMLElement}
   */
  find(name) {
    return /** @type {HTMLElement} */ (this.element.querySelector(`[data-part="${name}"]`));
  }

  /**
   * @param {string} name
   * @param {() => void} act
   */
  #button(name, act) {
    this.find(name).addEventListener("click", act);
  }

  focus() {
    this.find("mark").focus();
  }

  /**
   * Show the question as it is now. `number` counts from 1; `active`: the next mark goes here.
   * @param {Shown} shown
   */
  update({ number, active, state }) {
    const { answer } = this.question;
    this.number = number;
    this.element.dataset.state = state;
    this.element.dataset.pattern = String(((number - 1) % 5) + 1);
    this.element.classList.toggle("active", active);
    this.find("number").textContent = String(number);
    this.find("answer").textContent = answer ? answer.text : "";
    this.find("mark").textContent = answer ? this.words.change : this.asking;
    this.find("clear").hidden = !answer;
    const label = answer ? this.words.change_label : this.words.mark_label;
    this.find("mark").setAttribute("aria-label", fill(label, { number }));
    this.find("clear").setAttribute("aria-label", fill(this.words.clear_label, { number }));
  }
}

export class WritingCard extends Card {
  /** @param {Options} options */
  constructor(options) {
    super(options);
    const { question, on, copyLock } = options;
    this.field = /** @type {HTMLTextAreaElement} */ (this.find("text"));
    this.field.value = question.text;
    this.field.maxLength = options.longest;
    this.said = "";
    this.typing = new Typing(on.paused);
    watchField(this.field, question.signals);
    this.field.addEventListener("input", () => {
      this.said = "";
      this.typing.noteKey();
      on.text(question, this.field.value);
    });
    this.field.addEventListener("blur", () => this.typing.end());
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey) return;
      event.preventDefault(); // a question is one line
    });
    this.find("remove").addEventListener("click", () => on.remove(question));
    if (copyLock) {
      lockField(this.field, (isFirst) => {
        if (isFirst) this.said = this.words.paste_blocked;
        on.blocked();
      });
    }
  }

  /** @override */
  get asking() {
    return this.words.mark_write;
  }

  /** @override */
  focus() {
    this.field.focus();
  }

  /**
   * @override
   * @param {Shown} shown
   */
  update(shown) {
    super.update(shown);
    const { number, state } = shown;
    this.field.setAttribute("aria-label", fill(this.words.question_label, { number }));
    this.find("remove").setAttribute("aria-label", fill(this.words.remove_label, { number }));
    const note = this.find("note");
    const [kind, text] = this.#note(shown.remarks, state);
    note.dataset.kind = kind;
    if (note.textContent !== text) note.textContent = text;
  }

  /**
   * @param {string[]} remarks
   * @param {string} state
   */
  #note(remarks, state) {
    if (this.said) return ["kind", this.said];
    if (remarks.length && !this.typing.isGoingOn) return ["warning", remarks.join(" ")];
    if (state === DONE) return ["done", this.words.done];
    return ["hint", state === NEEDS_ANSWER ? this.words.needs_answer : this.words.type_question];
  }
}

export class AnsweringCard extends Card {
  /** @param {Options} options */
  constructor(options) {
    super(options);
    const { question, on } = options;
    this.find("text").textContent = question.text;
    this.none = /** @type {HTMLInputElement} */ (this.find("none"));
    this.none.addEventListener("change", () => (this.none.checked ? on.none(question) : on.clear(question)));
  }

  /** @override */
  get asking() {
    return this.words.mark_answer;
  }

  /**
   * @override
   * @param {Shown} shown
   */
  update(shown) {
    super.update(shown);
    this.none.checked = this.question.unanswerable;
    const text = shown.remarks.join(" ");
    this.find("note").hidden = !text;
    if (this.find("note").textContent !== text) this.find("note").textContent = text;
    this.none.setAttribute("aria-label", fill(this.words.none_label, { number: shown.number }));
  }
}
