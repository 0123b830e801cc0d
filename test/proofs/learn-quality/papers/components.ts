import { addMember } from "./labelled.ts";

/** Holds a URL as values by key: scheme, host, the number of each path segment, and `?` with the separator and the name of a parameter. */
export type Components = ReadonlyMap<string, string>;

/** Splits a URL in normal form. The key of a parameter ends with its `=`; one that stands twice has both values. */
export function componentsOf(url: string): Components {
  const { protocol, host, pathname, search } = new URL(url);
  const parts = new Map([
    ["scheme", protocol],
    ["host", host],
  ]);
  for (const [at, segment] of pathname.slice(1).split("/").entries()) parts.set(`/${at}`, segment);
  const separator = search.includes("&") || !search.includes(";") ? "&" : ";";
  if (search.length < 2) return parts;
  for (const parameter of search.slice(1).split(separator)) {
    const [name, ...value] = parameter.split("=");
    const start = value.length === 0 ? (name as string) : `${name}=`;
    const key = `?${separator}${start}`;
    const before = parts.get(key);
    const own = value.join("=");
    parts.set(key, before === undefined ? own : `${before}${separator}${start}${own}`);
  }
  return parts;
}

/** Writes components as a URL: segments by their numbers, parameters in the order of the map. */
export function writeComponents(parts: Components): string {
  const entries = [...parts];
  const path = entries
    .filter(([key]) => key.startsWith("/"))
    .sort(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1)))
    .map(([, value]) => value);
  const parameters = entries.filter(([key]) => key.startsWith("?"));
  const separator = parameters[0]?.[0][1] ?? "&";
  const query = parameters.map(([key, value]) => key.slice(2) + value).join(separator);
  const origin = `${parts.get("scheme")}//${parts.get("host")}`;
  return `${origin}/${path.join("/")}${query === "" ? "" : `?${query}`}`;
}

/** Names the keys of a URL, in their order. */
export function keysOf(parts: Components): string {
  return [...parts.keys()].join(" ");
}

/** Returns a reader of components that reads each URL once. */
export function componentReader(): (url: string) => Components {
  const known = new Map<string, Components>();
  return (url) => {
    const parts = known.get(url) ?? componentsOf(url);
    known.set(url, parts);
    return parts;
  };
}

/** Returns known URLs by their keys. */
export function urlsByKeys(
  urls: Iterable<string>,
  read: (url: string) => Components,
): Map<string, string[]> {
  const byKeys = new Map<string, string[]>();
  for (const url of urls) addMember(byKeys, keysOf(read(url)), url);
  return byKeys;
}
