/** A question of a quiz that is to be judged: good, or what is wrong with it. */

import { fill } from "./words.js";

export class JudgeCard {
  /**
   * @param {{
   *   template: HTMLTemplateElement, words: import("./words.js").Sentences, enabled: boolean,
   *   question: {id: number, text: string, shown: string, choice: string | null},
   *   judgements: {code: string, words: string}[],
   *   on: {activate: (item: any) => void, choose: (item: any, choice: string) => void},
   * }} options
   */
  constructor({ template, words, enabled, question, judgements, on }) {
    this.element = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
    this.question = question;
    this.find("number").textContent = String(question.id);
    this.find("text").textContent = question.text;
    this.find("shown").textContent = question.shown || words.no_answer;
    this.find("legend").textContent = fill(words.judge_label, { number: question.id, question: question.text });
    this.choices = judgements.map(({ code, words: text }) => {
      const label = document.createElement("label");
      const radio = document.createElement("input");
      radio.type = "radio";
      radio.name = `judge-${question.id}`;
      radio.value = code;
      radio.disabled = !enabled;
      radio.addEventListener("change", () => on.choose(question, code));
      label.append(radio, text);
      this.element.querySelector("fieldset")?.append(label);
      return radio;
    });
  }

  /** @param {string} name */
  find(name) {
    return /** @type {HTMLElement} */ (this.element.querySelector(`[data-part="${name}"]`));
  }

  focus() {
    (this.choices.find((radio) => radio.checked) ?? this.choices[0]).focus();
  }

  /** @param {{state: string}} shown */
  update({ state }) {
    this.element.dataset.state = state;
    for (const radio of this.choices) radio.checked = radio.value === this.question.choice;
  }
}
