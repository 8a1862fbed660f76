/** How the page looks, as the worker chose: kept in this browser where the frame may store anything. */

import { Stored } from "./autosave.js";
import { maybePart, part } from "./page.js";

const SYSTEM_DARK = "(prefers-color-scheme: dark)";
const CHOICES = /** @type {const} */ ({
  theme: ["system", "light", "dark"],
  text: ["normal", "large", "largest"],
  spacing: ["normal", "wide"],
});

/** @typedef {{theme: string, text: string, spacing: string}} Comfort */

const stored = new Stored("spanwright comfort");
const comfort = known(stored.read());

/**
 * `value`, read from storage, as far as it holds choices that there are.
 * @param {any} value
 * @returns {Comfort}
 */
function known(value) {
  const chosen = /** @type {Comfort} */ ({});
  for (const [name, choices] of Object.entries(CHOICES)) {
    const found = value?.[name];
    chosen[/** @type {keyof Comfort} */ (name)] = choices.some((one) => one === found) ? found : choices[0];
  }
  return chosen;
}

function apply() {
  const { theme, text, spacing } = comfort;
  document.documentElement.dataset.text = text;
  document.documentElement.dataset.spacing = spacing;
  const dark = /** @type {HTMLLinkElement} */ (part("dark"));
  dark.media = { system: SYSTEM_DARK, light: "not all", dark: "all" }[theme] ?? SYSTEM_DARK;
}

apply();
for (const name of /** @type {(keyof Comfort)[]} */ (Object.keys(CHOICES))) {
  const field = maybePart(`comfort-${name}`);
  if (!(field instanceof HTMLSelectElement)) continue; // a page that only says something follows the choices made before
  field.value = comfort[name];
  field.addEventListener("change", () => {
    comfort[name] = field.value;
    stored.write(comfort);
    apply();
  });
}

for (const link of maybePart("languages")?.querySelectorAll("a") ?? []) {
  const address = new URL(location.href);
  address.searchParams.set("lang", link.lang);
  link.href = address.href;
}

const panel = /** @type {HTMLDetailsElement | null} */ (maybePart("comfort"));
document.addEventListener("click", (event) => {
  if (panel && event.target instanceof Node && !panel.contains(event.target)) panel.open = false;
});
panel?.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !panel.open) return;
  event.stopPropagation();
  panel.open = false;
  panel.querySelector("summary")?.focus();
});
