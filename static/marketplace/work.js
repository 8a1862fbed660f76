/** The working page: when the frame says that it was submitted, show what comes next. */

import "./frame.js";
import "./times.js";

const frame = /** @type {HTMLIFrameElement} */ (document.querySelector("[data-frame]"));
// This page goes on by itself, so nobody needs a button that takes a second HIT before the first is submitted.
/** @type {HTMLElement} */ (document.querySelector("[data-by-hand]")).hidden = true;
// And the box is for this script alone, so it is shown by it.
/** @type {HTMLElement} */ (document.querySelector("[data-auto]")).hidden = false;
const auto = /** @type {HTMLInputElement} */ (document.querySelector("[data-auto] input[name=auto]"));

// The frame's last page is ours. Inside a sandbox without allow-same-origin its origin is the word "null"; a
// requester's page that forged the message would only make this page ask the server how things stand.
window.addEventListener("message", (event) => {
  if (event.source !== frame.contentWindow || event.data?.marketplace !== "submitted") return;
  const next = new URL(window.location.href);
  next.searchParams.delete("auto");
  if (auto.checked) next.searchParams.set("auto", "1");
  window.location.replace(next);
});
