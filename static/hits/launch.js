/** The receipt beside the launch form, asked for again whenever the form changes. */

const form = document.querySelector("[data-launch-form]");
const receipt = document.querySelector("[data-receipt]");
const PAUSE_MS = 250; // long enough that typing a number asks once
let timer = 0;
let asked = 0;

async function refresh() {
  const mine = ++asked;
  const fields = new URLSearchParams(new FormData(form));
  fields.delete("csrfmiddlewaretoken");
  const answer = await fetch(`${form.dataset.estimateUrl}?${fields}`);
  if (answer.ok && mine === asked) receipt.innerHTML = await answer.text();
}

form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(refresh, PAUSE_MS);
});
