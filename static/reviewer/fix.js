/** Setting an answer right, or telling the worker of words, by marking them in the paragraph with a mouse or by keys, or
 * by typing them. The forms work without: then the words are typed. */

import { offsetsOf, rangeOf } from "../annotation/ranges.js";
import { fromUtf16, snapToWords } from "../annotation/spans.js";
import { KeyboardMarking } from "./keyboard_marking.js";

const shown = CSS.highlights && new Highlight();
if (shown) CSS.highlights.set("right-answer", shown);

/** @typedef {import("../annotation/spans.js").Span} Span */

/** One form whose words are marked in a paragraph. `opened` is the one that a mark is for: the one last opened. */
class MarkingForm {
  /** @type {MarkingForm | null} */
  static opened = null;

  /** @param {HTMLDetailsElement} details */
  constructor(details) {
    this.details = details;
    this.form = /** @type {HTMLFormElement} */ (details.querySelector("form"));
    this.fields = /** @type {Record<string, HTMLInputElement>} */ (/** @type {unknown} */ (this.form.elements));
    this.several = /** @type {HTMLElement} */ (details.querySelector("[data-several]"));
    this.paragraph = /** @type {HTMLElement} */ (details.closest(".pair")?.querySelector(".paragraph"));
    this.chars = [...this.paragraph.textContent];
    /** @type {Span[]} */
    this.places = [];
    const byKeys = /** @type {HTMLElement} */ (details.querySelector("[data-by-keys]"));
    byKeys.hidden = matchMedia("(pointer: coarse)").matches;
    this.marking = new KeyboardMarking(this.paragraph, {
      moved: (span) => this.take(span),
      taken: () => this.form.querySelector("button")?.focus(),
      left: () => this.fields.text.focus(),
    });
    this.#offerPlaces();
    details.addEventListener("toggle", () => this.#toggled());
    this.fields.text.addEventListener("input", () => this.#typed());
    this.fields.occurrence.addEventListener("input", () => this.#choose());
    // What the server compares with its own slice is the text of the mark, without blanks around it.
    this.form.addEventListener("submit", () => {
      if (this.span) this.fields.text.value = this.fields.text.value.trim();
    });
  }

  /** @returns {Span | null} */
  get span() {
    return this.fields.end.value ? [Number(this.fields.start.value), Number(this.fields.end.value)] : null;
  }

  /** Words were marked. @param {Span} span */
  take(span) {
    this.fields.text.value = this.chars.slice(...span).join("");
    this.places = [];
    this.#offerPlaces();
    this.#set(span);
  }

  /** Mark by keyboard, from what is marked, what was typed, or the worker's own answer on. */
  startMarking() {
    this.details.open = true;
    const { from, to } = this.details.dataset;
    this.marking.begin(this.span ?? this.places[0] ?? (to ? [Number(from), Number(to)] : null));
  }

  #toggled() {
    if (this.details.open) {
      if (MarkingForm.opened && MarkingForm.opened !== this) MarkingForm.opened.details.open = false;
      MarkingForm.opened = this;
      this.paragraph.classList.add("is-marking");
      if (document.activeElement !== this.paragraph) (this.fields.chosen_reason ?? this.fields.text).focus();
    } else if (MarkingForm.opened === this) {
      MarkingForm.opened = null;
      this.marking.end();
      this.paragraph.classList.remove("is-marking");
    }
    this.#show();
  }

  // Typed words are looked for in the paragraph; one place is marked, and of several the reviewer says which.
  #typed() {
    const wanted = this.fields.text.value.trim().replace(/\s+/g, " ");
    const whole = this.paragraph.textContent;
    this.places = [];
    for (let at = whole.indexOf(wanted); wanted && at >= 0; at = whole.indexOf(wanted, at + 1)) {
      this.places.push(fromUtf16(this.chars, at, at + wanted.length));
    }
    this.#offerPlaces();
    this.#set(this.places.length === 1 ? this.places[0] : null);
  }

  #offerPlaces() {
    const count = this.places.length;
    this.several.hidden = count < 2;
    this.fields.occurrence.value = "";
    this.fields.occurrence.max = String(Math.max(1, count));
    this.fields.occurrence.required = count > 1;
    /** @type {HTMLElement} */ (this.several.querySelector("[data-count]")).textContent = String(count);
  }

  #choose() {
    this.#set(this.places[Number(this.fields.occurrence.value) - 1] ?? null);
  }

  /** @param {Span | null} span */
  #set(span) {
    [this.fields.start.value, this.fields.end.value] = span ? span.map(String) : ["", ""];
    // An answer to be set right is there, then.
    if (span && this.fields.unanswerable) this.fields.unanswerable.checked = false;
    this.#show();
  }

  #show() {
    shown?.clear();
    if (MarkingForm.opened !== this) return;
    for (const span of this.span ? [this.span] : this.places) shown?.add(rangeOf(this.paragraph, this.chars, ...span));
  }
}

/** @type {Map<Element | null, MarkingForm>} */
const forms = new Map();
/** @type {NodeListOf<HTMLDetailsElement>} */
const markable = document.querySelectorAll("[data-fix], [data-note]");
for (const details of markable) forms.set(details, new MarkingForm(details));

document.addEventListener("pointerup", () => {
  const selection = getSelection();
  const form = MarkingForm.opened;
  if (!form || !selection?.rangeCount) return;
  const marked = offsetsOf(form.paragraph, form.chars, selection.getRangeAt(0));
  const span = marked && snapToWords(form.chars, ...marked);
  if (!span) return;
  form.take(span);
  selection.removeAllRanges();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "F2" || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const form = MarkingForm.opened ?? forms.get(document.querySelector(".question.is-current [data-fix]"));
  if (!form) return;
  event.preventDefault();
  form.startMarking();
});
