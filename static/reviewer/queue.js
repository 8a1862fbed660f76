/** Selecting all rows of a page at once. */

const form = document.querySelector("[data-queue]");
const all = form?.querySelector("[data-choose-all]");
if (all) {
  const boxes = [...form.querySelectorAll("input[name='assignment']")];
  const follow = () => {
    const chosen = boxes.filter((box) => box.checked).length;
    all.checked = chosen === boxes.length;
    all.indeterminate = chosen > 0 && chosen < boxes.length;
  };
  all.closest("label").hidden = false;
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
  });
  form.addEventListener("change", follow);
  // A page that is come back to keeps its ticks.
  follow();
}
