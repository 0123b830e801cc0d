import { parseRule, type Rule } from "../../site-rules/index.ts";

/**
 * The ways that a name which is compared without case is written in URLs: as given, in lower and upper
 * case, and what ends in "sessionid" also as `sessionId`, `SessionID` and the like.
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

/** Drops parameters of these names, however they are spelled. */
export function dropNames(names: readonly string[], spell = nameSpellings): Rule {
  return parseRule(`*\t*\tdrop ${[...new Set(names.flatMap(spell))].join(",")}`);
}

/** Each prefix with each root, and these with `_` in front where that may stand. */
export function sessionNames(
  prefixes: readonly string[],
  roots: readonly string[],
  isUnderscored: boolean,
): string[] {
  const plain = prefixes.flatMap((prefix) => roots.map((root) => prefix + root));
  return isUnderscored ? [...plain, ...plain.map((name) => `_${name}`)] : plain;
}

/** Removes `;name=value` where a path or a query ends after it; the value is up to the next delimiter. */
export function dropPathParameter(name: string, spell = nameSpellings): Rule[] {
  return spell(name).flatMap((spelled) => [
    parseRule(`*\t*\tsub ;${spelled}=<T>? => ?`),
    parseRule(`*\t*\tsub ;${spelled}=<T><$> =>`),
  ]);
}

/**
 * What Nutch's default regex-normalize.xml does to session ids, as far as rules say it: a BASELINE to
 * compare with, not rules to apply. By name alone, `sid` removes the ids of searches.
 */
export const NUTCH_SESSION_RULES: readonly Rule[] = [
  dropNames(sessionNames(["", "l", "j", "bv_"], ["sid", "phpsessid", "sessionid"], true)),
  ...dropPathParameter("jsessionid"),
];

/**
 * What Heritrix 3 does to session ids (StripSessionIDs and StripSessionCFIDs), as far as rules say it: a
 * BASELINE as well. It wants values of 32 letters and digits, and also drops names that merely end so;
 * rules test neither. `ASPSESSIONID` with its eight random letters cannot be named.
 */
export const HERITRIX_SESSION_RULES: readonly Rule[] = [
  dropNames(["jsessionid", "phpsessid", "sid"]),
  parseRule("*\t* ?CFID&CFTOKEN\tdrop CFID,CFTOKEN"),
  parseRule("*\t* ?cfid&cftoken\tdrop cfid,cftoken"),
];
