/** Keys of the review page. Every one of them only uses a link, button or field that is on the page anyway. */

const keys = document.querySelector("[data-keys]");
const on = keys.querySelector("[data-keys-on]");
const reason = document.querySelector("#reason");
const STORED = "review-keys";

const act = {
  j: () => document.querySelector("a[rel='next']")?.click(),
  k: () => document.querySelector("a[rel='prev']")?.click(),
  a: () => document.querySelector("[data-approve]")?.click(),
  x: () => {
    if (reason) reason.closest("details").open = true;
    reason?.focus();
  },
  "?": () => { keys.open = !keys.open; },
};

keys.hidden = false;
on.checked = localStorage.getItem(STORED) !== "off";
on.addEventListener("change", () => localStorage.setItem(STORED, on.checked ? "on" : "off"));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.repeat) return;
  if (event.target.closest("textarea, input:not([type='checkbox']), select")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const wanted = act[event.key];
  if (!on.checked || !wanted) return;
  event.preventDefault();
  wanted();
});

document.querySelector("[data-reject]")?.addEventListener("toggle", (event) => {
  if (event.target.open) reason.focus();
});
if (reason?.getAttribute("aria-invalid") === "true") reason.focus();
