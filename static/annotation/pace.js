/** Pace and pay, without a page: what has been earned for the time so far, and when an idle worker is warned. */

// Seconds of work before a rate is said: sooner it would jump about.
const LEAST_SECONDS = 60;
const WARN_SECONDS = 300;
const WARN_SHARE = 0.2;

/**
 * The US dollars an hour that the work comes to so far, in cents, or null while there is too little to go by. The
 * reward counts for the share of the work that is done.
 * @param {{rewardUsd: number, done: number, count: number, activeSeconds: number}} so_far
 */
export function hourlyRate({ rewardUsd, done, count, activeSeconds }) {
  if (!done || activeSeconds < LEAST_SECONDS) return null;
  return Math.round((rewardUsd * (done / count) * 360_000) / activeSeconds) / 100;
}

/**
 * Whether somebody who is away should be called back: the last fifth of the time runs, or its last five minutes.
 * @param {{isActive: boolean, leftSeconds: number, allowedSeconds: number}} now
 */
export function callsBack({ isActive, leftSeconds, allowedSeconds }) {
  if (isActive || leftSeconds <= 0) return false;
  return leftSeconds <= Math.max(WARN_SECONDS, allowedSeconds * WARN_SHARE);
}

/**
 * What is done of the work: paragraphs when writing, questions when answering.
 * @param {import("./state.js").Work} work
 */
export function progress(work) {
  const { paragraphs } = work;
  if (work.writes) {
    return { done: paragraphs.filter((one) => work.progressOf(one) === "done").length, count: paragraphs.length };
  }
  const questions = paragraphs.flatMap((one) => one.questions);
  return { done: questions.filter((one) => work.stateOf(one) === "done").length, count: questions.length };
}
