/** Selecting all rows of a page at once. */

const form = document.querySelector("[data-queue]");
/** @type {HTMLInputElement | null | undefined} */
const all = form?.querySelector("[data-choose-all]");
if (form && all) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const found = form.querySelectorAll("input[name='assignment']");
  const boxes = [...found];
  const follow = () => {
    const chosen = boxes.filter((box) => box.checked).length;
    all.checked = chosen === boxes.length;
    all.indeterminate = chosen > 0 && chosen < boxes.length;
  };
  /** @type {HTMLElement} */ (all.closest("label")).hidden = false;
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
  });
  form.addEventListener("change", follow);
  // A page that is come back to keeps its ticks.
  follow();
}
