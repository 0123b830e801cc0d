import { bitOf, REASON_WORDS, UNTOLD } from "../../src/engine/reasons.ts";
import {
  createNormalizer,
  type Normalizer,
  type NormalizerOptions,
  Status,
  UrlmillError,
} from "../../src/index.ts";
import { STEP_NAMES } from "../../src/options/catalog.generated.ts";
import { toColumn } from "./columns.ts";

/**
 * Holds the findings about reasons under one set of options, or says that the options were refused.
 */
export interface ReasonFindings {
  readonly findings: readonly object[];
  /** Changed rows, by engine. */
  readonly changed: number;
  /** Counts those rows whose rules only `explain` knows. */
  readonly untold: number;
}

/** Compares the reasons of rows, of both engines, with the names that `explain` lists. */
export function findReasonFindings(
  options: NormalizerOptions,
  inputs: readonly string[],
  base?: string,
): ReasonFindings | "refused" {
  const findings: object[] = [];
  let changed = 0;
  let untold = 0;
  for (const engine of ["wasm", "js"] as const) {
    const normalizer = make({ ...options, engine });
    if (normalizer === null) return "refused";
    const given = base === undefined ? {} : { base };
    // A CR before the LF is not part of a line, and one before that would be taken for it.
    const lines = inputs.map((input) => input.replace(/\r+$/, ""));
    for (const [urls, told] of [
      [inputs, normalizer.columnResults(toColumn(inputs), { ...given, reasons: true })],
      [lines, lineReasons(normalizer, lines, given)],
    ] as const) {
      for (const [row, url] of urls.entries()) {
        if (told.status[row] !== Status.CHANGED) continue;
        changed++;
        const names = toldBy(told.reasons, row);
        if (names === null) untold++;
        const expected = namesOf(normalizer, url, base);
        if (names === null || names === expected || findings.length === 3) continue;
        findings.push({ engine, options, base, url, expected, names });
      }
    }
  }
  return { findings, changed, untold };
}

function make(options: NormalizerOptions): Normalizer | null {
  try {
    return createNormalizer(options);
  } catch (error) {
    if (error instanceof UrlmillError && error.code === "BAD_OPTION") return null;
    throw error;
  }
}

/** The status and reasons of lines; none of them holds an LF. */
function lineReasons(
  normalizer: Normalizer,
  lines: readonly string[],
  base: { readonly base?: string },
): { readonly status: Uint8Array; readonly reasons: Uint32Array } {
  const status = new Uint8Array(lines.length);
  const reasons = new Uint32Array(REASON_WORDS * lines.length);
  let row = 0;
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(""), "latin1");
  normalizer.normalizeWindows(text, true, { ...base, reasons: true }, (window) => {
    status.set(window.status, row);
    reasons.set(window.reasons, REASON_WORDS * row);
    row += window.rows;
  });
  return { status, reasons };
}

/** The names of a row's reasons, in the order of their bits; null where only `explain` knows them. */
function toldBy(reasons: Uint32Array, row: number): string | null {
  const low = reasons[REASON_WORDS * row] as number;
  const high = reasons[REASON_WORDS * row + 1] as number;
  if ((high & UNTOLD) !== 0) return null;
  const isTold = (_: string, bit: number) => (((bit < 32 ? low : high) >>> (bit & 31)) & 1) === 1;
  return STEP_NAMES.filter(isTold).join(", ");
}

function namesOf(normalizer: Normalizer, url: string, base?: string): string {
  const { steps } = normalizer.explainBytes(url, base);
  const bits = new Set(steps.map(({ step }) => bitOf(step)));
  return [...bits]
    .sort((a, b) => a - b)
    .map((bit) => STEP_NAMES[bit] as string)
    .join(", ");
}
