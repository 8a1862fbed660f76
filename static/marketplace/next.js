/** Accepts the next HIT of the group, as the worker asked before. */

document.querySelector("[data-action=accept]").requestSubmit();
