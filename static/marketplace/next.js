/** Accepts the next HIT of the group, as the worker asked before. */

/** @type {HTMLFormElement} */ (document.querySelector("[data-action=accept]")).requestSubmit();
