/** The top line's account of the work: pay, suggested time, progress, the rate so far; and the call to who is away. */

import { callsBack, hourlyRate, progress } from "./pace.js";
import { data, part, words, writes } from "./page.js";
import { duration, fill } from "./words.js";

export class PaceLine {
  /**
   * @param {import("./state.js").Work} work
   * @param {import("./clock.js").Clock} clock
   */
  constructor(work, clock) {
    this.work = work;
    this.clock = clock;
    const { count } = progress(work);
    const each = count > 1 ? fill(words[writes ? "a_paragraph" : "a_question"], {
      time: duration(words, data.pay.paid_seconds / count),
    }) : "";
    const whole = fill(words.pay, { reward: data.pay.reward_usd, time: duration(words, data.pay.paid_seconds) });
    part("pay").textContent = each ? `${whole} (${each})` : whole;
  }

  show() {
    const { work, clock } = this;
    const { done, count } = progress(work);
    const said = count > 1 ? [fill(words[writes ? "paragraphs_done" : "questions_done"], { done, count })] : [];
    const rate = hourlyRate({
      rewardUsd: Number(data.pay.reward_usd),
      done,
      count,
      activeSeconds: work.paragraphs.reduce((sum, one) => sum + one.activeSeconds, 0),
    });
    if (rate !== null) said.push(fill(words.rate_so_far, { rate: rate.toFixed(2) }));
    part("pace").textContent = said.join(" · ");
    const leftSeconds = clock.leftSeconds();
    const away =
      leftSeconds !== null &&
      callsBack({ isActive: clock.isActive, leftSeconds, allowedSeconds: data.pay.allowed_seconds });
    if (away && part("away").hidden) {
      part("away-text").textContent = fill(words.away, { time: duration(words, leftSeconds) });
    }
    part("away").hidden = !away;
  }
}
