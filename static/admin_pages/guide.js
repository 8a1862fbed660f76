/** The preview beside the guide's editor follows what is typed; without this script its button shows it. */

const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-guide-form]"));
const button = /** @type {HTMLButtonElement} */ (form.querySelector("[data-preview]"));
const frame = /** @type {HTMLIFrameElement} */ (document.querySelector("iframe[name=guide-preview]"));
const PAUSE_MS = 350;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let asked = 0;

async function show() {
  const mine = ++asked;
  const answer = await fetch(button.formAction, { method: "POST", body: new FormData(form) }).catch(() => null);
  if (!answer?.ok || mine !== asked) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  // In place of a new page: the frame keeps its place, and the browser's history no step for each pause.
  frame.contentDocument?.body.replaceChildren(...page.body.childNodes);
}

form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(show, PAUSE_MS);
});

let isDirty = false;
form.addEventListener("input", () => (isDirty = true));
form.addEventListener("submit", (event) => {
  if (event.submitter !== button) isDirty = false;
});
addEventListener("beforeunload", (event) => {
  if (isDirty) event.preventDefault();
});
