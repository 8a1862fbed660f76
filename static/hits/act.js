/** A double click on a button that does something does it once, and shows what came of that. */

for (const form of document.querySelectorAll("[data-once]")) {
  let isSent = false;
  form.addEventListener("submit", (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });
  window.addEventListener("pageshow", () => {
    isSent = false;
  });
}
