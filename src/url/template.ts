import { Failure } from "./failure.ts";
import { joinParts, splitParts } from "./parts.ts";

/** A triplet, a UUID (RFC 9562 4), or a run of hexadecimal digits. A run is taken whole, so a match begins where it begins. */
const IDS = /%[\da-f]{2}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-f])|[\da-f]+/gi;
const ROUTE = /^[!/]/;
const SHORTEST_HEX = 16;

/**
 * Returns the template of a normalized URL: the text that URLs of one page type share. In the path each run of decimal digits
 * is `<N>`, each run of 16 hexadecimal digits and more `<H>`, each UUID `<U>`; triplets stay. Parameters are in order, without
 * values, each name once; a name that is such an id has its mark. A fragment stays if it is a route, and is read as a path.
 */
export function templateOf(url: string): string {
  const parts = splitParts(url);
  const { path, query, fragment } = parts;
  const route = fragment !== null && ROUTE.test(fragment) ? marked(fragment) : null;
  return joinParts({ ...parts, path: marked(path), query: namesOf(query ?? ""), fragment: route });
}

/** Returns the host of a normalized URL. Fails with `BAD_HOST` if it has none. */
export function hostOf(url: string): string | Failure {
  const { host } = splitParts(url);
  return host === "" ? new Failure("BAD_HOST", 0) : host;
}

function marked(text: string): string {
  return text.replace(IDS, (run) => markOf(run) ?? run.replace(/\d+/g, "<N>"));
}

/** Returns the mark of an id, a triplet as it is, or null for a shorter run with letters. */
function markOf(run: string): string | null {
  if (run.startsWith("%")) return run;
  if (/^\d+$/.test(run)) return "<N>";
  if (run.includes("-")) return "<U>";
  return run.length >= SHORTEST_HEX ? "<H>" : null;
}

/** Returns the names of the parameters of a query, in order. Returns null for a query without names. */
function namesOf(query: string): string | null {
  const names = new Set<string>();
  for (const param of query.split("&")) {
    const [name = ""] = param.split("=", 1);
    if (name === "") continue;
    const [run] = name.match(IDS) ?? [];
    names.add((run === name ? markOf(run) : null) ?? name);
  }
  return names.size === 0 ? null : [...names].toSorted().join("&");
}
