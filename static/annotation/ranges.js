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

/**
 * The number of the step that is nearest to a place on the screen. Lines follow each other downwards, so that few of
 * many steps have to be looked at. Found by where the text stands, as browsers tell no caret in text that cannot be
 * selected by hand.
 * @param {Element} paragraph
 * @param {string[]} chars
 * @param {import("./spans.js").Span[]} steps at least one
 * @param {number} x
 * @param {number} y
 */
export function nearestStep(paragraph, chars, steps, x, y) {
  const boxesOf = (/** @type {number} */ step) => [...rangeOf(paragraph, chars, ...steps[step]).getClientRects()];
  let [low, high] = [0, steps.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const box = boxesOf(middle).at(-1);
    if (box && box.bottom < y) low = middle + 1;
    else high = middle;
  }
  let [nearest, least] = [low, Infinity];
  for (const way of [-1, 1]) {
    for (let step = way < 0 ? low : low + 1; step >= 0 && step < steps.length; step += way) {
      const boxes = boxesOf(step);
      if (!boxes.length) continue;
      const [across, down] = distanceTo(boxes, x, y);
      if (down > boxes[0].height) break;
      // Another line is farther than anything on this one.
      const distance = across + down * 1000;
      if (distance < least) [nearest, least] = [step, distance];
    }
  }
  return nearest;
}

/**
 * How far a place lies outside the nearest of `boxes`, across and down.
 * @param {DOMRect[]} boxes
 * @param {number} x
 * @param {number} y
 */
function distanceTo(boxes, x, y) {
  const distances = boxes.map((box) => [
    Math.max(box.left - x, x - box.right, 0),
    Math.max(box.top - y, y - box.bottom, 0),
  ]);
  return distances.reduce((best, one) => (one[1] < best[1] || (one[1] === best[1] && one[0] < best[0]) ? one : best));
}

/**
 * The number of the step above or below the step `focus`: on the next line that way, the one nearest to it across.
 * @param {Element} paragraph
 * @param {string[]} chars
 * @param {import("./spans.js").Span[]} steps
 * @param {number} focus
 * @param {1 | -1} way
 */
export function stepOnLine(paragraph, chars, steps, focus, way) {
  const boxOf = (/** @type {number} */ step) => rangeOf(paragraph, chars, ...steps[step]).getBoundingClientRect();
  const here = boxOf(focus);
  const middle = (here.left + here.right) / 2;
  let [best, distance] = [focus, Infinity];
  /** @type {number | null} */
  let line = null;
  for (let step = focus + way; step >= 0 && step < steps.length; step += way) {
    const box = boxOf(step);
    if (Math.abs(box.top - here.top) < here.height / 2) continue;
    line ??= box.top;
    if (Math.abs(box.top - line) > box.height / 2) break;
    const across = Math.abs((box.left + box.right) / 2 - middle);
    if (across < distance) [best, distance] = [step, across];
  }
  return best;
}

/** @typedef {{start: number, end: number, number: number, active: boolean}} Mark */

/**
 * Show `text` inside `paragraph` with `marks` around parts of it; the text itself stays as it is, to the character.
 * A mark has its question's number. Where marks overlap, each piece carries all their numbers; the piece
 * that begins a mark shows its number (through CSS, so that it is no part of the text).
 * @param {Element} paragraph
 * @param {string[]} chars
 * @param {Mark[]} marks
 * @param {import("./spans.js").Span | null} selected what is about to be marked
 */
export function showMarked(paragraph, chars, marks, selected) {
  const edges = new Set([0, chars.length, ...(selected ?? [])]);
  for (const mark of marks) edges.add(mark.start).add(mark.end);
  const places = [...edges].sort((a, b) => a - b);
  const pieces = places.slice(0, -1).map((from, index) => {
    const text = document.createTextNode(chars.slice(from, places[index + 1]).join(""));
    const covering = marks.filter((mark) => mark.start <= from && from < mark.end);
    const isSelected = selected !== null && selected[0] <= from && from < selected[1];
    if (!covering.length && !isSelected) return text;
    const piece = covering.length ? marked(text, covering, from) : unmarked(text);
    piece.classList.toggle("selected", isSelected);
    return piece;
  });
  paragraph.replaceChildren(...pieces);
}

/** @param {Text} text */
function unmarked(text) {
  const piece = document.createElement("span");
  piece.append(text);
  return piece;
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
