import { parseRule, type Rule } from "../site-rules/index.ts";

/**
 * Returns the ways in which URLs write a name that is compared without case: as given, in lower and in upper case. A
 * name that ends in "sessionid" also has the forms `sessionId`, `SessionID` and the like.
 */
export function nameSpellings(name: string): string[] {
  const lower = name.toLowerCase();
  const prefix = /^(.*)sessionid$/.exec(lower)?.[1];
  const mixed =
    prefix === undefined
      ? []
      : ["sessionId", "sessionID", "SessionId", "SessionID"].flatMap((root) => [
          prefix + root,
          prefix.toUpperCase() + root,
        ]);
  return [...new Set([name, lower, lower.toUpperCase(), ...mixed])];
}

/** Returns a rule that drops parameters of these names, however they are spelled. */
export function dropNames(names: readonly string[], spell = nameSpellings): Rule {
  return parseRule(`*\t*\tdrop ${[...new Set(names.flatMap(spell))].join(",")}`);
}

/** Returns each prefix with each root. If `_` may precede them, returns these with `_` in front too. */
export function sessionNames(
  prefixes: readonly string[],
  roots: readonly string[],
  isUnderscored: boolean,
): string[] {
  const plain = prefixes.flatMap((prefix) => roots.map((root) => prefix + root));
  return isUnderscored ? [...plain, ...plain.map((name) => `_${name}`)] : plain;
}

/**
 * Returns rules that remove `;name=value` if a path or a query ends after it; the value is up to the next delimiter.
 */
export function dropPathParameter(name: string, spell = nameSpellings): Rule[] {
  return spell(name).flatMap((spelled) => [
    parseRule(`*\t*\tsub ;${spelled}=<T>? => ?`),
    parseRule(`*\t*\tsub ;${spelled}=<T><$> =>`),
  ]);
}

/**
 * Lists what Nutch's default regex-normalize.xml does to session ids, as far as rules say it. It is a BASELINE to
 * compare with; do not apply it: by name alone, `sid` removes the ids of searches.
 */
export const NUTCH_SESSION_RULES: readonly Rule[] = [
  dropNames(sessionNames(["", "l", "j", "bv_"], ["sid", "phpsessid", "sessionid"], true)),
  ...dropPathParameter("jsessionid"),
];

/**
 * Lists what Heritrix 3 does to session ids (StripSessionIDs and StripSessionCFIDs), as far as rules say it. It is a
 * BASELINE to compare with; do not apply it. Heritrix wants values of 32 letters and digits, and also drops names that
 * merely end so; rules test neither.
 */
export const HERITRIX_SESSION_RULES: readonly Rule[] = [
  dropNames(["jsessionid", "phpsessid", "sid"]),
  parseRule("*\t* ?CFID&CFTOKEN\tdrop CFID,CFTOKEN"),
  parseRule("*\t* ?cfid&cftoken\tdrop cfid,cftoken"),
];
