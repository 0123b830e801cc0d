/** Ends the URL of an alias that stands for all with any other parameters or none, after `?` or `&`. */
const ANY = "<*>";
/** Stands for them in a plan: no normalized URL has this byte. */
export const MARK = ">";

/**
 * Returns the URL of an alias before its `?<*>`, which is a path, or before its `&<*>`, which is a path and one parameter;
 * null if the alias has neither.
 */
export function baseOfAny(from: string): string | null {
  if (!from.endsWith(ANY)) return null;
  const base = from.slice(0, -ANY.length - 1);
  const isOf = base.includes("?") ? /^[^?]*\?[^&;]+$/ : /./;
  return isOf.test(base) && from === withAny(base) ? base : null;
}

/** Returns the URL of an alias for a path, or a path and one parameter, with any others. */
export function withAny(base: string): string {
  return marked(base, ANY);
}

/** Returns how a plan writes the URL of such an alias. */
export function markedBase(base: string): string {
  return marked(base, MARK);
}

function marked(base: string, mark: string): string {
  return `${base}${base.includes("?") ? "&" : "?"}${mark}`;
}

/**
 * Returns what a URL has of such aliases, by what a plan writes: that of one of its parameters, if all that it has lead to
 * one target, else that of its path. None is longer than `longest`.
 */
export function findAny<T extends { readonly to: string }>(
  aliases: ReadonlyMap<string, T>,
  target: string,
  longest: number,
): T | undefined {
  if (aliases.size === 0) return undefined;
  const question = target.indexOf("?");
  const path = `${question < 0 ? target : target.slice(0, question)}?`;
  let found: T | undefined;
  let start = path.length;
  for (let at = start; question >= 0 && at <= target.length; at++) {
    if (at < target.length && target[at] !== "&" && target[at] !== ";") continue;
    const isLong = path.length + (at - start) + 2 > longest;
    const own = isLong ? undefined : aliases.get(`${path}${target.slice(start, at)}&${MARK}`);
    if (own !== undefined && found !== undefined && own.to !== found.to) return undefined;
    found ??= own;
    start = at + 1;
  }
  return found ?? (path.length < longest ? aliases.get(path + MARK) : undefined);
}
