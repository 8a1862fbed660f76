/** The remarks on the worker's questions and answers, in the words of the page. */

import { advise } from "./advice.js";
import { data, words, writes } from "./page.js";
import { plainWords } from "./spans.js";
import { fill } from "./words.js";

/** @typedef {{sentence: string, stops: boolean}} Remark */

export class Remarks {
  /** @param {import("./state.js").Work} work */
  constructor(work) {
    this.work = work;
    /** @type {Map<number, string[]>} the words of each paragraph, by its id */
    this.paragraphWords = new Map();
  }

  /**
   * The remarks on each question of `paragraph`; those that stop come first.
   * @param {import("./state.js").Paragraph} paragraph
   * @returns {Remark[][]}
   */
  on(paragraph) {
    const known = this.paragraphWords.get(paragraph.id) ?? plainWords(paragraph.text);
    this.paragraphWords.set(paragraph.id, known);
    const { language, stopping_advice: stopping } = data.project;
    return advise(known, language, paragraph.questions, writes, paragraph.askedBefore).map((found) =>
      found
        .map(({ code, values }) => {
          const stops = stopping.includes(code);
          const sentence = fill(words[`advice_${code}`], values);
          return { sentence: stops ? `${sentence} ${words.stops}` : sentence, stops };
        })
        .sort((one, other) => Number(other.stops) - Number(one.stops)),
    );
  }

  /** What must be changed before the work can be sent, in the form of the list of open items. */
  get stopping() {
    if (!data.project.stopping_advice.length) return [];
    return this.work.paragraphs.flatMap((paragraph, index) =>
      this.on(paragraph).flatMap((found, place) =>
        found
          .filter(({ stops }) => stops)
          .map(({ sentence }) => ({ index, question: paragraph.questions[place], message: sentence })),
      ),
    );
  }
}
