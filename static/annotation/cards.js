/** The questions beside the paragraph: a card each, kept in step with the work without rebuilding what has the focus. */

import { lockField } from "./passage.js";
import { longestCopiedRun } from "./spans.js";
import { DONE, NEEDS_ANSWER } from "./state.js";
import { fill } from "./words.js";

class Card {
  constructor({ template, question, words, enabled, on }) {
    this.element = template.content.firstElementChild.cloneNode(true);
    Object.assign(this, { question, words, on });
    this.element.addEventListener("focusin", () => on.activate(question));
    this.element.addEventListener("pointerdown", () => on.activate(question));
    this.#button("mark", () => on.startMarking(question, this.find("mark")));
    this.#button("clear", () => on.clear(question));
    if (!enabled) {
      for (const control of this.element.querySelectorAll("button, textarea, input")) control.disabled = true;
    }
  }

  find(name) {
    return this.element.querySelector(`[data-part="${name}"]`);
  }

  #button(name, act) {
    this.find(name).addEventListener("click", act);
  }

  /** Show the question as it is now. `number` counts from 1; `active`: the next mark goes here. */
  update({ number, active, state }) {
    const { answer } = this.question;
    this.number = number;
    this.element.dataset.state = state;
    this.element.dataset.pattern = String(((number - 1) % 5) + 1);
    this.element.classList.toggle("active", active);
    this.find("number").textContent = String(number);
    this.find("answer").textContent = answer ? answer.text : "";
    this.find("mark").textContent = answer ? this.words.change : this.words[`mark_${this.kind}`];
    this.find("clear").hidden = !answer;
    this.find("mark").setAttribute("aria-label", fill(answer ? this.words.change_label : this.words.mark_label, { number }));
    this.find("clear").setAttribute("aria-label", fill(this.words.clear_label, { number }));
  }
}

export class WritingCard extends Card {
  kind = "write";

  constructor(options) {
    super(options);
    const { question, on, copyLock } = options;
    this.field = this.find("text");
    this.field.value = question.text;
    this.field.maxLength = options.longest;
    this.said = "";
    this.field.addEventListener("input", () => {
      this.said = "";
      on.text(question, this.field.value);
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "F2" || (event.key === "Enter" && !event.isComposing && !event.ctrlKey && !event.metaKey)) {
        event.preventDefault(); // a question is one line
        if (event.key === "F2") on.startMarking(question, this.field);
      }
    });
    this.find("remove").addEventListener("click", () => on.remove(question));
    if (copyLock) {
      lockField(this.field, () => {
        this.said = this.words.paste_blocked;
        on.blocked();
      });
    }
  }

  focus() {
    this.field.focus();
  }

  update(shown) {
    super.update(shown);
    const { number, state } = shown;
    this.field.setAttribute("aria-label", fill(this.words.question_label, { number }));
    this.find("remove").setAttribute("aria-label", fill(this.words.remove_label, { number }));
    const note = this.find("note");
    const [kind, text] = this.#note(shown.paragraphWords, shown.copiedWords, state);
    note.dataset.kind = kind;
    if (note.textContent !== text) note.textContent = text;
  }

  #note(paragraphWords, copiedWords, state) {
    if (this.said) return ["kind", this.said];
    const run = longestCopiedRun(this.question.text, paragraphWords);
    if (run >= copiedWords) return ["warning", fill(this.words.copied, { count: run })];
    if (state === DONE) return ["done", this.words.done];
    return ["hint", state === NEEDS_ANSWER ? this.words.needs_answer : this.words.type_question];
  }
}

export class AnsweringCard extends Card {
  kind = "answer";

  constructor(options) {
    super(options);
    const { question, on } = options;
    this.find("text").textContent = question.text;
    this.none = this.find("none");
    this.none.addEventListener("change", () => (this.none.checked ? on.none(question) : on.clear(question)));
  }

  focus() {
    this.find("mark").focus();
  }

  update(shown) {
    super.update(shown);
    this.none.checked = this.question.unanswerable;
    this.none.setAttribute("aria-label", fill(this.words.none_label, { number: shown.number }));
  }
}
