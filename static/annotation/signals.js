/** What is counted while a question is typed: evidence for reviewers, told to the worker in the page's privacy note. */

/**
 * `untyped_characters` came without a key each: by paste, autofill, dictation or a script. `late_edits` are returns to
 * a question that had been left with text in it, and changed then.
 * @typedef {{
 *   active_seconds: number, keys: number, pastes: number, untyped_characters: number, late_edits: number,
 * }} Signals
 */

/**
 * Counts as they were saved, or from nothing.
 * @param {Partial<Signals>} [saved]
 * @returns {Signals}
 */
export function signalsFrom(saved = {}) {
  return { active_seconds: 0, keys: 0, pastes: 0, untyped_characters: 0, late_edits: 0, ...saved };
}

const MODIFIERS = ["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"];

/** Counts into a question's signals what happens in its field; knows no field itself. */
export class TypingCounter {
  /**
   * @param {Signals} signals
   * @param {string} text what the field holds
   */
  constructor(signals, text) {
    this.signals = signals;
    this.length = text.length;
    this.isDrafted = Boolean(text.trim());
    this.isEdited = false;
    this.keysSinceInput = 0;
  }

  /** @param {string} key as a keyboard event names it */
  key(key) {
    if (MODIFIERS.includes(key)) return;
    this.signals.keys += 1;
    this.keysSinceInput += 1;
  }

  paste() {
    this.signals.pastes += 1;
  }

  /**
   * The field holds `text` now. Input methods, and keyboards on a screen, put in several characters at a time
   * (`isComposed`): those are typed too.
   * @param {string} text
   * @param {boolean} isComposed
   */
  input(text, isComposed) {
    const grown = text.length - this.length;
    if (!isComposed && grown > this.keysSinceInput) this.signals.untyped_characters += grown - this.keysSinceInput;
    this.length = text.length;
    this.keysSinceInput = 0;
    if (this.isDrafted && !this.isEdited) this.signals.late_edits += 1;
    this.isEdited = true;
  }

  /** @param {string} text */
  left(text) {
    this.isDrafted = Boolean(text.trim());
    this.isEdited = false;
  }
}

/**
 * Count what happens in `field` into `signals`.
 * @param {HTMLTextAreaElement} field
 * @param {Signals} signals
 */
export function watchField(field, signals) {
  const counter = new TypingCounter(signals, field.value);
  field.addEventListener("keydown", (event) => counter.key(event.key), { capture: true });
  field.addEventListener("paste", () => counter.paste(), { capture: true });
  field.addEventListener("blur", () => counter.left(field.value));
  field.addEventListener(
    "input",
    (event) => {
      const type = event instanceof InputEvent ? event.inputType : "";
      counter.input(field.value, type === "insertCompositionText" || type === "insertReplacementText");
    },
    { capture: true },
  );
}
