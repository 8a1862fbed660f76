/** The open items on one list, each a way to its place. */

import { part, words, writes } from "./page.js";
import { fill } from "./words.js";

/** @typedef {{index: number, question: import("./state.js").Question | null, message: string}} OpenItem */

export class OpenList {
  /**
   * @param {import("./state.js").Work} work
   * @param {(index: number, question: import("./state.js").Question | null) => void} goTo
   * @param {() => OpenItem[]} stopping what is whole and must be changed all the same
   */
  constructor(work, goTo, stopping) {
    this.work = work;
    this.goTo = goTo;
    this.stopping = stopping;
    this.isShown = false;
  }

  /** Show what is open. True where nothing is. */
  show() {
    const missing = this.work.open.map(({ index, question }) => ({ index, question, message: whatIsMissing(question) }));
    const items = [...missing, ...this.stopping()].sort((one, other) => one.index - other.index);
    this.#list(items);
    this.isShown = Boolean(items.length);
    return !items.length;
  }

  /** Keep the list in step with the work, once it was asked for. */
  refresh() {
    if (this.isShown) this.show();
  }

  /**
   * Show what the server found missing or wrong; it stays until the work is sent again.
   * @param {import("./finish.js").Problem[]} problems
   */
  showProblems(problems) {
    const { paragraphs } = this.work;
    const items = problems.map((problem) => {
      const index = paragraphs.findIndex((paragraph) => paragraph.id === problem.paragraph);
      const question = paragraphs[index]?.questions.find((one) => one.id === problem.question) ?? null;
      return { index, question, message: problem.message };
    });
    this.#list(items.filter((item) => item.index >= 0));
    this.isShown = false;
  }

  /** @param {OpenItem[]} items */
  #list(items) {
    part("open").hidden = !items.length;
    part("open-list").replaceChildren(...items.map((item) => this.#entry(item)));
  }

  /** @param {OpenItem} item */
  #entry({ index, question, message }) {
    const go = document.createElement("button");
    go.type = "button";
    go.className = "link";
    const number = question ? this.work.paragraphs[index].questions.indexOf(question) + 1 : 0;
    const sentence = number ? words.open_question : words.open_paragraph;
    go.textContent = fill(sentence, { paragraph: index + 1, question: number, what: message });
    go.addEventListener("click", () => this.goTo(index, question));
    const entry = document.createElement("li");
    entry.append(go);
    return entry;
  }
}

/** @param {import("./state.js").Question | null} question null where a paragraph has too few */
function whatIsMissing(question) {
  if (!question) return words.too_few;
  if (!writes) return words.open_answer;
  return question.text.trim() ? words.needs_answer : words.type_question;
}
