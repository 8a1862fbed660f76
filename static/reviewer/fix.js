/** Setting an answer right, or telling the worker of words, by marking them in the paragraph. The forms work without:
 * then the words are typed. */

import { offsetsOf, rangeOf } from "../annotation/ranges.js";
import { fromUtf16, snapToWords } from "../annotation/spans.js";

const shown = CSS.highlights && new Highlight();
if (shown) CSS.highlights.set("right-answer", shown);

/** The open form that a mark in `paragraph` is for: the one last opened. */
let open = null;

function fields(details) {
  const form = details.querySelector("form");
  return { form, text: form.elements.text, start: form.elements.start, end: form.elements.end };
}

/** Words were marked: an answer to be set right is there, then. */
function answers(form) {
  if (form.elements.unanswerable) form.elements.unanswerable.checked = false;
}

function show(details, paragraph) {
  shown?.clear();
  if (!details) return;
  const { start, end } = fields(details);
  if (end.value) shown?.add(rangeOf(paragraph, [...paragraph.textContent], Number(start.value), Number(end.value)));
}

for (const details of document.querySelectorAll("[data-fix], [data-note]")) {
  const paragraph = details.closest(".pair").querySelector(".paragraph");
  const { form, text, start, end } = fields(details);
  details.addEventListener("toggle", () => {
    if (details.open) {
      if (open && open !== details) open.open = false;
      open = details;
      paragraph.classList.add("is-marking");
      (form.elements.chosen_reason ?? text).focus();
    } else if (open === details) {
      open = null;
      paragraph.classList.remove("is-marking");
    }
    show(open, paragraph);
  });
  // Typed words are looked for in the paragraph; one place is marked, several are left to the reviewer.
  text.addEventListener("input", () => {
    start.value = end.value = "";
    const wanted = text.value.trim();
    const whole = paragraph.textContent;
    const at = wanted ? whole.indexOf(wanted) : -1;
    if (at >= 0 && whole.indexOf(wanted, at + 1) < 0) {
      [start.value, end.value] = fromUtf16([...whole], at, at + wanted.length);
      answers(form);
    }
    show(details, paragraph);
  });
  // What the server compares with its own slice is the text of the mark, without blanks around it.
  form.addEventListener("submit", () => { if (end.value) text.value = text.value.trim(); });
}

document.addEventListener("pointerup", () => {
  const selection = getSelection();
  if (!open || !selection?.rangeCount) return;
  const paragraph = open.closest(".pair").querySelector(".paragraph");
  const chars = [...paragraph.textContent];
  const marked = offsetsOf(paragraph, chars, selection.getRangeAt(0));
  const span = marked && snapToWords(chars, ...marked);
  if (!span) return;
  const { form, text, start, end } = fields(open);
  [start.value, end.value] = span;
  text.value = chars.slice(...span).join("");
  answers(form);
  selection.removeAllRanges();
  show(open, paragraph);
});
