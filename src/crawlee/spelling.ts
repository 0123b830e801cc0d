/** U+FFFD in a query; a decoder writes it for bytes that are not UTF-8. */
const REPLACEMENT = "%EF%BF%BD";

/**
 * Writes a URL that was normalized with `crawleeOptions` as Crawlee 3 writes its key. It removes the slash of an empty path,
 * and writes the query as application/x-www-form-urlencoded (URL Standard 5), sorted by decoded names. A query with bytes that
 * are not UTF-8 stays as it is, because that form would merge it with others.
 */
export function crawleeSpelling(url: string): string {
  const fragmentAt = url.indexOf("#");
  const beforeFragment = fragmentAt === -1 ? url : url.slice(0, fragmentAt);
  const fragment = url.slice(beforeFragment.length);
  const queryAt = beforeFragment.indexOf("?");
  const address = queryAt === -1 ? beforeFragment : beforeFragment.slice(0, queryAt);
  return withoutRootSlash(address) + formQuery(beforeFragment.slice(address.length)) + fragment;
}

function withoutRootSlash(address: string): string {
  const authorityAt = address.indexOf(":") + 3;
  const hasAuthority = address.startsWith("//", authorityAt - 2);
  const isRoot = hasAuthority && address.indexOf("/", authorityAt) === address.length - 1;
  return isRoot ? address.slice(0, -1) : address;
}

/** Returns a query with its `?`, in that form, or "". */
function formQuery(query: string): string {
  if (query === "") return query;
  const params = new URLSearchParams(query);
  params.sort();
  const written = params.toString();
  return countOf(REPLACEMENT, written) === countOf(REPLACEMENT, query) ? `?${written}` : query;
}

function countOf(part: string, text: string): number {
  return text.split(part).length - 1;
}
