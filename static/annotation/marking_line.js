/** The paragraph with the line and the tools under it: what every page that marks says about marking. */

import { data, part, words } from "./page.js";
import { Passage } from "./passage.js";
import { cleansToNothing } from "./spans.js";
import { brief, fill } from "./words.js";

/** @typedef {import("./state.js").Answer} Answer */

export class MarkingLine {
  /**
   * `number()` is that of the question which the next mark goes to, null where there is none; `start` is asked to mark
   * by keyboard, and to give the focus back to where F2 was pressed; the others as in Passage.
   * @param {{
   *   enabled: boolean, number: () => number | null, mark: (answer: Answer) => void, clear: () => void,
   *   start: (returnTo: HTMLElement) => void, blocked: () => void,
   * }} options
   */
  constructor({ enabled, number, mark, clear, start, blocked }) {
    this.number = number;
    this.howToMark = matchMedia("(pointer: coarse)").matches ? words.how_to_touch : words.how_to_mark;
    const { language, direction, copy_lock: copyLock } = data.project;
    part("passage").lang = language;
    part("passage").dir = direction;
    this.passage = new Passage({
      element: part("passage"),
      takeButton: part("take"),
      handles: { start: part("handle-start"), end: part("handle-end") },
      language,
      rightToLeft: direction === "rtl",
      copyLock,
      enabled,
      on: {
        mark,
        clear,
        start: () => start(part("passage")),
        precise: (precise) => this.setPrecise(precise),
        selected: (span, begun) => this.#showSelected(span, begun),
        refused: () => this.say(words.blank_selection),
        blocked: (isFirst) => {
          if (isFirst) this.say(words.copy_blocked);
          blocked();
        },
      },
    });
    part("precise").addEventListener("click", () => this.setPrecise(!this.passage.precise));
    // Marking by keyboard goes on while a mouse changes the precision.
    part("precise").addEventListener("mousedown", (event) => event.preventDefault());
    document.addEventListener("keydown", (event) => {
      if (!enabled || event.key !== "F2" || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (document.querySelector("dialog[open]")) return;
      event.preventDefault();
      start(document.activeElement instanceof HTMLElement ? document.activeElement : part("passage"));
    });
  }

  /**
   * Show a sentence, which screen readers read out too.
   * @param {string} text
   */
  say(text) {
    part("said").textContent = text;
  }

  sayHowToMark() {
    this.say(this.howToMark);
  }

  /** @param {Answer} answer what was marked for the question */
  sayMarked({ start, end, text }) {
    const counted = this.passage.words.countIn([start, end]);
    const sentences = [fill(words.marked, { number: this.number(), text, start, end, words: counted })];
    if (cleansToNothing(text, data.project.language)) sentences.push(words.cleans_to_nothing);
    if ([start, end].some((edge) => this.passage.words.isInside(edge))) sentences.push(words.inside_word);
    this.say(sentences.join(" "));
  }

  /**
   * Let marks begin and end inside words, or only between them.
   * @param {boolean} precise
   */
  setPrecise(precise) {
    const { passage } = this;
    part("precise").setAttribute("aria-pressed", String(precise));
    passage.setPrecise(precise);
    const sentence = precise ? words.by_letters : words.by_words;
    this.say(passage.selection ? `${sentence} ${this.#describe(passage.selection.span)}` : sentence);
  }

  /**
   * @param {import("./spans.js").Span | null} span what is about to be marked
   * @param {boolean} begun
   */
  #showSelected(span, begun) {
    part("passage").classList.toggle("marking", Boolean(span));
    if (!span) this.sayHowToMark();
    else this.say(this.#describe(span) + (begun && this.passage.byKeyboard ? ` ${words.marking_keys}` : ""));
  }

  /**
   * What is about to be marked: the words, where they stand and how many they are.
   * @param {import("./spans.js").Span} span
   */
  #describe([start, end]) {
    const { passage } = this;
    const text = brief(passage.textOf([start, end]));
    if (!passage.byKeyboard) return fill(words.tapped, { text });
    const counted = passage.words.countIn([start, end]);
    return fill(words.marking, { number: this.number() ?? "", text, start, end, words: counted });
  }
}
