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
  /** The simhash of its text, and how many shingles it has, if the list tells. */
  readonly sim?: string | undefined;
  readonly shingles?: number | undefined;
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
  const shingles = shinglesOf(text);
  const pages = pagesOf(recordsOf(name, text));
  for (const { url, fp, page, size, canonical, shortlink, og, self } of pages) {
    const count = shingles.get(url);
    if (count === NOT_HTML) continue;
    const own = Object.entries({ canonical, shortlink, og, self }).filter(
      ([, value]) => value !== undefined,
    );
    urls.set(url, {
      url,
      page,
      size,
      sim: fp.startsWith("sim:") ? fp.slice("sim:".length) : undefined,
      shingles: count,
      said: said.get(url) ?? Object.fromEntries(own),
    });
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

/** Stands in the column `nsh` for what is not HTML. */
const NOT_HTML = -1;

/** Returns how many shingles pages have, by their URLs: the column `nsh` of TSV. */
function shinglesOf(text: string): Map<string, number> {
  const [header = "", ...lines] = text.split(/\r?\n/);
  const columns = header.split("\t");
  const [url, count] = [columns.indexOf("url"), columns.indexOf("nsh")];
  if (count < 0) return new Map();
  return new Map(
    lines.map((line) => line.split("\t")).map((row) => [row[url] ?? "", Number(row[count])]),
  );
}

/** What a record of a page must have. */
interface Labels {
  readonly fp: string;
  page: string;
}

/** Returns the records of pages, with the page as a text that is equal for equal pages. */
function pagesOf(records: readonly LearnRecord[]): (LearnRecord & Labels)[] {
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
