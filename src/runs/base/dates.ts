/** Says what comes first in the dates of a list: the day or the month. */
export type DateOrder = "dmy" | "mdy";

/** Matches a date whose year is last, such as 31.01.2023 or 1/31/2023 4:05 PM, with the time after it. */
const DATE =
  /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:,?[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?: ?([AP])\.?M\.?)?)?$/i;

/** Returns whether a text is a date that compares wrongly byte by byte. */
export function isYearLast(text: string): boolean {
  return DATE.test(text.trim());
}

/** Returns a date as a number, YYYYMMDDhhmmss, which compares as the date does; or an empty text if it is not such a date. */
export function sortableDate(text: string, order: DateOrder): string {
  const [, first, , second, year, hours = "0", minutes = "0", seconds = "0", half] =
    DATE.exec(text.trim()) ?? [];
  if (first === undefined || second === undefined || year === undefined) return "";
  const [day, month] =
    order === "dmy" ? [Number(first), Number(second)] : [Number(second), Number(first)];
  const last = new Date(Date.UTC(Number(year), month, 0)).getUTCDate();
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= last;
  const hour =
    half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
  if (!isDay || hour > 23) return "";
  const parts = [month, day, hour, Number(minutes), Number(seconds)];
  return year + parts.map((part) => String(part).padStart(2, "0")).join("");
}
