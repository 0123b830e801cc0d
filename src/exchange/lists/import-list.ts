import { readAdGuard } from "./adguard.ts";
import { readBrave } from "./brave.ts";
import { readClearUrls } from "./clearurls.ts";
import { readFirefox } from "./firefox.ts";
import { type ImportedList, ListDraft } from "./list-draft.ts";
import { readPywb } from "./pywb.ts";

const READERS = {
  clearurls: readClearUrls,
  adguard: readAdGuard,
  brave: readBrave,
  firefox: readFirefox,
  pywb: readPywb,
} as const;

export type ListName = keyof typeof READERS;

export const LIST_NAMES = Object.keys(READERS) as ListName[];

/**
 * Reads a list of another project as rules. `day` is that of the list, as in `2026-11-26`. No rule is for more URLs than the
 * list has, but for those of an exception that `leftOut` has: hosts of rare endings, paths on any host in another case, and
 * with `losesExceptions` all that no rule can say. Throws `BAD_INPUT` for a text that does not have the form of the list.
 */
export function importList(
  text: string,
  from: ListName,
  day: string,
  losesExceptions = false,
): ImportedList {
  const draft = new ListDraft(losesExceptions, text.length);
  READERS[from](text, draft);
  return draft.take(`${from} ${day}`);
}
