/**
 * Saving while the worker works: one request at a time, in order, tried again until it arrives.
 *
 * Each content that is sent has a version of its own, one more than the last. The server refuses a version that was
 * overtaken, which happens when the same work is open twice; then saving stops until the worker has chosen.
 */

const TYPING_MS = 700;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;

/** The states that `onStatus` is told of. */
export const SAVED = /** @type {const} */ ("saved");
export const SAVING = /** @type {const} */ ("saving");
export const OFFLINE = /** @type {const} */ ("offline");
export const CONFLICT = /** @type {const} */ ("conflict");
export const REFUSED = /** @type {const} */ ("refused");

/** @typedef {"saved" | "saving" | "offline" | "conflict" | "refused"} Status */
/** @typedef {import("./state.js").Content & {version: number}} Draft */
/** @typedef {{version: number, content: import("./state.js").Content}} Kept */
/** @typedef {{write: (kept: Kept) => void, clear: () => void}} Copy */

export class Autosave {
  /**
   * `send(body, {leaving})` resolves to `{status, reply}` or rejects where no answer came; `content()` gives what is
   * to be saved; `copy` keeps a second copy; `version` is the stored draft's. `onStatus` is told the reply where the
   * server refused, and `{waitMs}` until the next try where it did not answer.
   * @param {{
   *   send: (body: Draft, options: {leaving: boolean}) => Promise<import("./api.js").Outcome>,
   *   content: () => import("./state.js").Content,
   *   version: number,
   *   copy: Copy,
   *   onStatus: (status: Status, reply?: any) => void,
   * }} options
   */
  constructor({ send, content, version, copy, onStatus }) {
    this.send = send;
    this.content = content;
    this.version = version;
    this.copy = copy;
    this.onStatus = onStatus;
    this.stored = version;
    this.dirty = false;
    this.changes = 0;
    this.left = 0; // the number of changes when the page last went away
    this.stopped = false;
    /** @type {Promise<"again" | "done"> | null} */
    this.sending = null;
    this.retryMs = FIRST_RETRY_MS;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** Note a change; it is saved soon, or at once where `atOnce`. */
  changed(atOnce = false) {
    this.dirty = true;
    this.changes += 1;
    this.copy.write({ version: this.nextVersion, content: this.content() });
    if (this.stopped || this.sending) return;
    if (this.isFailing) return; // a try is due already: typing on must not make them more
    this.onStatus(SAVING); // from here on "saved" would not be true any more
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), atOnce ? 0 : TYPING_MS);
  }

  /** Whether the last try failed; each makes the pause before the next one longer. */
  get isFailing() {
    return this.retryMs > FIRST_RETRY_MS;
  }

  /** The version that the content has, or will have once it is sent. */
  get nextVersion() {
    return this.dirty ? this.version + 1 : this.version;
  }

  async save() {
    clearTimeout(this.timer);
    if (this.stopped || this.sending || !this.dirty) return;
    // While tries fail, the page keeps saying that it is not saved: a banner that came and went would move the text.
    if (!this.isFailing) this.onStatus(SAVING);
    this.sending = this.#request();
    const outcome = await this.sending;
    this.sending = null;
    if (outcome === "again") {
      this.dirty = true;
      this.timer = setTimeout(() => this.save(), this.retryMs);
      this.retryMs = Math.min(this.retryMs * 2, LAST_RETRY_MS);
    } else if (this.dirty) {
      this.changed();
    }
  }

  /** Wait for the request under way, so that nothing of ours can overtake what is sent next. */
  async settle() {
    clearTimeout(this.timer);
    this.stopped = true;
    await this.sending;
  }

  /** Go on after `settle` or a conflict; `version` is what the server has. */
  resume(version = this.version) {
    this.stopped = false;
    this.retryMs = FIRST_RETRY_MS;
    this.version = Math.max(version, this.version);
    this.changed(true);
  }

  /** Try again now: the network is back, or the worker asks for it. */
  wake() {
    this.retryMs = Math.min(this.retryMs, 2 * FIRST_RETRY_MS);
    if (this.dirty && !this.sending) this.save();
  }

  /** Send what is unsaved while the page goes away. The answer will not be seen, so the content stays unsaved. */
  leave() {
    if (!this.dirty || this.stopped || this.left === this.changes) return;
    this.left = this.changes;
    this.version += 1;
    this.send({ version: this.version, ...this.content() }, { leaving: true }).catch(() => {});
  }

  /** @returns {Promise<"again" | "done">} */
  async #request() {
    this.version += 1;
    this.dirty = false;
    let outcome;
    try {
      outcome = await this.send({ version: this.version, ...this.content() }, { leaving: false });
    } catch {
      this.onStatus(OFFLINE, { waitMs: this.retryMs });
      return "again";
    }
    const { status, reply } = outcome;
    if (status === 200) {
      this.retryMs = FIRST_RETRY_MS;
      this.stored = reply.version;
      if (!this.dirty) this.copy.clear();
      this.onStatus(SAVED);
      return "done";
    }
    if (status >= 500 || status === 429) {
      this.onStatus(OFFLINE, { waitMs: this.retryMs });
      return "again";
    }
    this.stopped = true;
    this.onStatus(status === 409 ? CONFLICT : REFUSED, reply);
    return "done";
  }
}

/** A value in the browser's own storage, where the frame may use it. It helps; nothing relies on it. */
export class Stored {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
  }

  /** Whether there is any storage here. */
  get works() {
    return Boolean(this.#attempt(() => localStorage));
  }

  /** @param {unknown} value */
  write(value) {
    this.#attempt(() => localStorage.setItem(this.name, JSON.stringify(value)));
  }

  /** The value, or null. */
  read() {
    return this.#attempt(() => JSON.parse(localStorage.getItem(this.name) ?? "null"));
  }

  clear() {
    this.#attempt(() => localStorage.removeItem(this.name));
  }

  /**
   * @template T
   * @param {() => T} act
   */
  #attempt(act) {
    try {
      return act();
    } catch {
      return null; // no storage in this frame, or none left
    }
  }
}
