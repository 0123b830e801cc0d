import { cdx, cdxj } from "./cdx.ts";
import type { Format } from "./format.ts";
import { jsonl } from "./jsonl.ts";
import { lines } from "./lines.ts";
import { sitemap } from "./sitemap.ts";
import { fields } from "./tsv.ts";

export type { Format, RecordSpan } from "./format.ts";

/** Lists the names of the formats that `normalize` and `dedupe` read. */
export const FORMATS = ["lines", "tsv", "jsonl", "cdx", "cdxj", "sitemap"] as const;
/** Names a format that `normalize` and `dedupe` read. */
export type FormatName = (typeof FORMATS)[number];

/** Lists the formats whose field is a number from 1 on; the field of the others is a name. */
export const NUMBERED: readonly FormatName[] = ["tsv", "cdx"];

/** Returns the format of a name; `field` says, as text, where in a record the URL is. */
export function formatOf(name: FormatName, field: string | undefined): Format {
  switch (name) {
    case "lines":
      return lines;
    case "tsv":
      return fields("\t", Number(field ?? 1));
    case "jsonl":
      return jsonl(field ?? "url");
    case "cdx":
      return cdx(field === undefined ? undefined : Number(field));
    case "cdxj":
      return cdxj(field ?? "url");
    case "sitemap":
      return sitemap;
  }
}
