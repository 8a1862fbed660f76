/** Keys of the review page, and rest for its buttons. A key only uses a link, button or field that is there anyway. */

const keys = document.querySelector("[data-keys]");
const on = keys.querySelector("[data-keys-on]");
const reason = document.querySelector("#reason");
const STORED = "review-keys";

// A decision leads to the next page, which has the same buttons in the same places. They take nothing until the second
// click of a double click, meant for the page before, must be over, which is told from when that page was left; and a
// page decides once.
const REST_MS = 600;
const LEAST_REST_MS = 200;
const forms = document.querySelectorAll("main form[method='post']");
const buttons = document.querySelectorAll("main form[method='post'] button");
let resting = 0;
let sent = false;

function rest(ms) {
  for (const button of buttons) button.disabled = true;
  clearTimeout(resting);
  resting = setTimeout(() => {
    resting = 0;
    for (const button of buttons) button.disabled = false;
  }, ms);
}

for (const form of forms) {
  form.addEventListener("submit", (event) => {
    if (sent) event.preventDefault();
    sent = true;
  });
}
rest(Math.max(LEAST_REST_MS, REST_MS - performance.now()));
addEventListener("pageshow", (event) => {
  sent = false;
  if (event.persisted) rest(REST_MS); // the browser shows the page again as it was left
});

// The question that the keys are about. Its marks stand out in the paragraph.
const questions = [...document.querySelectorAll("[data-question]")];
let current = null;

function choose(question) {
  for (const [chosen, is] of [[current, false], [question, true]]) {
    if (!chosen) continue;
    chosen.classList.toggle("is-current", is);
    const marks = chosen.closest(".pair").querySelectorAll(`mark[data-number="${chosen.dataset.question}"]`);
    for (const mark of marks) mark.classList.toggle("is-current", is);
  }
  current = question;
}

function goTo(question) {
  if (!question) return;
  question.focus({ preventScroll: true });
  question.scrollIntoView({ block: "nearest" });
}

for (const question of questions) {
  question.addEventListener("focusin", () => choose(question));
  question.addEventListener("pointerenter", () => choose(question));
}

const step = (by) => goTo(questions[current ? questions.indexOf(current) + by : by > 0 ? 0 : questions.length - 1]);
const press = (key) => document.querySelector(`[data-key="${key}"]`)?.click();

function open(details) {
  if (!details || resting) return;
  details.open = true;
  details.querySelector("select, textarea")?.focus();
}

const act = {
  j: () => document.querySelector("a[rel='next']")?.click(),
  k: () => document.querySelector("a[rel='prev']")?.click(),
  a: () => press("a"),
  D: () => press("D"),
  u: () => press("u"),
  n: () => step(1),
  p: () => step(-1),
  d: () => current?.querySelector("[data-drop]")?.click(),
  f: () => open(current?.querySelector("[data-fix]")),
  t: () => open(current?.querySelector("[data-note]")),
  s: () => open(current?.querySelector("[data-look-question]") ?? document.querySelector("[data-look]")),
  x: () => open(document.querySelector("[data-reject]")),
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
  if (event.key === "Escape" && current) {
    current.contains(document.activeElement) && document.activeElement.blur();
    choose(null);
    return;
  }
  const wanted = /^[1-9]$/.test(event.key) ? () => goTo(questions[event.key - 1]) : act[event.key];
  if (!on.checked || !wanted) return;
  event.preventDefault();
  wanted();
});

document.querySelector("[data-reject]")?.addEventListener("toggle", (event) => {
  if (event.target.open) reason.focus();
});
document.querySelector("[data-chosen-reason]")?.addEventListener("change", (event) => {
  const { value, selectedOptions } = event.target;
  if (value) reason.value = selectedOptions[0].text;
});
if (reason?.getAttribute("aria-invalid") === "true") reason.focus();
// Back from a decision about one question, on it.
if (location.hash.startsWith("#question-")) goTo(document.getElementById(location.hash.slice(1)));
