/** What the server put into the page: its data, its sentences, and the parts that scripts fill. */

/** @type {import("./state.js").PageData} */
export const data = JSON.parse(document.getElementById("work-data")?.textContent ?? "{}");
/** @type {import("./words.js").Sentences} */
export const words = JSON.parse(document.getElementById("work-words")?.textContent ?? "{}");

/** Whether the HIT is accepted: a preview is read and nothing else. */
export const enabled = Boolean(data.token);
export const writes = data.kind === "write";

/**
 * The part of that name, or null where this page has none.
 * @param {string} name
 */
export function maybePart(name) {
  return /** @type {HTMLElement | null} */ (document.querySelector(`[data-part="${name}"]`));
}

/**
 * The part of that name.
 * @param {string} name
 */
export function part(name) {
  const found = maybePart(name);
  if (!found) throw new Error(`The page has no part ${name}`);
  return found;
}

/**
 * The button of that name.
 * @param {string} name
 */
export function button(name) {
  return /** @type {HTMLButtonElement} */ (part(name));
}
