import type { LearnRecord } from "urlmill/learn";

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
 * Reads TSV with a header: `url` and a class in `cluster`, `cls`, else `text`, else `raw`; perhaps `size`.
 * Where a column `nsh` tells how many shingles a page has, -1 are rows that are not HTML, which are left
 * out, and so are URLs that stand twice. `declared` is TSV with a header, a row a statement of a page: `url`, `field`,
 * `target` and, for the field `self`, `fragment`.
 */
export function readLabelledSite(name: string, text: string, declared = ""): LabelledSite {
  const said = readSaid(declared);
  const [header = "", ...lines] = text.split(/\r?\n/);
  const columns = header.split("\t");
  const classColumn = ["cluster", "cls", "text", "raw"].find((column) => columns.includes(column));
  if (!columns.includes("url") || classColumn === undefined) {
    throw new Error(
      `${name}: a column url and one of cluster, cls, text, raw are needed, not ${columns.join(", ")}`,
    );
  }
  const at = (column: string) => columns.indexOf(column);
  const [url, page, size, shingles] = [at("url"), at(classColumn), at("size"), at("nsh")];
  const urls = new Map<string, LabelledUrl>();
  for (const line of lines) {
    const fields = line.split("\t");
    const [own, label] = [fields[url], fields[page]];
    if (own === undefined || own === "" || label === undefined || label === "") continue;
    if (shingles >= 0 && fields[shingles] === "-1") continue;
    const bytes = Number(fields[size] ?? Number.NaN);
    urls.set(own, {
      url: own,
      page: label,
      size: Number.isNaN(bytes) ? undefined : bytes,
      said: said.get(own) ?? {},
    });
  }
  return { name, urls: [...urls.values()] };
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
