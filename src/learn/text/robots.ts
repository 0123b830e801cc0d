/** Matches directives with a value: a colon after another word begins what is meant for one crawler. */
const VALUED = /^(?:unavailable_after|max-(?:snippet|image-preview|video-preview))\s*:/i;

/**
 * Returns what a page's head and the header `X-Robots-Tag` say to all crawlers; undefined for nothing. What follows the
 * name of a crawler is meant for it, up to the end, because headers are joined.
 */
export function robotsSaid(head = "", header = ""): string | undefined {
  const parts = header.split(",").map((part) => part.trim());
  const named = parts.findIndex((part) => part.includes(":") && !VALUED.test(part));
  const said = [head.trim(), ...(named < 0 ? parts : parts.slice(0, named))];
  return said.filter((part) => part !== "").join(", ") || undefined;
}

/** Returns whether what was said keeps a page out of indexes: `none` is `noindex, nofollow`. */
export function isNoindex(robots: string): boolean {
  return /(?:^|[\s,;])(?:noindex|none)(?:$|[\s,;])/i.test(robots);
}
