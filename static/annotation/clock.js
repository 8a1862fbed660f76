/** Time: whether the worker is at work, and what is left of what the marketplace allows. */

import { data, part, words } from "./page.js";
import { duration, fill } from "./words.js";

// Seconds without a key, a click or a scroll after which a worker is taken to be away.
const IDLE_SECONDS = 60;
const SHORT_SECONDS = 120;

export class Clock {
  constructor() {
    this.startedAt = performance.now();
    this.activeAt = performance.now();
    for (const type of ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "touchstart"]) {
      document.addEventListener(type, () => (this.activeAt = performance.now()), { passive: true, capture: true });
    }
  }

  get isActive() {
    return document.visibilityState === "visible" && performance.now() - this.activeAt < IDLE_SECONDS * 1000;
  }

  /**
   * The seconds that the marketplace still allows; null in a preview. An estimate: when the worker accepted is not
   * known here, only when the page was first loaded.
   */
  leftSeconds() {
    const { opened_at: openedAt, server_now: now, allowed_seconds: allowed } = data.pay;
    if (!openedAt) return null;
    const before = Date.parse(now) - Date.parse(openedAt);
    return allowed - (before + performance.now() - this.startedAt) / 1000;
  }

  showTimeLeft() {
    const left = this.leftSeconds();
    if (left === null) return;
    part("time-left").textContent = left > 0 ? fill(words.left, { time: duration(words, left) }) : words.time_is_up;
    part("time-left").classList.toggle("short", left < SHORT_SECONDS);
  }
}
