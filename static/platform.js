/** What every page of the platform does once it is there: times in the reader's own zone. */

for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[datetime]"))) {
  const moment = new Date(time.dateTime);
  if (Number.isNaN(moment.valueOf())) continue;
  /** @type {Intl.DateTimeFormatOptions} a moment of today says no day */
  const style = "clock" in time.dataset ? { timeStyle: "medium" } : { dateStyle: "medium", timeStyle: "short" };
  time.title = time.textContent;
  time.textContent = moment.toLocaleString(document.documentElement.lang, style);
}
