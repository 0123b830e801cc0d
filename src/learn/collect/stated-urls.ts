import type { Normalizer } from "../../index.ts";
import type { LearnRecord } from "../records/record.ts";
import { splitUrl } from "../site/site.ts";
import { SELF, withClasses } from "../site/statements.ts";

/** Holds what a page says of its URLs. */
export type Said = Pick<LearnRecord, "canonical" | "shortlink" | "og" | "self">;

/** Holds a URL that a page says leads to it too. */
export interface StatedUrl {
  /** Holds the URL in normal form, with its fragment. */
  readonly url: string;
  /** Holds its path and query. */
  readonly target: string;
  /** Names the member of records, or for self links `#` and the pattern of the fragment. */
  readonly kind: string;
}

/** Limits the self links of a page that are looked at: whoever writes a page can forge them. */
export const MOST_SELF_LINKS = 1000;
/** Limits the length of a fragment's pattern. */
const LONGEST_FRAGMENT = 64;

/** Yields the URLs of the page's own host that it states. `url` is that of the page, in normal form. */
export function* statedUrls(
  { canonical = "", shortlink = "", og = "", self = [] }: Said,
  url: string,
  normalizer: Normalizer,
): Generator<StatedUrl> {
  const links = [canonical, shortlink, og, ...self.slice(0, MOST_SELF_LINKS)];
  if (links.every((link) => link === "")) return;
  const site = splitUrl(url)?.site;
  const { urls } = normalizer.normalizeBatch(links, { base: url });
  for (const [at, named] of urls.entries()) {
    const place = links[at] === "" || named === null ? null : splitUrl(named);
    if (place === null || place.site !== site) continue;
    const kind = ["canonical", "shortlink", "og"][at] ?? kindOfSelfLink(named as string);
    yield { url: named as string, target: place.target, kind };
  }
}

function kindOfSelfLink(url: string): string {
  const [, ...fragment] = url.split("#");
  return SELF + withClasses(fragment.join("#").slice(0, LONGEST_FRAGMENT));
}
