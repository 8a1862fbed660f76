/**
 * The plain form elements of Crowd HTML Elements, for pages that were written with them. `<crowd-form>` becomes a form
 * that sends one answer, `taskAnswers`: a JSON list of one object with a member for each name in the form.
 *
 * Each crowd element turns into the HTML element that does the same, so that labels, the keyboard and validation are
 * the browser's own. A classic script, to be loaded with or before the form like the original.
 */

(() => {
  const PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE";
  const parameters = new URLSearchParams(window.location.search);
  const ownHost = new URL(/** @type {HTMLScriptElement} */ (document.currentScript).src).origin;
  let made = 0;

  /**
   * @template {keyof HTMLElementTagNameMap} Tag
   * @param {Tag} tag
   * @param {Record<string, any>} attributes
   * @param {(Node | string)[]} children
   */
  const element = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === true) node.setAttribute(name, "");
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
    }
    node.append(...children);
    return node;
  };

  /**
   * Attributes of `old` that mean the same on the element that takes its place.
   * @param {Element} old
   * @param {string[]} names
   */
  const kept = (old, ...names) =>
    Object.fromEntries(names.filter((name) => old.hasAttribute(name)).map((name) => [name, old.getAttribute(name)]));

  const COMMON = ["name", "value", "required", "disabled", "id", "class", "title", "style"];

  /**
   * @param {Element} old
   * @param {HTMLElement} input
   */
  const field = (old, input) => {
    input.id ||= `crowd-${(made += 1)}`;
    const label = old.getAttribute("label") ?? old.getAttribute("placeholder") ?? old.getAttribute("name") ?? "";
    return element("p", {}, element("label", { for: input.id }, label), element("br"), input);
  };

  /**
   * A choice with its words beside it; what stood inside the old element is the words.
   * @param {Element} old
   * @param {string} type
   * @param {string | null} name
   */
  const choice = (old, type, name) => {
    const attributes = { ...kept(old, ...COMMON, "checked"), type, name, "data-crowd": old.localName };
    return element("p", {}, element("label", {}, element("input", attributes), " ", ...old.childNodes));
  };

  /** @type {Record<string, (old: Element) => HTMLElement>} */
  const REPLACED = {
    "crowd-input": (old) =>
      field(
        old,
        element("input", {
          ...kept(old, ...COMMON, "placeholder", "min", "max", "step"),
          type: old.getAttribute("type") ?? "text",
          maxlength: old.getAttribute("max-length"),
          minlength: old.getAttribute("min-length"),
          pattern: old.getAttribute("allowed-pattern"),
          autofocus: old.hasAttribute("auto-focus"),
        }),
      ),
    "crowd-text-area": (old) => {
      const attributes = kept(old, ...COMMON.filter((name) => name !== "value"), "placeholder", "rows", "cols");
      const area = element("textarea", { rows: 4, cols: 60, ...attributes, maxlength: old.getAttribute("max-length") });
      area.value = old.getAttribute("value") ?? "";
      return field(old, area);
    },
    "crowd-slider": (old) => {
      const attributes = kept(old, ...COMMON, "min", "max", "step");
      return field(old, element("input", { ...attributes, type: "range", "data-crowd": "number" }));
    },
    "crowd-checkbox": (old) => choice(old, "checkbox", old.getAttribute("name")),
    "crowd-radio-group": (old) => {
      const group = `crowd-group-${(made += 1)}`;
      for (const button of old.querySelectorAll("crowd-radio-button")) {
        const replacement = choice(button, "radio", group);
        const input = /** @type {HTMLInputElement} */ (replacement.querySelector("input"));
        input.dataset.crowdName = button.getAttribute("name") ?? "";
        button.replaceWith(replacement);
      }
      return element("fieldset", {}, ...old.childNodes);
    },
    "crowd-classifier": (old) => {
      const name = old.getAttribute("name") ?? "annotatedResult";
      const target = old.querySelector("classification-target");
      const box = element("fieldset", {}, element("legend", {}, old.getAttribute("header") ?? name));
      if (target) box.append(...target.childNodes);
      for (const category of listOf(old.getAttribute("categories"))) {
        const attributes = { type: "radio", name, value: category, required: true, "data-crowd": "classifier" };
        box.append(element("p", {}, element("label", {}, element("input", attributes), ` ${category}`)));
      }
      box.append(...old.querySelectorAll("full-instructions, short-instructions"));
      return box;
    },
    "crowd-button": (old) => {
      const type = old.getAttribute("form-action") ?? old.getAttribute("type") ?? "button";
      return element("button", { ...kept(old, ...COMMON), type: type === "none" ? "button" : type }, ...old.childNodes);
    },
    "crowd-instructions": (old) => details(old, old.getAttribute("link-text") ?? "Instructions"),
    "full-instructions": (old) => details(old, old.getAttribute("header") ?? "Full instructions"),
    "short-instructions": (old) => element("section", {}, ...old.childNodes),
  };

  /**
   * @param {Element} old
   * @param {string} words
   */
  const details = (old, words) => element("details", {}, element("summary", {}, words), ...old.childNodes);

  /**
   * The strings of a list such as `["a", "b"]` or `['a', 'b']`; the second is not JSON, but is what pages have.
   * @param {string | null} text
   * @returns {string[]}
   */
  function listOf(text) {
    for (const attempt of [text ?? "", (text ?? "").replaceAll("'", '"')]) {
      try {
        const list = JSON.parse(attempt);
        if (Array.isArray(list)) return list.map(String);
      } catch {
        // Tried the next way below.
      }
    }
    return [];
  }

  /**
   * What the form holds, as one object by name: text as it is, a box or button as its value with true or false.
   * @param {HTMLFormElement} form
   */
  function answersIn(form) {
    /** @type {Record<string, any>} */
    const answers = {};
    // Whatever of these properties an element lacks, it has no use for.
    for (const input of /** @type {Iterable<any>} */ (form.elements)) {
      const { name, value, type, dataset } = input;
      if (dataset.crowd === "crowd-radio-button") {
        answers[dataset.crowdName] = { [input.getAttribute("value") ?? "on"]: input.checked };
      } else if (!name || input.disabled || ["submit", "button", "reset", "file"].includes(type)) {
        continue;
      } else if (dataset.crowd === "crowd-checkbox") {
        answers[name] = input.hasAttribute("value") ? { ...answers[name], [value]: input.checked } : input.checked;
      } else if (dataset.crowd === "classifier") {
        if (input.checked) answers[name] = { label: value };
      } else if (dataset.crowd === "number") {
        answers[name] = Number(value);
      } else if (type === "checkbox" || type === "radio") {
        answers[name] = { ...answers[name], [value]: input.checked };
      } else if (type === "select-multiple") {
        answers[name] = [.../** @type {HTMLSelectElement} */ (input).selectedOptions].map((option) => option.value);
      } else {
        answers[name] = value;
      }
    }
    return answers;
  }

  /** @param {Record<string, any>} answers */
  function send(answers) {
    const host = (parameters.get("turkSubmitTo") ?? ownHost).replace(/\/+$/, "");
    const form = element("form", { method: "post", action: `${host}/mturk/externalSubmit`, hidden: true });
    const fields = { assignmentId: parameters.get("assignmentId") ?? "", taskAnswers: JSON.stringify([answers]) };
    for (const [name, value] of Object.entries(fields)) form.append(element("input", { type: "hidden", name, value }));
    document.body.append(form);
    form.submit();
  }

  /** Looks for a page that has none of its own: any rule of the page's weighs more than these. */
  const LOOKS = `
    :where(crowd-form) { display: block; max-width: 48rem; margin: 1rem; font: 1rem/1.5 system-ui, sans-serif; }
    :where(crowd-form) :where(input:not([type=checkbox], [type=radio], [type=range]), textarea, select) {
      font: inherit; padding: 0.45rem 0.6rem; width: 100%; box-sizing: border-box;
      border: 1px solid #87979c; border-radius: 6px; }
    :where(crowd-form) :where(fieldset) {
      border: 1px solid #d9e0e1; border-radius: 8px; margin: 1rem 0; padding: 0.5rem 1rem; }
    :where(crowd-form) :where(details) { margin: 1rem 0; padding: 0.5rem 1rem; background: #f4f6f5; }
    :where(crowd-form) :where(button) {
      font: inherit; padding: 0.5rem 1.1rem; border: 0; border-radius: 6px; background: #0f5e59; color: #fff; }
    :where(crowd-form) :where(button:disabled) { background: #d9e0e1; color: #55656c; }`;

  /** @param {Element} crowdForm */
  function upgrade(crowdForm) {
    for (const [tag, replacement] of Object.entries(REPLACED)) {
      for (const old of crowdForm.querySelectorAll(tag)) old.replaceWith(replacement(old));
    }
    const form = element("form", {}, ...crowdForm.childNodes);
    /** @type {HTMLButtonElement | HTMLInputElement | null} */
    let button = form.querySelector("button[type=submit], button:not([type]), input[type=submit]");
    if (!button) {
      button = element("button", { type: "submit" }, "Submit");
      form.append(element("p", {}, button));
    }
    if ((parameters.get("assignmentId") ?? PREVIEW) === PREVIEW) {
      button.disabled = true;
      button.textContent = "Accept the HIT first, then submit";
    }
    // The form stands inside <crowd-form>, so that what the page's scripts put on that element still hears of it first.
    crowdForm.replaceChildren(form);
    Object.assign(crowdForm, { submit: () => send(answersIn(form)) });
    document.addEventListener("submit", (event) => {
      if (event.target !== form || event.defaultPrevented) return; // a script of the page's own found something missing
      event.preventDefault();
      send(answersIn(form));
    });
  }

  function start() {
    document.head.prepend(element("style", {}, LOOKS));
    document.querySelectorAll("crowd-form").forEach(upgrade);
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
