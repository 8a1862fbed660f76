/** What every page of the platform does once it is there: times in the reader's own zone. */

for (const time of document.querySelectorAll("time[datetime]")) {
  const moment = new Date(time.dateTime);
  if (Number.isNaN(moment.valueOf())) continue;
  time.title = time.textContent;
  time.textContent = moment.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
}
