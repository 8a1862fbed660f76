/** Times in the viewer's zone, and clocks that run down. Without this the page shows UTC and what was left on load. */

const CLOCK_STEP_MS = 1000;

/** `seconds` as a person reads them while they run down. @param {number} seconds */
export function runningDown(seconds) {
  const left = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(left / 3600);
  const minutes = Math.floor((left % 3600) / 60);
  if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  if (hours) return `${hours} h ${minutes} min`;
  return `${minutes}:${String(left % 60).padStart(2, "0")}`;
}

function showMoments() {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("[data-moment]"))) {
    time.title = time.textContent;
    time.textContent = format.format(new Date(time.dateTime));
  }
}

function startClocks() {
  const started = performance.now();
  const clocks = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-seconds-left]"));
  const step = () => {
    const passed = (performance.now() - started) / 1000;
    for (const clock of clocks) {
      const left = Number(clock.dataset.secondsLeft) - passed;
      clock.textContent = runningDown(left);
      clock.classList.toggle("short", left < 60);
    }
  };
  if (clocks.length) {
    step();
    setInterval(step, CLOCK_STEP_MS);
  }
}

showMoments();
startClocks();
