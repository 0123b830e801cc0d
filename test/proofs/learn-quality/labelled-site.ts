import { detectFormat, type LearnRecord, RecordReader, simClasses } from "urlmill/learn";

/** Holds a site whose pages are known, for measuring rules. */
export interface LabelledSite {
  readonly name: string;
  readonly urls: readonly LabelledUrl[];
}

/** Holds a URL and the page that it leads to. */
export interface LabelledUrl {
  readonly url: string;
  /** The class of its page. */
  readonly page: string;
  readonly size: number | undefined;
  /** What the page declares of itself, as far as a record can hold it. */
  readonly said?: Said | undefined;
}

/** What a page declares of itself, as members of a record. */
export type Said = Pick<LearnRecord, "canonical" | "shortlink" | "og" | "self">;

/**
 * Reads a list in any format that `learn` reads, which the first line tells. The page of a URL is its fingerprint; those of the
 * kind `sim` are near-duplicates. Only pages that were found count, and of a URL that stands twice the last one. TSV with a
 * column `nsh`, the number of shingles of a page, has -1 there for what is not HTML: it is left out. `declared` is TSV with a
 * header, a row a statement of a page: `url`, `field`, `target` and, for the field `self`, `fragment`.
 */
export function readLabelledSite(name: string, text: string, declared = ""): LabelledSite {
  const said = readSaid(declared);
  const urls = new Map<string, LabelledUrl>();
  const pages = pagesOf(recordsOf(name, withoutOthers(text)));
  for (const { url, page, size, canonical, shortlink, og, self } of pages) {
    const own = Object.entries({ canonical, shortlink, og, self }).filter(
      ([, value]) => value !== undefined,
    );
    urls.set(url, { url, page, size, said: said.get(url) ?? Object.fromEntries(own) });
  }
  if (urls.size === 0) throw new Error(`${name}: not one URL has a fingerprint of its page`);
  return { name, urls: [...urls.values()] };
}

/** Reads the records of a list. Throws for one that has lines which cannot be read. */
function recordsOf(name: string, text: string): LearnRecord[] {
  const reader = new RecordReader(detectFormat(text.slice(0, 1 << 14), name));
  const records = reader.push(Buffer.from(text), true);
  const [error] = reader.errors;
  if (error !== undefined) throw new Error(`${name}: line ${error.line}: ${error.reason}`);
  return records;
}

/** Returns TSV without the rows of what is not HTML. */
function withoutOthers(text: string): string {
  const column = text.slice(0, text.search(/\r?\n/)).split("\t").indexOf("nsh");
  if (column < 0) return text;
  return text
    .split("\n")
    .filter((line) => line.split("\t")[column]?.trim() !== "-1")
    .join("\n");
}

/** Returns the records of pages, with the page as a text that is equal for equal pages. */
function pagesOf(records: readonly LearnRecord[]): (LearnRecord & { page: string })[] {
  const pages = records.flatMap((record) => {
    const { fp, status = 200 } = record;
    if (fp === undefined || status < 200 || status > 299) return [];
    return [{ ...record, fp, page: fp.slice(fp.indexOf(":") + 1) }];
  });
  const near = pages.filter(({ fp }) => fp.startsWith("sim:"));
  const classes = simClasses(near.map(({ fp }) => fp));
  for (const [at, record] of near.entries()) record.page = `near ${classes[at]}`;
  return pages;
}

/** The members of a record, by the names that fields of pages have. */
const FIELDS = { canonical: "canonical", shortlink: "shortlink", "og:url": "og" } as const;

function readSaid(text: string): Map<string, Said> {
  const pages = new Map<
    string,
    { -readonly [Name in keyof Said]: Said[Name] } & { self: string[] }
  >();
  for (const line of text.split(/\r?\n/).slice(1)) {
    const [url = "", field = "", target, fragment] = line.split("\t");
    if (target === undefined) continue;
    const page = pages.get(url) ?? { self: [] };
    pages.set(url, page);
    if (field === "self") page.self.push(`${target}#${fragment}`);
    else page[FIELDS[field as keyof typeof FIELDS]] = target;
  }
  return pages;
}
