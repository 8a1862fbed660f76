/** Between the page and offsets: what a selection means as a span of a paragraph, and a span as a place on the page. */

import { fromUtf16, toUtf16 } from "./spans.js";

/**
 * `range` as `[start, end)` of the text inside `paragraph`, in code points; the part of it that lies outside is cut
 * off. Null where nothing of the paragraph is in it. `chars` are the code points of the paragraph's text.
 * @param {Element} paragraph
 * @param {string[]} chars
 * @param {Range} range
 * @returns {import("./spans.js").Span | null}
 */
export function offsetsOf(paragraph, chars, range) {
  if (range.collapsed || !range.intersectsNode(paragraph)) return null;
  const whole = document.createRange();
  whole.selectNodeContents(paragraph);
  const inside = range.cloneRange();
  if (range.compareBoundaryPoints(Range.START_TO_START, whole) < 0) inside.setStart(whole.startContainer, 0);
  if (range.compareBoundaryPoints(Range.END_TO_END, whole) > 0) inside.setEnd(whole.endContainer, whole.endOffset);
  // Counted over the text alone: highlights split it into several nodes, and a node's own offsets say nothing.
  whole.setEnd(inside.startContainer, inside.startOffset);
  const start = whole.toString().length;
  const length = inside.toString().length;
  return length ? fromUtf16(chars, start, start + length) : null;
}

/**
 * The range on the page that shows `[start, end)` of the text inside `paragraph`.
 * @param {Element} paragraph
 * @param {string[]} chars
 * @param {number} start
 * @param {number} end
 */
export function rangeOf(paragraph, chars, start, end) {
  const range = document.createRange();
  const [from, to] = [toUtf16(chars, start), toUtf16(chars, end)];
  const texts = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
  range.selectNodeContents(paragraph);
  range.collapse(true);
  let passed = 0;
  for (let node = texts.nextNode(); node instanceof Text; node = texts.nextNode()) {
    const next = passed + node.data.length;
    if (passed <= from && from < next) range.setStart(node, from - passed);
    if (passed < to && to <= next) range.setEnd(node, to - passed);
    passed = next;
  }
  return range;
}

/** @typedef {{start: number, end: number, number: number, active: boolean}} Mark */

/**
 * Show `text` inside `paragraph` with `marks` around parts of it; the text itself stays as it is, to the character.
 * A mark has its question's number. Where marks overlap, each piece carries all their numbers; the piece
 * that begins a mark shows its number (through CSS, so that it is no part of the text).
 * @param {Element} paragraph
 * @param {string[]} chars
 * @param {Mark[]} marks
 */
export function showMarked(paragraph, chars, marks) {
  const edges = new Set([0, chars.length]);
  for (const mark of marks) edges.add(mark.start).add(mark.end);
  const places = [...edges].sort((a, b) => a - b);
  const pieces = places.slice(0, -1).map((from, index) => {
    const text = document.createTextNode(chars.slice(from, places[index + 1]).join(""));
    const covering = marks.filter((mark) => mark.start <= from && from < mark.end);
    return covering.length ? marked(text, covering, from) : text;
  });
  paragraph.replaceChildren(...pieces);
}

/**
 * @param {Text} text
 * @param {Mark[]} covering
 * @param {number} from
 */
function marked(text, covering, from) {
  const piece = document.createElement("mark");
  const shown = covering.find((mark) => mark.active) ?? covering[0];
  piece.dataset.question = covering.map((mark) => mark.number).join(" ");
  piece.dataset.pattern = String(((shown.number - 1) % 5) + 1);
  piece.classList.toggle("active", shown.active);
  const beginning = covering.filter((mark) => mark.start === from).map((mark) => mark.number);
  if (beginning.length) piece.dataset.label = beginning.join(" ");
  piece.append(text);
  return piece;
}
