/** The last step: hand the work to the server exactly once, however often the network fails on the way. */

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 15_000;

/** @typedef {{paragraph: number, question: import("./state.js").QuestionId | null, message: string}} Problem */

export class Finish {
  /**
   * `send(body)` as in Autosave. `on.busy(bool)`, `on.waiting()` for the network, `on.problems(errors)`,
   * `on.conflict(reply)`, `on.refused(reply)`, and `on.done(reply)` once the server has the work.
   * @param {{
   *   send: (body: object) => Promise<import("./api.js").Outcome>,
   *   autosave: import("./autosave.js").Autosave,
   *   content: () => import("./state.js").Content,
   *   on: {
   *     busy: (busy: boolean) => void, waiting: () => void, problems: (errors: Problem[]) => void,
   *     conflict: (reply: any) => void, refused: (reply: any) => void, done: (reply: any) => void,
   *   },
   * }} options
   */
  constructor({ send, autosave, content, on }) {
    this.send = send;
    this.autosave = autosave;
    this.content = content;
    this.on = on;
    this.busy = false;
    this.goOn = () => {};
  }

  /** Try again now, where the last try failed: the network is back, or the worker asks for it. */
  wake() {
    this.goOn();
  }

  async start() {
    if (this.busy) return;
    this.busy = true;
    this.on.busy(true);
    await this.autosave.settle();
    this.autosave.version += 1;
    const { status, reply } = await this.#arrive({ version: this.autosave.version, ...this.content() });
    this.busy = false;
    if (status === 200) {
      this.on.done(reply);
      return;
    }
    this.on.busy(false);
    if (status === 422) {
      this.autosave.resume();
      this.on.problems(reply.errors);
    } else if (status === 409 && reply.code === "stale") {
      this.on.conflict(reply);
    } else {
      this.on.refused(reply);
    }
  }

  /**
   * The server's answer to `body`, which is sent again until there is one: a repeat changes nothing there.
   * @param {object} body
   */
  async #arrive(body) {
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
      const outcome = await this.send(body).catch(() => null);
      if (outcome && outcome.status < 500) return outcome;
      this.on.waiting();
      await this.#pause(waitMs);
    }
  }

  /** @param {number} milliseconds */
  async #pause(milliseconds) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    await new Promise((resolve) => {
      this.goOn = () => resolve(undefined);
      timer = setTimeout(this.goOn, milliseconds);
    });
    clearTimeout(timer);
    this.goOn = () => {};
  }
}
