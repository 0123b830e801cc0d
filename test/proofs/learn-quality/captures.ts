import type { LearnRecord } from "urlmill/learn";
import { hashShare } from "./hold-out.ts";
import type { LabelledUrl } from "./labelled-site.ts";

/** Says how pages change between captures. */
export interface Changing {
  /** The share of captures that show a page which no other capture shows. */
  readonly changed: number;
  /** The share of URLs that were captured a second time. */
  readonly twice: number;
}

/** Returns the captures of URLs, whose pages change now and then, as records: the same each time. */
export function capturesOf(
  urls: readonly LabelledUrl[],
  { changed, twice }: Changing,
): LearnRecord[] {
  return urls.flatMap(({ url, page }) => {
    const capture = (time: number): LearnRecord => {
      const isOther = hashShare(`${time} changed ${url}`) < changed;
      return { url, fp: isOther ? `cls:changed ${time} ${url}` : `cls:${page}` };
    };
    return hashShare(`twice ${url}`) < twice ? [capture(1), capture(2)] : [capture(1)];
  });
}
