/** Whether somebody is typing just now: remarks wait until they pause or leave the field. */

// Without a key for so long somebody has stopped to think.
const PAUSE_MS = 1500;

let isPressed = false;
for (const type of ["pointerdown", "pointerup", "pointercancel"]) {
  document.addEventListener(type, () => (isPressed = type === "pointerdown"), { capture: true });
}

export class Typing {
  /** @param {() => void} onEnd */
  constructor(onEnd) {
    this.onEnd = onEnd;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  get isGoingOn() {
    return this.timer !== undefined;
  }

  noteKey() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(), PAUSE_MS);
  }

  /** The field was left, or no key fell for a while. */
  end() {
    if (!this.isGoingOn) return;
    clearTimeout(this.timer);
    if (!isPressed) {
      this.#tell();
      return;
    }
    // What comes up now could push a button from under the pointer, between pressing it and letting go.
    const later = () => setTimeout(() => this.#tell(), 0);
    document.addEventListener("pointerup", later, { capture: true, once: true });
    document.addEventListener("pointercancel", later, { capture: true, once: true });
  }

  #tell() {
    this.timer = undefined;
    this.onEnd();
  }
}
