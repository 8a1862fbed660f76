/** What the page says about saving: the line at its foot, and the banners for what needs the worker. */

import { CONFLICT, OFFLINE, REFUSED, SAVED, SAVING } from "./autosave.js";
import { part, words } from "./page.js";
import { duration, fill } from "./words.js";

export class SavingLine {
  /**
   * `isSaved`: the work is on the server as the page begins. `keep(version)` is told that the worker wants what is on
   * this page, and not the version that came from another window.
   * @param {{isSaved: boolean, keep: (version: number) => void}} options
   */
  constructor({ isSaved, keep }) {
    this.keep = keep;
    /** @type {number | null} when it was saved, in the page's milliseconds; 0 where that was before it began */
    this.savedAt = isSaved ? 0 : null;
    /** @type {import("./autosave.js").Status | null} */
    this.status = isSaved ? SAVED : null;
    this.isSending = false;
    this.tryAt = 0; // when the next try to save is made, in the page's milliseconds
  }

  /**
   * @param {import("./autosave.js").Status} status
   * @param {any} reply the server's, where it refused
   */
  tell(status, reply) {
    this.status = status;
    if (status === SAVED) this.savedAt = performance.now();
    if (status === OFFLINE) this.tryAt = performance.now() + reply.waitMs;
    part("notice").hidden = status !== OFFLINE;
    if (status === CONFLICT && reply.code === "stale") this.showConflict(reply);
    else if (status === CONFLICT || status === REFUSED) this.showRefused(reply);
    this.show();
  }

  show() {
    if (this.isSending) {
      part("saved").textContent = words.sending;
      return;
    }
    const since = this.savedAt ? (performance.now() - this.savedAt) / 1000 : 0;
    const until = Math.ceil((this.tryAt - performance.now()) / 1000);
    const lines = {
      [SAVED]: since < 2 ? words.saved : fill(words.saved_ago, { ago: duration(words, since) }),
      [SAVING]: words.saving,
      [OFFLINE]: until < 2 ? words.not_saved : fill(words.next_try, { time: duration(words, until) }),
      [CONFLICT]: words.not_saved,
      [REFUSED]: words.not_saved,
    };
    part("saved").textContent = this.status ? lines[this.status] : "";
    part("saved").dataset.status = this.status ?? "";
  }

  /** @param {{version: number}} reply */
  showConflict(reply) {
    part("conflict").hidden = false;
    part("keep").onclick = () => {
      part("conflict").hidden = true;
      this.keep(reply.version);
    };
  }

  /** @param {{detail?: string}} reply */
  showRefused(reply) {
    part("refused").hidden = false;
    part("refused-text").textContent = reply.detail ?? words.refused;
  }
}
