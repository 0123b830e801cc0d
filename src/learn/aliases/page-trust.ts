import { entryOf } from "../../base/tallies.ts";
import { createNormalizer } from "../../index.ts";
import { parseTrust } from "../../site-rules/language/rule-file.ts";
import { statedUrls } from "../collect/collector.ts";
import { splitUrl } from "../site/site.ts";
import { SELF } from "../site/statements.ts";
import { type Declarations, declarations, MOST_SELF_LINKS } from "../text/declarations.ts";
import type { AnswerHeaders } from "../text/link-header.ts";
import { shapesOf } from "./shape.ts";

/** Holds the option of `PageTrust`. */
export interface PageTrustOptions {
  /** With false, `sameAs` returns nothing. @default true */
  readonly trust?: boolean;
}

/**
 * Tells which URLs a page that was just fetched says it is, as far as a file of rules trusts that. A crawler adds them
 * to its set of seen URLs. Whoever writes a page can forge such links, so it believes only URLs of its host and of
 * shapes that were right before: 1,000 a page at most.
 *
 * @example
 * const file = "#urlmill-rules 1\na.org\t/t ?p\ttrust self #p<N>\n";
 * const trust = new PageTrust(file);
 * const page = '<a href="/t?p=7#p7">link</a><p id="p7">';
 * await trust.sameAs("http://a.org/topic/1", page); // ["http://a.org/t?p=7"]
 */
export class PageTrust {
  readonly #normalizer = createNormalizer({ preset: "safe" });
  /** Holds the least number of URLs that a page must state, by site, then by statement and shape. */
  readonly #sites = new Map<string, Map<string, number>>();

  /** Takes the text of a file of rules. Throws `BAD_RULES` for any other text. */
  constructor(rules: string, { trust = true }: PageTrustOptions = {}) {
    for (const { site, shape, statement, isTrusted, fewest } of parseTrust(rules)) {
      const own = this.#sites.get(site) ?? new Map<string, number>();
      if (trust) this.#sites.set(site, own);
      const id = `${statement} ${shape}`;
      own.set(id, Math.max(isTrusted ? fewest : Infinity, own.get(id) ?? 1));
    }
  }

  /**
   * Returns other URLs of the page at `url`, after redirects, in normal form and without fragments. `page` is its HTML,
   * or what `declarations` made of it. Call it for pages only, not for errors. Rejects with what `Normalizer.normalize`
   * throws for `url`, and with `PACKAGE_MISSING` without `htmlparser2`.
   */
  async sameAs(
    url: string,
    page: string | Declarations,
    headers?: AnswerHeaders,
  ): Promise<string[]> {
    const normal = this.#normalizer.normalize(url);
    const place = splitUrl(normal);
    const trusted = this.#sites.get(place?.site ?? "");
    if (trusted === undefined) return [];
    const said = typeof page === "string" ? await declarations(page, url, headers) : page;
    const byShape = new Map<string, Set<string>>();
    for (const { url: other, target, kind } of statedUrls(said, normal, this.#normalizer)) {
      const shape = target === place?.target ? null : knownShape(target, kind, trusted);
      if (shape !== null)
        entryOf(byShape, shape, () => new Set()).add(other.split("#", 1)[0] as string);
    }
    const found = [...byShape].flatMap(([shape, urls]) =>
      urls.size < (trusted.get(shape) as number) ? [] : [...urls],
    );
    return [...new Set(found)].slice(0, MOST_SELF_LINKS);
  }
}

/** Returns the shape of a statement that the rules know: the narrow one, else the wide one; or null. */
function knownShape(
  target: string,
  kind: string,
  trusted: ReadonlyMap<string, number>,
): string | null {
  const statement = kind.startsWith(SELF) ? `self ${kind}` : kind;
  const { narrow, wide } = shapesOf(target, kind);
  return [`${statement} ${narrow}`, `${statement} ${wide}`].find((id) => trusted.has(id)) ?? null;
}
