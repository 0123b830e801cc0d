import { SESSION_PAIR } from "../../../lists/session-ids.ts";
import type { LoadedProfile } from "../../../plan/decode.ts";

/** Lengths of the names that are session ids in pairs. */
const PAIRED_LENGTHS = SESSION_PAIR.map(({ length }) => length);

/**
 * Returns whether the options leave a query as it is, `[start, end)` of a URL, without its `?`, as far as one look at
 * each parameter can tell. In doubt it returns `false`.
 */
export function isSettledQuery(
  url: string,
  start: number,
  end: number,
  profile: LoadedProfile,
): boolean {
  if (start === end) return profile.emptyQuery === "keep";
  if (!hasOnlyNames(profile)) return false;
  const { listedParams, dropParams, sortQuery } = profile;
  let before = "";
  // Looked for once, so that a long query without any takes no longer.
  let equals = url.indexOf("=", start);
  for (let from = start; from <= end; ) {
    const next = url.indexOf("&", from);
    const stop = next < 0 || next > end ? end : next;
    if (stop === from) return false;
    if (equals >= 0 && equals < from) equals = url.indexOf("=", from);
    const name = url.slice(from, equals < 0 || equals > stop ? stop : equals);
    if (sortQuery !== "keep" && name < before) return false;
    if (listedParams?.has(name) || dropParams?.has(name)) return false;
    if ((name.charCodeAt(0) | 0x20) === 0x63 && PAIRED_LENGTHS.includes(name.length)) return false;
    before = name;
    from = stop + 1;
  }
  return true;
}

/** Whether the options look at names alone, one by one, and at nothing else of a query without `;`. */
function hasOnlyNames(profile: LoadedProfile): boolean {
  return (
    profile.case !== "lower-path-query" &&
    profile.sortQuery !== "name-value" &&
    profile.emptyValues === "keep" &&
    profile.repeatedParams === "keep" &&
    profile.valuelessParams === "keep" &&
    profile.keepParams === null &&
    profile.defaultParams === null
  );
}
