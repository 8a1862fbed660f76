/** A filter above a long list of check boxes. What is ticked stays in sight, whatever is typed. */

for (const list of document.querySelectorAll("[data-many]")) {
  const filter = /** @type {HTMLInputElement} */ (list.querySelector("[data-many-filter]"));
  /** @type {HTMLElement} */ (filter.parentElement).hidden = false;
  filter.addEventListener("input", (event) => {
    event.stopPropagation(); // typing here changes nothing that is sent
    const words = filter.value.trim().toLowerCase();
    for (const choice of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll(".many-choices label"))) {
      choice.hidden = !choice.querySelector("input")?.checked && !choice.textContent.toLowerCase().includes(words);
    }
  });
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault(); // must not launch
  });
}
