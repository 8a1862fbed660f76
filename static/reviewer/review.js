/** Keys of the review page, and rest for its buttons. A key only uses a link, button or field that is there anyway. */

const keys = document.querySelector("[data-keys]");
const on = keys.querySelector("[data-keys-on]");
const reason = document.querySelector("#reason");
const STORED = "review-keys";

// A decision leads to the next page, which has the same buttons in the same places. They take nothing until the second
// click of a double click, meant for the page before, must be over; and a page decides once.
const REST_MS = 800;
const forms = document.querySelectorAll("main form[method='post']");
const buttons = document.querySelectorAll("main form[method='post'] button");
let resting = 0;
let sent = false;

function rest() {
  for (const button of buttons) button.disabled = true;
  clearTimeout(resting);
  resting = setTimeout(() => {
    resting = 0;
    for (const button of buttons) button.disabled = false;
  }, REST_MS);
}

for (const form of forms) {
  form.addEventListener("submit", (event) => {
    if (sent) event.preventDefault();
    sent = true;
  });
}
rest();
addEventListener("pageshow", () => {
  sent = false; // also where the browser shows the page again as it was left
  rest();
});

const act = {
  j: () => document.querySelector("a[rel='next']")?.click(),
  k: () => document.querySelector("a[rel='prev']")?.click(),
  a: () => document.querySelector("[data-approve]")?.click(),
  x: () => {
    if (resting) return;
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
