import { expect } from "vitest";
import { formatNamed, START } from "./whole.ts";

/** The format of sitemaps and feeds. */
export const sitemap = formatNamed("sitemap");
const byteString = (text: string): string => Buffer.from(text).toString("latin1");
const utf8 = (bytes: string): string => Buffer.from(bytes, "latin1").toString();

/** The URLs of the records, with null for one without. `header`: the start tag of the root, if the text does not have it. */
export function urlsOf(text: string, header: string | null = null): (string | null)[] {
  const bytes = byteString(text);
  const records = sitemap.read(bytes, { header, isStart: header === null });
  expect(records.map(({ start, end }) => bytes.slice(start, end)).join("")).toBe(bytes);
  return records
    .filter(({ kind }) => kind !== "header")
    .map(({ kind, url }) => (kind === "url" ? utf8(url) : null));
}

/** The text with K in the place of each URL. */
export function keyed(text: string): string {
  const bytes = byteString(text);
  const pieces = sitemap
    .read(bytes, START)
    .map(({ kind, start, end, from, to }) =>
      kind === "url"
        ? `${bytes.slice(start, from)}K${bytes.slice(to, end)}`
        : bytes.slice(start, end),
    );
  return utf8(pieces.join(""));
}
