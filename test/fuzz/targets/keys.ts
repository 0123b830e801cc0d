import { readFileSync } from "node:fs";
import { REASON_WORDS, UNTOLD } from "../../../src/engine/reasons.ts";
import {
  createNormalizer,
  type Normalizer,
  type NormalizerOptions,
  Status,
} from "../../../src/index.ts";
import { fromSetup } from "../../../src/normalizers.ts";
import { FORM, planOfForm, type RowForm } from "../../../src/plan/form.ts";
import { SeenSet } from "../../../src/seen/index.ts";
import { toColumn } from "../../shared/columns.ts";
import { unlessRefused } from "../compare.ts";
import { COUNTED_MODULE, counted } from "../edges.ts";

export { PLACES, reached } from "../edges.ts";

const module = new WebAssembly.Module(readFileSync(COUNTED_MODULE));
const KEY = new Uint8Array(16).fill(7);
/** The first byte of an input chooses one of these, and the form of the keys. */
const OPTIONS: readonly NormalizerOptions[] = [{}, { preset: "crawl" }, { preset: "aggressive" }];

/** Makes the same with the kernel and with the JavaScript engine. */
const PAIRS = OPTIONS.flatMap((options) => {
  const { plan } = createNormalizer({ ...options, engine: "js" });
  return (Object.keys(FORM) as RowForm[]).map((form) =>
    [module, null].map((kernel) =>
      fromSetup({ plan: planOfForm(plan, form), module: kernel, engine: "auto" }),
    ),
  );
});

/** Rows of columns and lines, with a base: both engines agree on texts, reasons, fingerprints, and what a set has seen. */
export const fuzz = counted(async (data: Buffer): Promise<void> => {
  const [first = 0, second = 0] = data;
  const pair = PAIRS[first % PAIRS.length] as Normalizer[];
  const [start = "", ...rest] = data.toString("latin1", 2).split("\n");
  const base = second % 2 === 0 ? undefined : start;
  const urls = base === undefined ? [start, ...rest] : rest;
  const [byKernel = null, byJs = null] = pair.map((normalizer) =>
    resultsOf(normalizer, urls, base),
  );
  checkEqual(byKernel, byJs);
  const bits = second % 4 < 2 ? 64 : 128;
  const options = {
    ...OPTIONS[first % OPTIONS.length],
    key: KEY,
    bits,
    maxBytes: 1 << 24,
  } as const;
  const sets = [{ module }, { engine: "js" } as const].map(
    (engine) => new SeenSet({ ...options, ...engine }),
  );
  for (const batch of [urls, urls.toReversed(), [...urls, ...urls]]) {
    const [answers, others] = await Promise.all(sets.map((set) => set.addBatch(batch)));
    expectEqual(`${answers}`, `${others}`);
  }
});

/** What a call gives for some rows. */
interface Rows {
  readonly status: Uint8Array;
  readonly fingerprints: Uint8Array;
  readonly reasons: Uint32Array;
  readonly text: string;
}

/** Returns what a normalizer gives for a column and for lines; null where it refuses the base. */
function resultsOf(
  normalizer: Normalizer,
  urls: readonly string[],
  base: string | undefined,
): Rows[] | null {
  const options = { ...(base === undefined ? {} : { base }), key: KEY, reasons: true };
  return unlessRefused(() => {
    const { data, ...column } = normalizer.columnResults(toColumn(urls), options);
    const made: Rows[] = [{ ...column, text: `${[...column.offsets]} ${data}` }];
    const lines = Buffer.from(urls.join("\n"), "latin1");
    normalizer.normalizeWindows(lines, true, { ...options, texts: true }, (window) => {
      const { status, fingerprints, reasons, output } = window;
      made.push(structuredClone({ status, fingerprints, reasons, text: `${output}` }));
    });
    return made;
  });
}

/** Throws an error if two engines gave anything else. Reasons count for changed rows that both can tell. */
function checkEqual(some: readonly Rows[] | null, others: readonly Rows[] | null): void {
  expectEqual(some?.length, others?.length);
  for (const [at, one] of (some ?? []).entries()) {
    const other = others?.[at] as Rows;
    expectEqual(one.text, other.text);
    expectEqual(`${one.status}`, `${other.status}`);
    expectEqual(`${one.fingerprints}`, `${other.fingerprints}`);
    for (const [row, status] of one.status.entries()) {
      if (status !== Status.CHANGED) continue;
      const [told, toldByOther] = [one, other].map(({ reasons }) =>
        reasons.subarray(REASON_WORDS * row, REASON_WORDS * (row + 1)),
      ) as [Uint32Array, Uint32Array];
      const isUntold = [told, toldByOther].some(([, high = 0]) => (high & UNTOLD) !== 0);
      if (!isUntold) expectEqual(`${told}`, `${toldByOther}`);
    }
  }
}

function expectEqual(one: unknown, other: unknown): void {
  if (one !== other) throw new Error(`${one} is not ${other}`);
}
