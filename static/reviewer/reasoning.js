/** Marking words quickly: dragging over them, and arrows between them in place of a Tab stop for each. Without this
 * script every word is a checkbox like any other. */

for (const group of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-words]"))) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const found = group.querySelectorAll("input[type='checkbox']");
  const boxes = [...found];
  /** @param {EventTarget | null} box */
  const stop = (box) => {
    for (const other of boxes) other.tabIndex = other === box ? 0 : -1;
  };
  if (boxes.length) stop(boxes[0]);
  group.addEventListener("focusin", (event) => stop(event.target));
  group.addEventListener("keydown", (event) => {
    const box = /** @type {HTMLInputElement} */ (event.target);
    const rightToLeft = getComputedStyle(box).direction === "rtl";
    /** @type {Record<string, number>} */
    const steps = { ArrowRight: rightToLeft ? -1 : 1, ArrowLeft: rightToLeft ? 1 : -1, ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    const next = step && boxes[boxes.indexOf(box) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });

  // The first word says whether all up to the one under the pointer are marked or cleared.
  let first = -1;
  let marks = false;
  /** The place of the word under the pointer, -1 where there is none. @param {PointerEvent} event */
  const placeOf = (event) => {
    const box = /** @type {Element} */ (event.target).closest("label")?.querySelector("input");
    return box ? boxes.indexOf(box) : -1;
  };
  group.addEventListener("pointerdown", (event) => {
    first = event.pointerType === "mouse" && event.button === 0 ? placeOf(event) : -1;
    marks = first >= 0 && !boxes[first].checked;
  });
  group.addEventListener("pointerover", (event) => {
    const last = placeOf(event);
    if (first < 0 || last < 0 || last === first || event.buttons === 0) return;
    for (const box of boxes.slice(Math.min(first, last), Math.max(first, last) + 1)) box.checked = marks;
  });
  addEventListener("pointerup", () => {
    first = -1;
  });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  // On a word or a category the browser sends the form by itself, and a link or a button does what it says.
  if (event.key === "Enter" && document.activeElement === document.body) {
    /** @type {HTMLFormElement | null} */
    const form = document.querySelector("form.labelling");
    form?.requestSubmit();
    return;
  }
  /** @type {HTMLElement | null} */
  const box = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!box) return;
  event.preventDefault();
  box.click();
});
