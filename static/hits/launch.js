/** The receipt beside the launch form, asked for again whenever the form changes; fields that do not apply are hidden. */

const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-launch-form]"));
const receipt = /** @type {HTMLElement} */ (document.querySelector("[data-receipt]"));
const forSome = /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-for]"));
const forPaying = /** @type {HTMLElement} */ (form.querySelector("[data-for-paying]"));
const PAUSE_MS = 250; // long enough that typing a number asks once
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let asked = 0;

function showWhatApplies() {
  const kind = /** @type {HTMLSelectElement} */ (form.elements.namedItem("kind")).value;
  for (const part of forSome) part.hidden = !part.dataset.for?.split(" ").includes(kind);
  forPaying.hidden = receipt.querySelector("[data-pays-people]") === null;
}

async function refresh() {
  const mine = ++asked;
  // A form without files: every value is text.
  const fields = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  fields.delete("csrfmiddlewaretoken");
  const answer = await fetch(`${form.dataset.estimateUrl}?${fields}`).catch(() => null);
  if (answer?.ok && mine === asked) receipt.innerHTML = await answer.text();
  showWhatApplies();
}

let isSent = false;
form.addEventListener("submit", (event) => {
  if (isSent) event.preventDefault(); // a double click launches once, and shows what came of that
  isSent = true;
});
window.addEventListener("pageshow", () => {
  isSent = false;
});

form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(refresh, PAUSE_MS);
});
showWhatApplies();
