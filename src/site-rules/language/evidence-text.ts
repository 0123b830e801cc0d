import { badRule } from "../data-lines.ts";
import { levelNamed } from "../level-named.ts";
import type { Evidence } from "../rule.ts";

/** Matches a list and its day, as `list:clearurls 2026-11-26` has them. */
const LIST = /^list:([a-z0-9][a-z0-9._-]{0,63} \d{4}-\d\d-\d\d)$/;

/** Returns whether a value names a list and its day. */
export function isListName(value: unknown): value is string {
  return typeof value === "string" && LIST.test(`list:${value}`);
}

/**
 * Reads `fingerprint n=1443 ok=1442 lb=.9961` or `list:clearurls 2026-11-26`; returns null for "", which means no
 * evidence.
 */
export function parseEvidence(text: string): Evidence | null {
  if (text === "") return null;
  const list = LIST.exec(text)?.[1];
  if (list !== undefined) return { level: "list", n: 0, ok: 0, lb: 0, list };
  const found = /^(\w+) n=(\d{1,16}) ok=(\d{1,16}) lb=(1|\.\d{1,4})$/.exec(text);
  const [, name, n, ok, lb] = found ?? [];
  const level = levelNamed(name);
  if (level === undefined || level === "list") {
    throw badRule(`"${text}" is not evidence such as "fingerprint n=1443 ok=1442 lb=.9961"`);
  }
  if (!Number.isSafeInteger(Number(n))) throw badRule(`in "${text}" n is too large to count with`);
  if (Number(ok) > Number(n)) throw badRule(`in "${text}" ok is above n`);
  return { level, n: Number(n), ok: Number(ok), lb: Number(lb) };
}

/** Rounds a lower bound down to the four digits of evidence, so that it stays a lower bound. */
export function roundBound(lb: number): number {
  // A bound with four digits already may be slightly too low, by the rounding error of a product.
  return Math.floor(lb * 10_000 + 1e-6) / 10_000;
}

/** Writes evidence as `parseEvidence` reads it; null becomes "". */
export function writeEvidence(evidence: Evidence | null): string {
  if (evidence === null) return "";
  const { level, n, ok, lb, list } = evidence;
  if (list !== undefined) return `list:${list}`;
  const bound = roundBound(lb);
  return `${level} n=${n} ok=${ok} lb=${bound === 1 ? "1" : bound.toFixed(4).slice(1)}`;
}
