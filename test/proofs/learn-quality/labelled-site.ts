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
}

/**
 * Reads TSV with a header: `url` and a class in `cluster`, `cls`, else `text`, else `raw`; perhaps `size`.
 * Where a column `nsh` tells how many shingles a page has, -1 are rows that are not HTML, which are left
 * out, and so are URLs that stand twice.
 */
export function readLabelledSite(name: string, text: string): LabelledSite {
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
    urls.set(own, { url: own, page: label, size: Number.isNaN(bytes) ? undefined : bytes });
  }
  return { name, urls: [...urls.values()] };
}
