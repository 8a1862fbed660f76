/** What reviewers noted on the worker's earlier work: the page opens with what is new, and has it all under a button. */

import { request } from "./api.js";
import { data, part, words } from "./page.js";
import { fill } from "./words.js";

/** @typedef {import("./state.js").Note} Note */

/** Open with the notes that are new, and offer all of them. Once the new ones are left, no later page opens with them. */
export function showNotes() {
  const { notes } = data;
  if (!notes.length) return;
  const dialog = /** @type {HTMLDialogElement} */ (part("notes"));
  const opener = part("open-notes");
  const unread = notes.filter(({ is_new: isNew }) => isNew);
  /** @type {HTMLElement | null} */
  let cameFrom = null;

  /** @param {Note[]} shown */
  function open(shown) {
    cameFrom = /** @type {HTMLElement | null} */ (document.activeElement);
    part("noted").replaceChildren(...shown.map(entry));
    dialog.showModal();
    document.getElementById("notes-title")?.focus(); // the dialog itself would begin at its button, far below
    dialog.scrollTop = 0;
  }

  opener.hidden = false;
  opener.textContent = fill(words.notes, { count: notes.length });
  opener.addEventListener("click", () => open(notes));
  part("close-notes").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    if (cameFrom && cameFrom !== document.body) cameFrom.focus();
    else part("place").focus();
    const read = unread.splice(0).map(({ id }) => id);
    // Where this does not arrive, the next page opens with them once more.
    if (read.length) request("POST", data.endpoints?.notes ?? "", data.token ?? "", { read }).catch(() => {});
  });
  if (unread.length) open(unread);
}

/** @param {Note} note */
function entry(note) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById("noted"));
  const item = /** @type {HTMLElement} */ (template.content.cloneNode(true));
  const { answer, span } = note;
  const said = answer ? fill(words.notes_answer, { text: answer.text }) : note.unanswerable && words.notes_unanswerable;
  write(item, "noted-question", note.question);
  write(item, "noted-answer", said || "");
  write(item, "noted-words", note.words);
  write(item, "noted-span", span ? fill(words.notes_span, { text: span.text }) : "");
  write(item, "noted-title", note.title);
  const text = write(item, "noted-text", note.text);
  text.lang = data.project.language;
  text.dir = data.project.direction;
  text.replaceChildren(...pieces(note));
  return item;
}

/**
 * @param {HTMLElement} item
 * @param {string} name
 * @param {string} text empty where the note has no such part
 */
function write(item, name, text) {
  const place = /** @type {HTMLElement} */ (item.querySelector(`[data-part="${name}"]`));
  place.textContent = text;
  place.hidden = !text;
  return place;
}

/**
 * The paragraph with the worker's answer and the words that the note is about marked; where they share words, both are.
 * @param {Note} note
 * @returns {(string | HTMLElement)[]}
 */
function pieces({ text, answer, span }) {
  const chars = [...text]; // code points, as offsets count them
  const edges = new Set([0, chars.length]);
  for (const marked of [answer, span]) if (marked) edges.add(marked.start).add(marked.end);
  const places = [...edges].sort((one, other) => one - other);
  return places.slice(1).map((end, index) => {
    const start = places[index];
    const piece = chars.slice(start, end).join("");
    const inside = (/** @type {Note["span"]} */ marked) => marked && marked.start <= start && end <= marked.end;
    const names = [inside(answer) && "noted-own", inside(span) && "noted-about"].filter(Boolean);
    if (!names.length) return piece;
    const mark = document.createElement("mark");
    mark.className = names.join(" ");
    mark.textContent = piece;
    return mark;
  });
}
