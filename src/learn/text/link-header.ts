/** Matches one link of the header `Link` (RFC 8288): its target, then its parameters. */
const LINK = /<([^<>]*)>([^<>,"]*(?:"[^"]*"[^<>,"]*)*)/g;
const PARAM = /;\s*([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/g;
/** Limits the length of a header that is read. */
const LONGEST = 1 << 14;

/** Holds the headers of an answer: those of `fetch`, or an object of Node, whose names have any case. */
export type AnswerHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns the target of the first link with this relation in the header `Link`, or "". */
export function linkWith(relation: string, headers: AnswerHeaders): string {
  for (const [, target = "", params = ""] of headerValue("link", headers).matchAll(LINK)) {
    if (target !== "" && relationsOf(params).includes(relation)) return target;
  }
  return "";
}

/** Returns the words of the first parameter `rel`, in lower case. */
function relationsOf(params: string): string[] {
  for (const [, name, quoted, bare] of params.matchAll(PARAM))
    if (name?.toLowerCase() === "rel") return (quoted ?? bare ?? "").toLowerCase().split(/\s+/);
  return [];
}

/** Returns the value of a header, by its name in lower case; several joined, and "" for none. */
export function headerValue(wanted: string, headers: AnswerHeaders): string {
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return entries
    .filter(([name]) => name.toLowerCase() === wanted)
    .flatMap(([, value]) => value ?? [])
    .filter((value) => typeof value === "string")
    .join(", ")
    .slice(0, LONGEST);
}
