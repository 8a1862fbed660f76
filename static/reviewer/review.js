/** Keys of the review page, and rest for its buttons. A key only uses a link, button or field that is there anyway. */

const keys = /** @type {HTMLDetailsElement} */ (document.querySelector("[data-keys]"));
const on = /** @type {HTMLInputElement} */ (keys.querySelector("[data-keys-on]"));
/** @type {HTMLTextAreaElement | null} */
const reason = document.querySelector("#reason");
const STORED = "review-keys";

// A decision leads to the next page, which has the same buttons in the same places. They take nothing until the second
// click of a double click, meant for the page before, must be over, which is told from when that page was left; and a
// page decides once.
const REST_MS = 600;
const LEAST_REST_MS = 200;
const forms = document.querySelectorAll("main form[method='post']");
/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll("main form[method='post'] button");
/** @type {ReturnType<typeof setTimeout> | undefined} */
let resting;
let sent = false;

/** @param {number} ms */
function rest(ms) {
  for (const button of buttons) button.disabled = true;
  clearTimeout(resting);
  resting = setTimeout(() => {
    resting = undefined;
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
const questions = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-question]"))];
/** @type {HTMLElement | null} */
let current = null;

/**
 * @param {HTMLElement | null} chosen
 * @param {boolean} is
 */
function show(chosen, is) {
  if (!chosen) return;
  chosen.classList.toggle("is-current", is);
  const marks = chosen.closest(".pair")?.querySelectorAll(`mark[data-number="${chosen.dataset.question}"]`) ?? [];
  for (const mark of marks) mark.classList.toggle("is-current", is);
}

/** @param {HTMLElement | null} question */
function choose(question) {
  show(current, false);
  show(question, true);
  current = question;
}

/** @param {HTMLElement | null | undefined} question */
function goTo(question) {
  if (!question) return;
  question.focus({ preventScroll: true });
  question.scrollIntoView({ block: "nearest" });
}

for (const question of questions) {
  question.addEventListener("focusin", () => choose(question));
  question.addEventListener("pointerenter", () => choose(question));
}

/** @param {number} by */
const step = (by) => goTo(questions[current ? questions.indexOf(current) + by : by > 0 ? 0 : questions.length - 1]);
/** @param {Element | null | undefined} element */
const click = (element) => /** @type {HTMLElement | null | undefined} */ (element)?.click();
/** @param {string} key */
const press = (key) => click(document.querySelector(`[data-key="${key}"]`));

/** @param {Element | null | undefined} element */
function open(element) {
  const details = /** @type {HTMLDetailsElement | null | undefined} */ (element);
  if (!details || resting) return;
  details.open = true;
  /** @type {HTMLElement | null} */
  const field = details.querySelector("select, textarea");
  field?.focus();
}

/** @type {Record<string, () => void>} */
const act = {
  j: () => click(document.querySelector("a[rel='next']")),
  k: () => click(document.querySelector("a[rel='prev']")),
  a: () => press("a"),
  D: () => press("D"),
  u: () => press("u"),
  n: () => step(1),
  p: () => step(-1),
  d: () => click(current?.querySelector("[data-drop]")),
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
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest("textarea, input:not([type='checkbox']), select")) {
    if (event.key === "Escape") target.blur();
    return;
  }
  if (event.key === "Escape" && current) {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    if (current.contains(focused)) focused?.blur();
    choose(null);
    return;
  }
  const wanted = /^[1-9]$/.test(event.key) ? () => goTo(questions[Number(event.key) - 1]) : act[event.key];
  if (!on.checked || !wanted) return;
  event.preventDefault();
  wanted();
});

document.querySelector("[data-reject]")?.addEventListener("toggle", (event) => {
  if (/** @type {HTMLDetailsElement} */ (event.target).open) reason?.focus();
});
document.querySelector("[data-chosen-reason]")?.addEventListener("change", (event) => {
  const { value, selectedOptions } = /** @type {HTMLSelectElement} */ (event.target);
  if (value && reason) reason.value = selectedOptions[0].text;
});
if (reason?.getAttribute("aria-invalid") === "true") reason.focus();
// Back from a decision about one question, on it.
if (location.hash.startsWith("#question-")) goTo(document.getElementById(location.hash.slice(1)));
