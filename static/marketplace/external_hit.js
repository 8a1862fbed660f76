/**
 * What Mechanical Turk's externalHIT_v1.js offered to a HIT's own scripts, for pages that were written for it:
 * turkGetParam, turkGetSubmitToHost and turkSetAssignmentID. A classic script, as those pages call global functions.
 */

(() => {
  const PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE";
  const ownHost = new URL(/** @type {HTMLScriptElement} */ (document.currentScript).src).origin;

  /**
   * The address parameter `name` of this page, or `fallback` where there is none.
   * @param {string} name
   * @param {string} fallback
   */
  const turkGetParam = (name, fallback = "") => new URLSearchParams(window.location.search).get(name) ?? fallback;

  /** Where the form is to be sent, without the path. */
  const turkGetSubmitToHost = () => turkGetParam("turkSubmitTo", ownHost).replace(/\/+$/, "");

  /**
   * Put the assignment's id into the form called mturk_form; in a preview, switch its submit button off.
   * @param {string} [given]
   */
  const turkSetAssignmentID = (given) => {
    const assignmentId = given ?? turkGetParam("assignmentId");
    const form = /** @type {HTMLFormElement | null} */ (document.getElementById("mturk_form"));
    const field = document.getElementById("assignmentId") ?? form?.elements.namedItem("assignmentId");
    if (form) form.action = `${turkGetSubmitToHost()}/mturk/externalSubmit`;
    if (field) /** @type {HTMLInputElement} */ (field).value = assignmentId;
    const button = /** @type {HTMLInputElement | HTMLButtonElement | null} */ (document.getElementById("submitButton"));
    if (assignmentId !== PREVIEW || !button) return;
    const words = "Accept the HIT first, then submit";
    button.disabled = true;
    if (button instanceof HTMLInputElement) button.value = words;
    else button.textContent = words;
  };

  Object.assign(window, { turkGetParam, turkGetSubmitToHost, turkSetAssignmentID });
})();
